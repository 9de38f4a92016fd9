import { constants, Database } from "bun:sqlite"
import { chownSync, existsSync, linkSync, mkdirSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import { signInTables } from "../people/sign-in-store.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import {
  findNewestVersion,
  listPending,
  NotPazarDatabase,
} from "../platform/database/schema-versions.ts"
import {
  asUnavailable,
  type Connection,
  connect,
  hasTable,
  isCorrupt,
  openConnection,
  readVersion,
} from "../platform/database/sqlite.ts"
import {
  assertNotOwnFile,
  chooseFreeName,
  copyAside,
  findFileId,
  findFileSize,
  listCorruption,
  putInPlace,
  removeUnfinished,
} from "../platform/database/sqlite-file.ts"
import { StoreUnavailable, UserError } from "../platform/error.ts"
import { type CountedRows, type RowCounts, selectCounts, toCounts } from "./checks.ts"
import { type Moved, movedMetadataKey } from "./metadata.ts"
import { sqliteSchema } from "./schema.ts"
import { lockDatabase } from "./sqlite.ts"

type BackUpOptions = Readonly<{
  /** Replaces an existing file after the new backup has been verified. */
  mayOverwrite: boolean
  /** From `chooseUnfinishedName`. A caller that knows the name can delete an abandoned copy. */
  unfinished?: string
}>

/** Writes a backup of a database that may be in use. The copy is renamed into place after it has been verified. */
export function backUpSqlite(
  path: string,
  target: string,
  { mayOverwrite, unfinished }: BackUpOptions,
): Readonly<{ bytes: number; counts: RowCounts }> {
  assertWritable(path, target, mayOverwrite)
  using source = openConnection(path, sqliteSchema, "command")
  const unfinishedPath = copyAside(source, target, unfinished)
  const counts = completeCopy(unfinishedPath, target, copyIsCorrupt, () => {
    // Another process may have created the file meanwhile.
    assertWritable(path, target, mayOverwrite)
  })
  return { bytes: statSync(target).size, counts }
}

const copyIsCorrupt = (why: string) =>
  new StoreUnavailable(
    `the copy is corrupt and was deleted: ${why}; check the disk, and run \`pazar doctor\``,
  )

function assertWritable(path: string, target: string, mayOverwrite: boolean): void {
  const folder = dirname(target)
  // A missing folder is not created: its volume may not be mounted.
  if (!existsSync(folder))
    throw new UserError(`folder ${folder} does not exist; create it or mount its volume`)
  const found = statSync(target, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isFile()) throw new UserError(`${target} is not a file`)
  if (!mayOverwrite)
    throw new UserError(`${target} already exists; choose another file name, or set --overwrite`)
  assertNotOwnFile(path, target)
}

/** Verifies a copy, calls `prepare` and renames the copy. Deletes it if one of them fails. */
function completeCopy(
  unfinishedPath: string,
  target: string,
  corrupt: (why: string) => Error,
  prepare: (copy: Connection) => void,
): RowCounts {
  try {
    let counts: RowCounts
    {
      using copy = connect(unfinishedPath)
      counts = countIntact(copy, corrupt)
      prepare(copy)
    }
    putInPlace(unfinishedPath, target)
    return counts
  } finally {
    removeUnfinished(unfinishedPath)
  }
}

function countIntact(connection: Connection, corrupt: (why: string) => Error): RowCounts {
  const [damage] = listCorruption(connection)
  if (damage !== undefined) throw corrupt(damage)
  // `as`: the columns of `selectCounts`.
  return toCounts(connection.query(`${selectCounts}`).values() as unknown[] as CountedRows[])
}

type AdmitBackup = (metadata: Pick<MetadataStore, "find">) => Promise<void>

type RestoreOptions = Readonly<{
  admit: AdmitBackup
  /** Also replaces a database that is newer or damaged, and accepts a backup of a moved database. */
  isForced: boolean
  now: Date
}>

/** `kept` is the file of the replaced database; null if there was none. A version below `needed` must be migrated. */
type Restored = Readonly<{
  version: number
  needed: number
  counts: RowCounts
  kept: string | null
}>

/**
 * Replaces a database that is not in use with a backup. Throws UserError if the database is in use or newer than the
 * backup, or if the backup is corrupt or of a moved database. The lock is held until the new file is in place.
 */
export async function restoreSqlite(
  path: string,
  backupPath: string,
  { admit, isForced, now }: RestoreOptions,
): Promise<Restored> {
  const file = findFileId(backupPath)
  if (file === null) throw new UserError(`file ${backupPath} does not exist`)
  if (file === findFileId(path)) {
    throw new UserError(`${backupPath} is the database itself; set the file of a backup`)
  }
  const opened = new Database(backupPath, { readonly: true, strict: true })
  return readBackup(opened, backupPath, async (backup, corrupt) => {
    const version = await inspect(backup, backupPath, admit, isForced)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    using _lock = lockStore(path, findLast(backup), isForced)
    const unfinishedPath = copyAside(backup, path)
    let kept: string | null = null
    const counts = completeCopy(unfinishedPath, path, corrupt, (copy) => {
      changeCopy(copy)
      keepOwner(path, unfinishedPath)
      kept = keepReplaced(path, now)
    })
    return { version, needed: findNewestVersion(sqliteSchema), counts, kept }
  })
}

/** Runs the checks of a restore. The file is opened as immutable, so that SQLite never creates a log for it. */
export function inspectSqliteBackup(path: string, admit: AdmitBackup) {
  const url = `${pathToFileURL(path).href}?immutable=1`
  const opened = new Database(url, constants.SQLITE_OPEN_URI | constants.SQLITE_OPEN_READONLY)
  return readBackup(opened, path, async (backup, corrupt) => ({
    version: await inspect(backup, path, admit, false),
    counts: countIntact(backup, corrupt),
  }))
}

async function readBackup<T>(
  backup: Connection,
  backupPath: string,
  read: (backup: Connection, corrupt: (why: string) => Error) => Promise<T>,
): Promise<T> {
  const corrupt = (why: string) =>
    new UserError(`${backupPath} is corrupt or not a backup: ${why}; restore another one`)
  try {
    return await read(backup, corrupt)
  } catch (error) {
    const cause = error instanceof StoreUnavailable ? error.cause : error
    throw cause instanceof Error && isCorrupt(cause) ? corrupt(cause.message) : asUnavailable(error)
  } finally {
    backup.close()
  }
}

/** Returns the schema version. Throws StoreTooNew for a backup of a newer Pazar. */
async function inspect(
  backup: Connection,
  backupPath: string,
  admit: AdmitBackup,
  isForced: boolean,
): Promise<number> {
  const version = readVersion(backup)
  if (version === 0 || !hasTable(backup, "metadata")) {
    throw new NotPazarDatabase(`${backupPath} is not a backup of Pazar`)
  }
  listPending(sqliteSchema, version)
  const select = backup.query<{ value: string }, [string]>(
    "SELECT value FROM metadata WHERE name = ?",
  )
  const find = (name: string) => select.get(name)?.value ?? null
  await admit({ find: async (name) => find(name) })
  const moved = find(movedMetadataKey)
  // `--force` accepts it, because it may be the only copy left if the new database is lost.
  if (moved === null || isForced) return version
  const { place, at }: Moved = JSON.parse(moved)
  throw new UserError(
    `${backupPath} is a backup of a database that was moved to ${place} at ${at}, and lacks all changes since then; if the new database is lost, restore the backup with --force`,
  )
}

/** Returns null if the file is missing, or corrupt and `isForced`. Throws UserError if it has more than `last`. */
function lockStore(path: string, last: Last, isForced: boolean): Connection | null {
  if (findFileSize(path) === null) return null
  let lock: Connection | null = null
  try {
    lock = lockDatabase(path)
    const newer = isForced ? null : describeNewer(findLast(lock), last)
    if (newer === null) return lock
    throw new UserError(
      `${path} is newer than the backup: ${newer}; restore with --force to replace it, which keeps the replaced file`,
    )
  } catch (error) {
    lock?.close()
    if (!isCorrupt(error)) throw error
    if (isForced) return null
    throw new UserError(
      `${path} is corrupt and may be in use; stop every pazar, then restore with --force, which keeps the corrupt file`,
    )
  }
}

/**
 * Makes a backup of a moved database usable. A session or link that was ended or used after the backup must not
 * become valid again, and an e-mail must not be sent again. The servers of that time may use another database.
 */
function changeCopy(copy: Connection): void {
  copy.run("DELETE FROM metadata WHERE name = ?", [movedMetadataKey])
  for (const table of [...signInTables, "emails", "nodes"]) copy.run(`DELETE FROM ${table}`)
}

/** If root restores the database of another user, this user must be able to open it. */
function keepOwner(path: string, unfinishedPath: string): void {
  const { uid, gid } = statSync(existsSync(path) ? path : dirname(path))
  const made = statSync(unfinishedPath)
  if (made.uid !== uid || made.gid !== gid) chownSync(unfinishedPath, uid, gid)
}

/** Gives the replaced file a second name: there is always a complete database at the path. */
function keepReplaced(path: string, now: Date): string | null {
  const at = now.toISOString().replace(/[-:]|\.\d+/g, "")
  const name = chooseFreeName(`${path}.before-restore-${at}`)
  // Only a corrupt database has these files. SQLite would read them as parts of the new file.
  for (const end of ["-wal", "-shm", "-journal"]) {
    if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${name}${end}`)
  }
  if (!existsSync(path)) return null
  linkSync(path, name)
  return name
}

type Last = ReturnType<typeof findLast>

function describeNewer(last: Last, backup: Last): string | null {
  if (last.version > backup.version)
    return `it has schema version ${last.version}, the backup ${backup.version}`
  if (last.importAt > backup.importAt || last.importId > backup.importId)
    return `it has an import of ${last.importAt} that the backup lacks`
  return last.auditId > backup.auditId
    ? "it has a change by an author or operator that the backup lacks"
    : null
}

/** These values never decrease. Usage counts and sessions are omitted, because they always change. */
function findLast(connection: Connection) {
  const select = `SELECT coalesce(max(coalesce(finished_at, started_at)), ''), coalesce(max(id), 0),
    (SELECT coalesce(max(id), 0) FROM audit_events) FROM imports`
  // `as`: max() without GROUP BY returns one row.
  const [row] = connection.query(select).values() as [[string, number, number]]
  const [importAt, importId, auditId] = row
  return { version: readVersion(connection), importAt, importId, auditId }
}

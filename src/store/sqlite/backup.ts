import { constants, Database } from "bun:sqlite"
import { chownSync, existsSync, linkSync, mkdirSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import { type MetadataStore, StoreUnavailable } from "../../domain/store.ts"
import type { RowCounts } from "../../domain/usage/operator-reads.ts"
import { hasErrorCode, UserError } from "../../domain/values/error.ts"
import { type Moved, movedMetadataKey } from "../sql/metadata-store.ts"
import { sqliteSchema } from "../sql/schema.ts"
import { listPending, NotPazarDatabase, newestOf } from "../sql/schema-versions.ts"
import { authorTables, operatorTables } from "../sql/sign-in/sign-in-stores.ts"
import { type CountedRows, selectCounts, toCounts } from "../sql/usage/operator-queries.ts"
import {
  type Connection,
  connect,
  hasTable,
  openConnection,
  versionOf,
} from "./connection/connection.ts"
import { asUnavailable, isCorrupt } from "./connection/errors.ts"
import {
  assertNotOwnFile,
  chooseFreeName,
  copyAside,
  findFileId,
  findFileSize,
  listCorruption,
  removeUnfinished,
  sync,
} from "./connection/file.ts"
import { lockDatabase } from "./lock-database.ts"

export type CopyStage = "copying" | "checking"
/** Called before each stage. A stage takes minutes for a large database. */
export type OnStage = (stage: CopyStage) => Promise<void>

type BackUpOptions = Readonly<{
  /** Replaces an existing file after the new backup has been verified. */
  mayOverwrite: boolean
  /** From `chooseUnfinishedName`. A caller that knows the name can delete an abandoned copy. */
  unfinished?: string
  onStage: OnStage
}>

/** Writes a backup of a database that may be in use. The copy is renamed into place after it has been verified. */
export async function backUpSqlite(
  path: string,
  target: string,
  { mayOverwrite, unfinished, onStage }: BackUpOptions,
): Promise<Readonly<{ bytes: number; counts: RowCounts }>> {
  assertWritable(path, target, mayOverwrite)
  const source = openConnection(path, "command")
  let unfinishedPath: string
  try {
    await onStage("copying")
    unfinishedPath = copyAside(source, target, unfinished)
  } finally {
    source.close()
  }
  try {
    await onStage("checking")
    const counts = checkCopy(unfinishedPath)
    sync(unfinishedPath)
    const { size: bytes } = statSync(unfinishedPath)
    if (mayOverwrite) renameSync(unfinishedPath, target)
    else linkIntoPlace(unfinishedPath, target)
    sync(dirname(target))
    return { bytes, counts }
  } finally {
    removeUnfinished(unfinishedPath)
  }
}

function assertWritable(path: string, target: string, mayOverwrite: boolean): void {
  const folder = dirname(target)
  // A missing folder is not created: its volume may not be mounted.
  if (!existsSync(folder))
    throw new UserError(`folder ${folder} does not exist; create it or mount its volume`)
  const found = statSync(target, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isFile()) throw new UserError(`${target} is not a file`)
  if (!mayOverwrite) throw fileExists(target)
  assertNotOwnFile(path, target)
}

const fileExists = (target: string) =>
  new UserError(`${target} already exists; choose another file name, or set --overwrite`)

/** The errors of file systems without hard links, such as exFAT, SMB and FUSE. */
const noLinkCodes = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]

/** Unlike a rename, a link never replaces a file that another process has created concurrently. */
export function linkIntoPlace(unfinishedPath: string, target: string, link = linkSync): void {
  try {
    link(unfinishedPath, target)
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) throw fileExists(target)
    if (!noLinkCodes.some((code) => hasErrorCode(error, code))) throw error
    if (existsSync(target)) throw fileExists(target)
    renameSync(unfinishedPath, target)
  }
}

function checkCopy(unfinishedPath: string): RowCounts {
  const copy = connect(unfinishedPath)
  try {
    const [damage] = listCorruption(copy)
    if (damage === undefined) return countRows(copy)
    throw new StoreUnavailable(
      `the copy is corrupt and was deleted: ${damage}; check the disk, and run \`pazar doctor\``,
    )
  } finally {
    copy.close()
  }
}

function countRows(connection: Connection): RowCounts {
  // `as`: the columns of `selectCounts`.
  return toCounts(connection.query(`${selectCounts}`).values() as unknown[] as CountedRows[])
}

/** Throws if the configured master key cannot decrypt the backup. */
type AdmitBackup = (metadata: Pick<MetadataStore, "find">) => Promise<void>

type RestoreOptions = Readonly<{
  admit: AdmitBackup
  /** Also replaces a database that is newer or damaged, and accepts a backup of a moved database. */
  isForced: boolean
  /** The suffix of the file name of the replaced database. */
  suffix: string
  onStage: OnStage
}>

/** A schema version below `needed` must be migrated. */
type InspectedBackup = Readonly<{ version: number; needed: number; counts: RowCounts }>

/**
 * Replaces a database that is not in use with a backup. `kept` is the file of the replaced database; null if there was
 * none. Throws UserError if the database is in use or newer than the backup, or if the backup is of a moved database.
 * The lock is held until the new file is in place.
 */
export async function restoreSqlite(
  path: string,
  backupPath: string,
  { admit, isForced, suffix, onStage }: RestoreOptions,
): Promise<InspectedBackup & Readonly<{ kept: string | null }>> {
  const file = findFileId(backupPath)
  if (file === null) throw new UserError(`file ${backupPath} does not exist`)
  if (file === findFileId(path)) {
    throw new UserError(`${backupPath} is the database itself; set the file of a backup`)
  }
  const backup = new Database(backupPath, { readonly: true, strict: true })
  let lock: Connection | null = null
  let unfinishedPath: string | null = null
  try {
    await onStage("checking")
    const inspected = await inspect(backup, backupPath, admit, isForced)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    lock = lockStore(path, isForced)
    const newer = lock === null || isForced ? null : describeNewer(lock, backup)
    if (newer !== null) {
      throw new UserError(
        `${path} is newer than the backup: ${newer}; restore with --force to replace it, which keeps the replaced file`,
      )
    }
    await onStage("copying")
    unfinishedPath = copyAside(backup, path)
    changeCopy(unfinishedPath)
    keepOwner(path, unfinishedPath)
    sync(unfinishedPath)
    return { ...inspected, kept: replace(path, unfinishedPath, suffix) }
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    if (unfinishedPath !== null) removeUnfinished(unfinishedPath)
    lock?.close()
    backup.close()
  }
}

/** Runs the checks of a restore. The file is opened as immutable, so that SQLite never creates a log for it. */
export async function inspectSqliteBackup(
  path: string,
  admit: AdmitBackup,
): Promise<InspectedBackup> {
  const url = `${pathToFileURL(path).href}?immutable=1`
  const backup = new Database(url, constants.SQLITE_OPEN_URI | constants.SQLITE_OPEN_READONLY)
  try {
    return await inspect(backup, path, admit, false)
  } finally {
    backup.close()
  }
}

async function inspect(
  backup: Connection,
  backupPath: string,
  admit: AdmitBackup,
  isForced: boolean,
): Promise<InspectedBackup> {
  const version = assertIntact(backup, backupPath)
  await admit({ find: async (name) => findMetadata(backup, name) })
  const moved = findMetadata(backup, movedMetadataKey)
  // `--force` accepts it, because it may be the only copy left if the new database is lost.
  if (moved !== null && !isForced) {
    const { place, at }: Moved = JSON.parse(moved)
    throw new UserError(
      `${backupPath} is a backup of a database that was moved to ${place} at ${at}, and lacks all changes since then; if the new database is lost, restore the backup with --force`,
    )
  }
  return { version, needed: newestOf(sqliteSchema), counts: countRows(backup) }
}

function findMetadata(backup: Connection, name: string): string | null {
  const select = `SELECT value FROM metadata WHERE name = ?`
  return backup.query<{ value: string }, [string]>(select).get(name)?.value ?? null
}

/** Returns the schema version. Throws StoreTooNew for a backup of a newer Pazar. */
function assertIntact(backup: Connection, backupPath: string): number {
  const damaged = (why: string) =>
    new UserError(`${backupPath} is corrupt or not a backup: ${why}; restore another one`)
  try {
    const version = versionOf(backup)
    if (version === 0 || !hasTable(backup, "metadata")) {
      throw new NotPazarDatabase(`${backupPath} is not a backup of Pazar`)
    }
    listPending(sqliteSchema, version)
    const [damage] = listCorruption(backup)
    if (damage === undefined) return version
    throw damaged(damage)
  } catch (error) {
    throw error instanceof Error && isCorrupt(error) ? damaged(error.message) : error
  }
}

/** Returns null if the file is missing, or corrupt and `isForced`. */
function lockStore(path: string, isForced: boolean): Connection | null {
  if (findFileSize(path) === null) return null
  try {
    return lockDatabase(path)
  } catch (error) {
    if (!(error instanceof Error && isCorrupt(error))) throw error
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
function changeCopy(unfinishedPath: string): void {
  const copy = connect(unfinishedPath)
  try {
    copy.run("DELETE FROM metadata WHERE name = ?", [movedMetadataKey])
    for (const table of [...authorTables.signIns, ...operatorTables.signIns, "emails", "nodes"])
      copy.run(`DELETE FROM ${table}`)
  } finally {
    copy.close()
  }
}

/** If root restores the database of another user, this user must be able to open it. */
function keepOwner(path: string, unfinishedPath: string): void {
  const { uid, gid } = statSync(existsSync(path) ? path : dirname(path))
  const made = statSync(unfinishedPath)
  if (made.uid !== uid || made.gid !== gid) chownSync(unfinishedPath, uid, gid)
}

/** The path always has a complete database, the old one or the new one. */
function replace(path: string, unfinishedPath: string, suffix: string): string | null {
  const name = chooseFreeName(`${path}.before-restore-${suffix}`)
  // Only a corrupt database has these files. SQLite would read them as parts of the new file.
  for (const end of ["-wal", "-shm", "-journal"]) {
    if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${name}${end}`)
  }
  const isReplaced = existsSync(path)
  if (isReplaced) linkSync(path, name)
  // Unlike a rename, a link never replaces a file that was created concurrently.
  if (isReplaced) renameSync(unfinishedPath, path)
  else linkSync(unfinishedPath, path)
  sync(dirname(path))
  return isReplaced ? name : null
}

/** Returns null if the backup has all changes. */
function describeNewer(store: Connection, backup: Connection): string | null {
  const [version, older] = [versionOf(store), versionOf(backup)]
  if (version > older) return `it has schema version ${version}, the backup ${older}`
  const lastImport = "max(coalesce(finished_at, started_at))"
  const last = findValue<string>(store, "imports", lastImport) ?? ""
  const backupLast = findValue<string>(backup, "imports", lastImport) ?? ""
  if (last > backupLast) {
    return `its last import was at ${last}, the backup's last import ${backupLast === "" ? "never" : `at ${backupLast}`}`
  }
  // These numbers never decrease. Usage counts and sessions are omitted, because they always change.
  const lastId = (connection: Connection, table: string) =>
    findValue<number>(connection, table, "max(id)") ?? 0
  const hasMore = (table: string) => lastId(store, table) > lastId(backup, table)
  if (hasMore("imports")) return "it has a feed that the backup lacks"
  return hasMore("audit_events")
    ? "it has a change by an author or operator that the backup lacks"
    : null
}

function findValue<T>(connection: Connection, table: string, expression: string): T | null {
  if (!hasTable(connection, table)) return null
  const [[value = null] = []] = connection.query(`SELECT ${expression} FROM ${table}`).values()
  // `as`: the caller knows the type of its expression.
  return value as T | null
}

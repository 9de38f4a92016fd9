/**
 * Replaces a database that is not in use with a backup. SQLite cannot leave WAL mode while another connection has the
 * file open, so a successful change of the journal mode proves that the database is not in use. The lock is held until
 * the new file is in place.
 */
import { constants, Database } from "bun:sqlite"
import { chownSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import { UserError } from "../../domain/values/error.ts"
import type { AdmitBackup, InspectedBackup, Restored, RestoreOptions } from "../sql/backup-types.ts"
import { type Moving, moveKeys } from "../sql/move/move-state.ts"
import { listPending, NotPazarDatabase, newestOf } from "../sql/schema-versions.ts"
import { authorTables, operatorTables } from "../sql/sign-in/sign-in-tables.ts"
import { countRows } from "./backup.ts"
import { type Connection, connect, hasTable, versionOf } from "./connection/connection.ts"
import { chooseFreeName, copyAside, listCorruption, sync } from "./connection/copy.ts"
import { asUnavailable, isBusy, isCorrupt } from "./connection/errors.ts"
import { findFileId, findFileSize } from "./connection/file.ts"
import { selectClosing } from "./move-connection.ts"
import { assertPazarDatabase } from "./run-migrations.ts"
import { schema } from "./schema/schema.ts"

/** Throws UserError if the database is in use or newer than the backup, or if the backup is of a moved database. */
export async function restoreSqlite(
  path: string,
  backupPath: string,
  options: RestoreOptions,
): Promise<Restored> {
  const backup = openBackup(path, backupPath)
  try {
    return await restoreFrom(backup, path, backupPath, options)
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    backup.close()
  }
}

async function restoreFrom(
  backup: Connection,
  path: string,
  backupPath: string,
  options: RestoreOptions,
): Promise<Restored> {
  await options.onStage("checking")
  const inspected = await inspect(backup, backupPath, options)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const lock = lockStore(path, options.isForced)
  try {
    const newer = lock === null || options.isForced ? null : describeNewer(lock, backup)
    if (newer !== null) {
      throw new UserError(
        `${path} is newer than the backup: ${newer}; restore with --force to replace it, which keeps the replaced file`,
      )
    }
    await options.onStage("copying")
    const unfinishedPath = copyAside(backup, path)
    try {
      changeCopy(unfinishedPath)
      keepOwner(path, unfinishedPath)
      sync(unfinishedPath)
      return { ...inspected, kept: replace(path, unfinishedPath, options.suffix) }
    } finally {
      rmSync(unfinishedPath, { force: true })
    }
  } finally {
    lock?.close()
  }
}

function openBackup(path: string, backupPath: string): Connection {
  const file = findFileId(backupPath)
  if (file === null) throw new UserError(`file ${backupPath} does not exist`)
  if (file === findFileId(path)) {
    throw new UserError(`${backupPath} is the database itself; set the file of a backup`)
  }
  return new Database(backupPath, { readonly: true, strict: true })
}

/** Runs the checks of a restore. The file is opened as immutable, so that SQLite never creates a log for it. */
export async function inspectSqliteBackup(
  path: string,
  admit: AdmitBackup,
): Promise<InspectedBackup> {
  const url = `${pathToFileURL(path).href}?immutable=1`
  const backup = new Database(url, constants.SQLITE_OPEN_URI | constants.SQLITE_OPEN_READONLY)
  try {
    return await inspect(backup, path, { admit, isForced: false })
  } finally {
    backup.close()
  }
}

async function inspect(
  backup: Connection,
  backupPath: string,
  { admit, isForced }: Pick<RestoreOptions, "admit" | "isForced">,
): Promise<InspectedBackup> {
  const version = assertIntact(backup, backupPath)
  await admit({ find: async (name) => findMetadata(backup, name) })
  const closed = findMetadata(backup, moveKeys.moved) ?? findMetadata(backup, moveKeys.moving)
  // `--force` accepts it, because it may be the only copy left if the new database is lost.
  if (closed !== null && !isForced) {
    const { place, at }: Moving = JSON.parse(closed)
    throw new UserError(
      `${backupPath} is a backup of a database that was moved to ${place} at ${at}, and lacks all changes since then; if the new database is lost, restore the backup with --force`,
    )
  }
  return { version, needed: newestOf(schema), counts: countRows(backup) }
}

/** In 0.12.3 the table was named `marks`. */
const metadataOf = (backup: Connection) => (hasTable(backup, "metadata") ? "metadata" : "marks")

function findMetadata(backup: Connection, name: string): string | null {
  const select = `SELECT value FROM ${metadataOf(backup)} WHERE name = ?`
  return backup.query<{ value: string }, [string]>(select).get(name)?.value ?? null
}

/** Returns the schema version. Throws StoreTooNew for a backup of a newer Pazar. */
function assertIntact(backup: Connection, backupPath: string): number {
  const damaged = (why: string) =>
    new UserError(`${backupPath} is corrupt or not a backup: ${why}; restore another one`)
  try {
    const version = versionOf(backup)
    if (version === 0 || !hasTable(backup, metadataOf(backup))) {
      throw new NotPazarDatabase(`${backupPath} is not a backup of Pazar`)
    }
    listPending(schema, version)
    const [damage] = listCorruption(backup)
    if (damage === undefined) return version
    throw damaged(damage)
  } catch (error) {
    throw error instanceof Error && isCorrupt(error) ? damaged(error.message) : error
  }
}

/** Long enough for another command to end. */
const lockWaitMs = 1_000

/** Returns null if the file is missing, or corrupt and `isForced`. */
function lockStore(path: string, isForced: boolean): Connection | null {
  if (findFileSize(path) === null) return null
  const lock = connect(path)
  try {
    lock.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
    assertPazarDatabase(lock, path)
    lock.run("PRAGMA journal_mode = DELETE")
    lock.run("BEGIN EXCLUSIVE")
    return lock
  } catch (error) {
    lock.close()
    if (isBusy(error)) {
      throw new UserError(
        `${path} is in use; stop every pazar and every other program that has it open, then restore again`,
      )
    }
    if (!isCorrupt(error)) throw error
    if (isForced) return null
    throw new UserError(
      `${path} is corrupt and may be in use; stop every pazar, then restore with --force, which keeps the corrupt file`,
    )
  }
}

function changeCopy(unfinishedPath: string): void {
  const copy = connect(unfinishedPath)
  try {
    reopen(copy)
    deleteSignInsAndNodes(copy)
  } finally {
    copy.close()
  }
}

/** Enables writes in a backup of a moved database. */
function reopen(copy: Connection): void {
  const triggers = copy.query<{ name: string }, []>(selectClosing).all()
  for (const { name } of triggers) copy.run(`DROP TRIGGER "${name}"`)
  copy.run(`DELETE FROM ${metadataOf(copy)} WHERE name IN (?, ?)`, [
    moveKeys.moving,
    moveKeys.moved,
  ])
}

/**
 * A session or link that was ended or used after the backup must not become valid again, and an e-mail must not be sent
 * again. The servers of that time may use another database.
 */
function deleteSignInsAndNodes(copy: Connection): void {
  const tables = [authorTables, operatorTables].flatMap(
    ({ sessions, invitations, signInLinks }) => [sessions, invitations, signInLinks],
  )
  for (const table of [...tables, "emails", "nodes"]) {
    if (table !== null && hasTable(copy, table)) copy.run(`DELETE FROM ${table}`)
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
  if (isReplaced) {
    linkSync(path, name)
    renameSync(unfinishedPath, path)
  } else {
    // Unlike a rename, a link never replaces a file that was created concurrently.
    linkSync(unfinishedPath, path)
  }
  sync(dirname(path))
  return isReplaced ? name : null
}

/** These numbers never decrease. Usage counts and sessions are omitted, because they always change. */
const counters = [
  { table: "imports", change: "a feed" },
  { table: "audit_events", change: "a change by an author or operator" },
]

/** Returns null if the backup has all changes. */
function describeNewer(store: Connection, backup: Connection): string | null {
  const [version, older] = [versionOf(store), versionOf(backup)]
  if (version > older) return `it has schema version ${version}, the backup ${older}`
  const [last, backupLast] = [findLastImport(store), findLastImport(backup)]
  if (last > backupLast) {
    return `its last import was at ${last}, the backup's last import ${backupLast === "" ? "never" : `at ${backupLast}`}`
  }
  const grown = counters.find(({ table }) => findLastId(store, table) > findLastId(backup, table))
  return grown === undefined ? null : `it has ${grown.change} that the backup lacks`
}

const findLastId = (connection: Connection, table: string) =>
  findValue<number>(connection, table, "max(id)") ?? 0

const findLastImport = (connection: Connection) =>
  findValue<string>(connection, "imports", "max(coalesce(finished_at, started_at))") ?? ""

/** Returns null if the table is missing or empty. */
function findValue<T>(connection: Connection, table: string, expression: string): T | null {
  if (!hasTable(connection, table)) return null
  return (
    connection.query<{ value: T | null }, []>(`SELECT ${expression} AS value FROM ${table}`).get()
      ?.value ?? null
  )
}

/**
 * Puts a backup in the place of a store that is not in use. SQLite refuses to leave the write-ahead log
 * while any other connection of any process has the file open, and a killed process keeps no lock. So a
 * successful change of the journal mode proves that the store is not in use. The lock is held until
 * the new file is at the path.
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
    if (lock !== null && !options.isForced) assertNotNewer(lock, backup, path)
    await options.onStage("copying")
    const aside = copyAside(backup, path)
    try {
      changeCopy(aside, reopen)
      changeCopy(aside, forgetVisitorsAndNodes)
      keepOwner(path, aside)
      sync(aside)
      return { ...inspected, kept: replace(path, aside, options.suffix) }
    } finally {
      rmSync(aside, { force: true })
    }
  } finally {
    lock?.close()
  }
}

/** Opened read-only: a backup stays as it is. */
function openBackup(path: string, backupPath: string): Connection {
  const file = findFileId(backupPath)
  if (file === null) throw new UserError(`there is no file ${backupPath}`)
  if (file === findFileId(path)) {
    throw new UserError(`${backupPath} is the store itself; name the backup to restore`)
  }
  return new Database(backupPath, { readonly: true, strict: true })
}

/**
 * Checks a backup as a restore does. The file counts as immutable: else SQLite would create a log beside a copy that
 * another program has made.
 */
export async function inspectSqliteBackup(
  path: string,
  admit: AdmitBackup,
): Promise<InspectedBackup> {
  const address = `${pathToFileURL(path).href}?immutable=1`
  const backup = new Database(address, constants.SQLITE_OPEN_URI | constants.SQLITE_OPEN_READONLY)
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
  const version = assertSound(backup, backupPath)
  await admit({ find: async (name) => findMetadata(backup, name) })
  const closed = findMetadata(backup, moveKeys.moved) ?? findMetadata(backup, moveKeys.moving)
  // It may be the only copy that is left, if the new database is lost.
  if (closed !== null && !isForced) {
    const { place, at }: Moving = JSON.parse(closed)
    throw new UserError(
      `${backupPath} was made after a move to ${place} closed its database, at ${at}, and lacks all changes since then. If the new database is lost, restore this one with --force`,
    )
  }
  return { version, needed: newestOf(schema), counts: countRows(backup) }
}

/** A backup of 0.12.3 has another name for it. */
const metadataOf = (backup: Connection) => (hasTable(backup, "metadata") ? "metadata" : "marks")

function findMetadata(backup: Connection, name: string): string | null {
  const select = `SELECT value FROM ${metadataOf(backup)} WHERE name = ?`
  return backup.query<{ value: string }, [string]>(select).get(name)?.value ?? null
}

/** Returns the version of its tables. Throws StoreTooNew for a backup of a newer program. */
function assertSound(backup: Connection, backupPath: string): number {
  const damaged = (why: string) =>
    new UserError(`${backupPath} is damaged, or no backup: ${why}. Restore another one`)
  try {
    const version = versionOf(backup)
    if (version === 0 || !hasTable(backup, metadataOf(backup))) {
      throw new NotPazarDatabase(`${backupPath} is no backup of an embedded store`)
    }
    listPending(schema, version)
    const [damage] = listCorruption(backup)
    if (damage === undefined) return version
    throw damaged(damage)
  } catch (error) {
    throw error instanceof Error && isCorrupt(error) ? damaged(error.message) : error
  }
}

/** A command that runs beside this one ends soon; a server does not. */
const lockWaitMs = 1_000

/** Null where there is no store, or a damaged one that may be replaced. */
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
        `${path} is in use: stop every pazar and every other program that has it open, then restore again`,
      )
    }
    if (!isCorrupt(error)) throw error
    if (isForced) return null
    throw new UserError(
      `${path} is damaged, so this cannot tell whether it is in use. Stop every pazar, then restore with --force; the damaged file is kept`,
    )
  }
}

function assertNotNewer(store: Connection, backup: Connection, path: string): void {
  const newer = describeNewer(store, backup)
  if (newer === null) return
  throw new UserError(
    `${path} is newer than the backup: ${newer}. With --force the backup replaces it; the replaced store is kept beside it`,
  )
}

function changeCopy(aside: string, change: (copy: Connection) => void): void {
  const copy = connect(aside)
  try {
    change(copy)
  } finally {
    copy.close()
  }
}

/** The copy accepts writes, also if a move has closed its database. */
function reopen(copy: Connection): void {
  const triggers = copy.query<{ name: string }, []>(selectClosing).all()
  for (const { name } of triggers) copy.run(`DROP TRIGGER "${name}"`)
  copy.run(`DELETE FROM ${metadataOf(copy)} WHERE name IN (?, ?)`, [
    moveKeys.moving,
    moveKeys.moved,
  ])
}

/**
 * A session or link that was ended or used after the backup must not become valid again, and the servers of that time
 * may have another store.
 */
function forgetVisitorsAndNodes(copy: Connection): void {
  const tables = [authorTables, operatorTables].flatMap((of) => [
    of.sessions,
    of.invitations,
    of.signInLinks,
  ])
  for (const table of [...tables, "nodes"]) {
    if (table !== null && hasTable(copy, table)) copy.run(`DELETE FROM ${table}`)
  }
}

/** An administrator restores the store of another user, who must be able to open it. */
function keepOwner(path: string, aside: string): void {
  const { uid, gid } = statSync(existsSync(path) ? path : dirname(path))
  const made = statSync(aside)
  if (made.uid !== uid || made.gid !== gid) chownSync(aside, uid, gid)
}

/** There is a whole store at the path at every moment, the old one or the new one. */
function replace(path: string, aside: string, suffix: string): string | null {
  const name = chooseFreeName(`${path}.before-restore-${suffix}`)
  // Only a damaged store has these: SQLite would read them as parts of the new file.
  for (const end of ["-wal", "-shm", "-journal"]) {
    if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${name}${end}`)
  }
  const isThere = existsSync(path)
  if (isThere) {
    linkSync(path, name)
    renameSync(aside, path)
  } else {
    // Unlike a rename, a link never replaces a store that was created meanwhile.
    linkSync(aside, path)
  }
  sync(dirname(path))
  return isThere ? name : null
}

/** Each number only grows in the life of a store. Usage counts and sessions are left out on purpose. */
const counters = [
  { table: "imports", count: "max(id)", change: "a feed" },
  { table: "audit_events", count: "max(id)", change: "a change by an author or operator" },
] as const

/** Null when the store has nothing that the backup lacks. */
function describeNewer(store: Connection, backup: Connection): string | null {
  const [version, older] = [versionOf(store), versionOf(backup)]
  if (version > older) return `it is at version ${version}, the backup at ${older}`
  const [newest, known] = [findLastImport(store), findLastImport(backup)]
  if (newest > known) {
    return `its last import was at ${newest}, that of the backup ${known === "" ? "never" : `at ${known}`}`
  }
  const grown = counters.find((each) => readCounter(store, each) > readCounter(backup, each))
  return grown === undefined ? null : `it has ${grown.change} that the backup lacks`
}

function readCounter(connection: Connection, { table, count }: (typeof counters)[number]): number {
  return findValue<number>(connection, table, count) ?? 0
}

/** Empty when there was none. */
const findLastImport = (connection: Connection) =>
  findValue<string>(connection, "imports", "max(coalesce(finished_at, started_at))") ?? ""

/** Null also where an older or empty store has no such table. */
function findValue<T>(connection: Connection, table: string, expression: string): T | null {
  if (!hasTable(connection, table)) return null
  return (
    connection.query<{ value: T | null }, []>(`SELECT ${expression} AS value FROM ${table}`).get()
      ?.value ?? null
  )
}

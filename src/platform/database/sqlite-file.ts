/**
 * The database file. Only SQLite may open it, its `-wal` or its `-shm` file: POSIX locks belong to the process, and
 * closing any other descriptor of the file would drop the locks of SQLite. So this code only reads file metadata.
 */
import type { Database } from "bun:sqlite"
import { randomBytes } from "node:crypto"
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { hasErrorCode, StoreUnavailable, UserError } from "../error.ts"

/**
 * The returned function throws StoreUnavailable if a file was moved, deleted or replaced since this call. A restore may
 * replace the database while SQLite waits for its lock, so the first call is before SQLite opens the file.
 */
export function watchFiles(...names: readonly string[]): () => void {
  const files = names.map((name) => ({ name, opened: findFileId(name) }))
  return () => {
    for (const { name, opened } of files) {
      if (findFileId(name) === opened) continue
      throw new StoreUnavailable(
        `${name} was moved, deleted or replaced while it was open, so writes are disabled; put it back or stop this process, then start again`,
      )
    }
  }
}

export function findFileId(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Throws UserError if `target` is a file of the database: writing it would destroy the database. */
export function assertNotOwnFile(path: string, target: string): void {
  const ownIds = ["", "-wal", "-shm", ".master-key"].map((end) => findFileId(`${path}${end}`))
  const targetId = findFileId(target)
  if (targetId !== null && ownIds.includes(targetId)) {
    throw new UserError(`${target} is a file of the database; choose another file name`)
  }
}

export const findFileSize = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.size ?? null

/**
 * Creates an empty file with mode 0600, which SQLite also gives to its `-wal` and `-shm` files. Opening is safe here,
 * because a new file has no locks.
 */
export function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, "wx", 0o600))
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error
  }
}

/** File names of unfinished copies and their SQLite journals. */
const unfinished = /\.unfinished-[0-9a-f]{12}(-journal)?$/
/** Counted from the last write. Longer than the verification of any copy takes. */
const abandonedAfterMs = 3_600_000

/** Returns a unique file name in the folder of `target`. */
export const chooseUnfinishedName = (target: string): string =>
  `${target}.unfinished-${randomBytes(6).toString("hex")}`

export function removeUnfinished(unfinishedPath: string): void {
  for (const end of ["", "-journal"]) rmSync(`${unfinishedPath}${end}`, { force: true })
}

/**
 * Writes a copy under a temporary name in the folder of `target` and returns the name. The caller renames the file.
 * Deletes abandoned copies in the folder.
 */
export function copyAside(
  source: Database,
  target: string,
  unfinishedPath = chooseUnfinishedName(target),
): string {
  // VACUUM INTO would create a file that everybody can read, but also accepts an empty file.
  createFile(unfinishedPath)
  removeAbandoned(dirname(target), statSync(unfinishedPath).mtimeMs)
  try {
    source.query("VACUUM INTO ?").run(unfinishedPath)
    return unfinishedPath
  } catch (cause) {
    removeUnfinished(unfinishedPath)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StoreUnavailable(`the database could not be copied: ${why}`, { cause })
  }
}

/** `nowMs` is the time of the file system. */
function removeAbandoned(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    if (!unfinished.test(name)) continue
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    if (found !== undefined && nowMs - found.mtimeMs > abandonedAfterMs) {
      rmSync(join(folder, name), { force: true })
    }
  }
}

/** Returns `wanted`, or `wanted-2` and so on if the file exists: an earlier copy may be the only one left. */
export function chooseFreeName(wanted: string): string {
  let name = wanted
  for (let turn = 2; findFileSize(name) !== null; turn++) name = `${wanted}-${turn}`
  return name
}

/** Renames a complete copy, which SQLite must not have open. After a power failure, the file is old or new. */
export function putInPlace(unfinishedPath: string, target: string): void {
  sync(unfinishedPath)
  renameSync(unfinishedPath, target)
  sync(dirname(target))
}

function sync(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Returns at most a hundred problems. Reads the whole file. */
export function listCorruption(connection: Database): readonly string[] {
  const rows = connection.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  return rows.map((row) => row.integrity_check).filter((found) => found !== "ok")
}

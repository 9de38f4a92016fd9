/**
 * The database file in the file system. Only SQLite may open it, its `-wal` or its `-shm` while
 * the process runs: POSIX locks belong to the process, and closing any other descriptor of the file
 * drops the locks SQLite holds for every thread. So this code only reads the metadata of files.
 */
import { closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StoreUnavailable } from "../../../domain/store.ts"
import { hasErrorCode, UserError } from "../../../domain/values/error.ts"

/** Throws StoreUnavailable unless the files at the path are still the ones that were opened. */
type AssertInPlace = () => void

/** Called once SQLite has the file open and has read from it, which makes the `-wal` beside it. */
export const watchFile = (path: string): AssertInPlace => watchAll([path, `${path}-wal`])

/**
 * Called before SQLite opens the file. A restore may replace the file while SQLite waits for its lock; the
 * connection then leads to the replaced one, to which SQLite refuses to write.
 */
export const watchDatabase = (path: string): AssertInPlace => watchAll([path])

function watchAll(names: readonly string[]): AssertInPlace {
  const files = names.map((name) => ({ name, opened: findFileId(name) }))
  return () => {
    for (const { name, opened } of files) {
      if (findFileId(name) === opened) continue
      throw new StoreUnavailable(
        `${name} is no longer the file that was opened: it was moved, deleted or replaced. Nothing is written any more; put it back or stop this process, then start again`,
      )
    }
  }
}

/** Null where there is no file. */
export function findFileId(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Throws RefusedError where `target` is a file of the store at `path`: writing it would destroy the store. */
export function assertNotOwnFile(path: string, target: string): void {
  const own = ["", "-wal", "-shm", ".master-key"].map((end) => findFileId(`${path}${end}`))
  const found = findFileId(target)
  if (found !== null && own.includes(found)) {
    throw new UserError(`${target} belongs to the store itself; name another file`)
  }
}

/** Null where there is no file. */
export const findFileSize = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.size ?? null

/**
 * Creates an empty file that only its owner can read, and its folder if it is missing; SQLite
 * gives the files beside it the same mode. Opening is safe here: there is no lock on a file that
 * does not exist yet.
 */
export function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, "wx", 0o600))
  } catch (error) {
    const isThere = hasErrorCode(error, "EEXIST")
    if (!isThere) throw error
  }
}

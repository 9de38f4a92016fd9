/**
 * The database file. Only SQLite may open it, its `-wal` or its `-shm` file: POSIX locks belong to the process, and
 * closing any other descriptor of the file would drop the locks of SQLite. So this code only reads file metadata.
 */
import { closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StoreUnavailable } from "../../../domain/store.ts"
import { hasErrorCode, UserError } from "../../../domain/values/error.ts"

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

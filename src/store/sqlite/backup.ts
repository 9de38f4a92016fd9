/** Writes a backup of a database that may be in use. The copy is renamed into place after it has been verified. */
import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StoreUnavailable } from "../../domain/store.ts"
import type { RowCounts } from "../../domain/usage/operator-reads.ts"
import { hasErrorCode, UserError } from "../../domain/values/error.ts"
import type { BackedUp, BackUpOptions } from "../sql/backup-types.ts"
import { selectCounts } from "../sql/usage/operator-read-queries.ts"
import { type Connection, connect, openConnection } from "./connection/connection.ts"
import { copyAside, listCorruption, sync } from "./connection/copy.ts"
import { assertNotOwnFile } from "./connection/file.ts"

export async function backUpSqlite(
  path: string,
  target: string,
  { mayOverwrite, unfinished, onStage }: BackUpOptions,
): Promise<BackedUp> {
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
    rmSync(unfinishedPath, { force: true })
  }
}

/** Called before the copy, which takes long. */
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

export function countRows(connection: Connection): RowCounts {
  const counts = connection.query<RowCounts, []>(selectCounts).get()
  if (counts === null) throw new Error("a SELECT without FROM returned no row")
  return counts
}

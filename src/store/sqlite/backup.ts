/** Writes a backup of a store that may be in use: a consistent copy, checked before it gets its name. */
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
  let aside: string
  try {
    await onStage("copying")
    aside = copyAside(source, target, unfinished)
  } finally {
    source.close()
  }
  try {
    await onStage("checking")
    const counts = checkCopy(aside)
    sync(aside)
    const { size: bytes } = statSync(aside)
    moveInto(aside, target, mayOverwrite)
    sync(dirname(target))
    return { bytes, counts }
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Before the copy, which takes long. */
function assertWritable(path: string, target: string, mayOverwrite: boolean): void {
  const folder = dirname(target)
  // A folder is not created: its volume may not be mounted.
  if (!existsSync(folder)) throw new UserError(`there is no folder ${folder}`)
  const found = statSync(target, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isFile()) throw new UserError(`${target} is no file`)
  if (!mayOverwrite) throw takenName(target)
  assertNotOwnFile(path, target)
}

const takenName = (target: string) =>
  new UserError(`${target} is there already; name another file, or give --overwrite`)

function moveInto(aside: string, target: string, mayOverwrite: boolean): void {
  if (mayOverwrite) renameSync(aside, target)
  else linkIntoPlace(aside, target)
}

/** The errors of file systems without hard links, such as exFAT, SMB and FUSE. */
const noLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]

/** Unlike a rename, a link never replaces a file that another backup has made meanwhile. */
export function linkIntoPlace(aside: string, target: string, link = linkSync): void {
  try {
    link(aside, target)
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) throw takenName(target)
    if (!noLinks.some((code) => hasErrorCode(error, code))) throw error
    if (existsSync(target)) throw takenName(target)
    renameSync(aside, target)
  }
}

function checkCopy(aside: string): RowCounts {
  const copy = connect(aside)
  try {
    const [damage] = listCorruption(copy)
    if (damage === undefined) return countRows(copy)
    throw new StoreUnavailable(
      `the copy is damaged and was removed: ${damage}. Check the disk, and the store with \`pazar doctor\``,
    )
  } finally {
    copy.close()
  }
}

export function countRows(connection: Connection): RowCounts {
  const counts = connection.query<RowCounts, []>(selectCounts).get()
  if (counts === null) throw new Error("counting gives a row")
  return counts
}

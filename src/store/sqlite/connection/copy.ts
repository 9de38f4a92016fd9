import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { StoreUnavailable } from "../../../domain/store.ts"
import type { Connection } from "./connection.ts"
import { createFile, findFileSize } from "./file.ts"

/** File names of unfinished copies and their SQLite journals. */
const unfinished = /\.unfinished-[0-9a-f]{12}(-journal)?$/
/** Longer than any copy takes. */
const abandonedAfterMs = 24 * 3_600_000

/** Returns a unique file name in the folder of `target`. */
export const chooseUnfinishedName = (target: string): string =>
  `${target}.unfinished-${randomBytes(6).toString("hex")}`

/** Deletes an abandoned copy. */
export function removeUnfinished(unfinishedPath: string): void {
  for (const end of ["", "-journal"]) rmSync(`${unfinishedPath}${end}`, { force: true })
}

/**
 * Writes a copy under a temporary name in the folder of `target` and returns the name. The caller renames the file.
 * Deletes abandoned copies in the folder.
 */
export function copyAside(
  source: Connection,
  target: string,
  unfinishedPath = chooseUnfinishedName(target),
): string {
  removeAbandoned(dirname(target))
  // VACUUM INTO would create a file that everybody can read, but also accepts an empty file.
  createFile(unfinishedPath)
  try {
    source.query("VACUUM INTO ?").run(unfinishedPath)
    return unfinishedPath
  } catch (cause) {
    rmSync(unfinishedPath, { force: true })
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StoreUnavailable(`the database could not be copied: ${why}`, { cause })
  }
}

function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!unfinished.test(name)) continue
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    if (found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs) {
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

/** Flushes a file or folder to disk. Must not be called for a file that SQLite has open: see file.ts. */
export function sync(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Returns at most a hundred problems. Reads the whole file. */
export function listCorruption(connection: Connection): readonly string[] {
  const rows = connection.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  return rows.map((row) => row.integrity_check).filter((found) => found !== "ok")
}

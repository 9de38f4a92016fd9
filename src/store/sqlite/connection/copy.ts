/** Whole copies of a database, for backups and migrations. */
import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { StoreUnavailable } from "../../../domain/store.ts"
import type { Connection } from "./connection.ts"
import { createFile, findFileSize } from "./file.ts"

/** SQLite writes a journal beside it. */
const unfinished = /\.unfinished-[0-9a-f]{12}(-journal)?$/
/** Longer than any copy takes: a younger one may still be written. */
const abandonedAfterMs = 24 * 3_600_000

/** Of a copy that is not complete, beside `target`: another one for each call. */
export const chooseUnfinishedName = (target: string): string =>
  `${target}.unfinished-${randomBytes(6).toString("hex")}`

/** Of a copy that was given up. */
export function removeUnfinished(aside: string): void {
  for (const end of ["", "-journal"]) rmSync(`${aside}${end}`, { force: true })
}

/**
 * Writes a copy under a temporary name beside `target`, and returns that name. The caller renames it when
 * it is complete. Removes what interrupted copies have left in that folder.
 */
export function copyAside(
  source: Connection,
  target: string,
  aside = chooseUnfinishedName(target),
): string {
  removeAbandoned(dirname(target))
  // VACUUM INTO would create the file readable for everybody; into an empty one it writes as well.
  createFile(aside)
  try {
    source.query("VACUUM INTO ?").run(aside)
    return aside
  } catch (cause) {
    rmSync(aside, { force: true })
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StoreUnavailable(`the store could not be copied: ${why}`, { cause })
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

/** Never overwrites an earlier copy: it may be the only one left. */
export function chooseFreeName(wanted: string): string {
  let name = wanted
  for (let turn = 2; findFileSize(name) !== null; turn++) name = `${wanted}-${turn}`
  return name
}

/** Of a file or a folder. Never call it for a file that SQLite has open: see file.ts. */
export function sync(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Every problem that SQLite finds, at most a hundred. Reads the whole file. */
export function listCorruption(connection: Connection): readonly string[] {
  const rows = connection.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  return rows.map((row) => row.integrity_check).filter((found) => found !== "ok")
}

import { afterAll } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../program.ts"

/** Returns paths for databases, in a folder that is removed after the tests of the file. */
export function createSqlitePaths(): () => string {
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true }))
  let databases = 0
  return () => join(folder, `${++databases}.db`)
}

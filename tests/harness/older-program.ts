/** An older version of the program, from its commit. */
import { spawnSync } from "node:child_process"
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { Launcher } from "./command.ts"
import { root } from "./deploy-files.ts"

/** 0.12.3, the oldest version that can be upgraded. */
export const oldestCommit = "48bbd790"

export function extractOlder(folder: string, commit = oldestCommit): Launcher {
  const older = join(folder, "older")
  mkdirSync(older)
  const archive = `git -C '${root}' archive ${commit} | tar x -C '${older}'`
  if (spawnSync("sh", ["-c", archive]).status !== 0) throw new Error(`there is no commit ${commit}`)
  symlinkSync(join(root, "node_modules"), join(older, "node_modules"))
  return ["node", join(older, "bin/pazar.mjs")]
}

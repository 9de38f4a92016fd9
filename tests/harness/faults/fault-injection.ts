/** Faults of the machine, injected into a server. Needs a C compiler, so only tests/soak uses it. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Environment } from "../../../src/config/settings.ts"

export type FaultInjection = Readonly<{
  /** The environment of the server. */
  env: Environment
  start(fault: Fault): void
  stop(fault: Fault): void
}>
type Fault = "fsync" | "read-only"

const source = join(import.meta.dir, "fault-injection.c")

export function prepareFaults(folder: string): FaultInjection {
  const switches = join(folder, "faults")
  const library = join(folder, "fault-injection.so")
  mkdirSync(switches)
  const compiler = ["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]
  if (!Bun.spawnSync(compiler, { stderr: "inherit" }).success) throw new Error("cc failed")
  const at = (fault: string) => join(switches, fault)
  return {
    env: { LD_PRELOAD: library, FAULTS_FOLDER: switches },
    start: (fault) => writeFileSync(at(fault), ""),
    stop: (fault) => rmSync(at(fault)),
  }
}

import { afterAll, beforeAll } from "bun:test"
import { type Program, startProgram } from "../program.ts"
import { storeKinds } from "./test-stores.ts"

/** Starts a program on each kind of database for the tests of a file. The list is empty until the tests run. */
export function startOnBothStores(): readonly Program[] {
  const programs: Program[] = []
  beforeAll(async () => {
    const environments = await Promise.all(storeKinds.map((kind) => kind.createEnvironment()))
    const started = environments.map((env) => startProgram({ LOG_LEVEL: "silent", ...env }))
    programs.push(...(await Promise.all(started)))
  })
  afterAll(async () => {
    for (const program of programs) await program.close()
  })
  return programs
}

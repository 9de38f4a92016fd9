import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import type { Environment } from "../../src/platform/cli/command.ts"
import { marketplace } from "../harness/feed/arbitraries.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { createMigratedStore } from "../harness/stores/test-stores.ts"

const start = (env: Environment = {}) => startProgram({ LOG_LEVEL: "error", ...env })

let embedded: Program
let grown: Program
beforeAll(async () => {
  embedded = await start()
  grown = await start(await createMigratedStore())
})
afterAll(async () => {
  await embedded.close()
  await grown.close()
})

test("export, import into the other database, export: identical bytes, in both directions", async () => {
  await fc.assert(
    fc.asyncProperty(marketplace, async (lines) => {
      await embedded.load(lines)
      const feed = await embedded.dump()
      const { rejectedLines } = await grown.load(feed)
      expect(rejectedLines).toEqual([])
      expect(await grown.dump()).toBe(feed)
    }),
    { numRuns: 15 },
  )
  const everything = await grown.dump()
  const back = await start()
  await back.load(everything)
  expect(await back.dump()).toBe(everything)
  await back.close()
})

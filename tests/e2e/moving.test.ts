/** Growing out of one machine: what SQLite exports, PostgreSQL takes, and gives back byte for byte. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { marketplace } from "../harness/arbitraries.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { type StoreKind, storeKinds } from "../harness/stores.ts"

const kinds = storeKinds()
afterAll(async () => {
  for (const kind of kinds) await kind.stop()
})

async function start(kind: StoreKind | undefined): Promise<Program> {
  return startProgram({ LOG_LEVEL: "error", ...(await kind?.createEnvironment()) })
}

let embedded: Program
let grown: Program
beforeAll(async () => {
  embedded = await start(kinds[0])
  grown = await start(kinds[1])
})
afterAll(async () => {
  await embedded.close()
  await grown.close()
})

test("export, import into the other, export: identical bytes, both ways", async () => {
  await fc.assert(
    fc.asyncProperty(marketplace, async (lines) => {
      await embedded.load(lines)
      const feed = await embedded.dump()
      const { refused } = await grown.load(feed)
      expect(refused).toEqual([])
      expect(await grown.dump()).toBe(feed)
    }),
    { numRuns: 15 },
  )
  const everything = await grown.dump()
  const back = await start(kinds[0])
  await back.load(everything)
  expect(await back.dump()).toBe(everything)
  await back.close()
})

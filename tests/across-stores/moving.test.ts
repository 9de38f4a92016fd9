/** PostgreSQL imports an export of SQLite and exports the same bytes. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import type { Environment } from "../../src/config/config.ts"
import { createTravelVault } from "../../src/secrets/vaults.ts"
import { account } from "../../src/store/contracts/records.ts"
import { heldKey, marketplace } from "../harness/feed/arbitraries.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { createPostgresStore } from "../harness/stores/stores.ts"

const master = Buffer.alloc(32, 7)

const start = (env: Environment = {}) =>
  startProgram({ LOG_LEVEL: "error", ...env, PAZAR_MASTER_KEY: master.toString("base64") })

let embedded: Program
let grown: Program
beforeAll(async () => {
  embedded = await start()
  grown = await start(await createPostgresStore())
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
  const back = await start()
  await back.load(everything)
  expect(await back.dump()).toBe(everything)
  await back.close()
})

test("the same with keys in any state", async () => {
  const usernames = ["elif", "Elif", "çağla 😀"]
  const keys = fc.array(heldKey(createTravelVault(master), usernames), { maxLength: 8 })
  await embedded.load(usernames.map((username) => account(username)))
  await fc.assert(
    fc.asyncProperty(keys, async (held) => {
      await embedded.load(held.map(({ line }) => line))
      const feed = await embedded.dumpWithKeys()
      expect((await grown.load(feed)).refused).toEqual([])
      expect(await grown.dumpWithKeys()).toBe(feed)
    }),
    { numRuns: 15 },
  )
  const everything = await grown.dumpWithKeys()
  const back = await start()
  expect((await back.load(everything)).refused).toEqual([])
  expect(await back.dumpWithKeys()).toBe(everything)
  await back.close()
})

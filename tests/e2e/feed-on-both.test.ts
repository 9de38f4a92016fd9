/**
 * A batch has the same fate on both stores, record by record, whatever stands in it: PostgreSQL
 * takes long runs as one statement, and nobody may notice.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import type { FeedRecord } from "../../src/domain/feed.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { put } from "../harness/store-records.ts"
import { storeKinds } from "../harness/stores.ts"

let programs: readonly Program[]
beforeAll(async () => {
  const environments = await Promise.all(storeKinds.map((kind) => kind.createEnvironment()))
  programs = await Promise.all(
    environments.map((env) => startProgram({ LOG_LEVEL: "silent", ...env })),
  )
})
afterAll(async () => {
  for (const program of programs) await program.close()
})

const usernames = ["ada", "bob", "cyd"]
const username = fc.constantFrom(...usernames)
const itemId = fc.integer({ min: 1, max: 14 })
const code = fc.integer({ min: 1, max: 40 }).map((n) => (n % 5 === 0 ? `CODE-${n}` : `code-${n}`))
const text = fc.constantFrom("one", "two")

/** Keys and passwords are taken one by one on both. */
type CatalogueType = Exclude<FeedRecord["type"], "key" | "password">

// Few of everything, so that records meet: twice in a batch, before what they refer to, moved.
const recordsOf: Readonly<Record<CatalogueType, fc.Arbitrary<FeedRecord>>> = {
  account: fc.record({
    type: fc.constant("account"),
    account: fc.record({ username, body: text.map((email) => JSON.stringify({ email })) }),
    key: fc.constant(null),
  }),
  item: fc.record({
    type: fc.constant("item"),
    item: fc.record({
      id: itemId,
      author: fc.oneof({ weight: 20, arbitrary: username }, { weight: 1, arbitrary: text }),
      isHidden: fc.boolean(),
      body: text.map((name) => JSON.stringify({ name })),
    }),
  }),
  purchase: fc.record({
    type: fc.constant("purchase"),
    purchase: fc.record({
      code,
      itemId,
      isRevoked: fc.boolean(),
      beforeItem: text.map((licence) => `{"license_type":"${licence}","item":`),
      afterItem: text.map((date) => `,"date":"${date}"}`),
    }),
  }),
  "deleted account": fc.record({ type: fc.constant("deleted account"), username }),
  "deleted item": fc.record({ type: fc.constant("deleted item"), id: itemId }),
  "deleted purchase": fc.record({ type: fc.constant("deleted purchase"), code }),
}

const short = { maxLength: 3 }
const long = { minLength: 5, maxLength: 40 }
const batch = fc
  .array(
    fc.oneof(
      fc.array(recordsOf.account, short),
      fc.array(recordsOf.item, long),
      fc.array(recordsOf.purchase, long),
      fc.array(fc.oneof(...Object.values(recordsOf)), short),
    ),
    { maxLength: 8 },
  )
  .map((stretches) => stretches.flat())

async function listVersions({ app: { store } }: Program): Promise<readonly unknown[]> {
  const accounts = await Promise.all(usernames.map((name) => store.accounts.findByUsername(name)))
  const lists = await Promise.all(accounts.map((found) => found && store.items.findList(found.id)))
  return lists.map((list) => list?.version)
}

/** What a batch did, in everybody's eyes. */
async function outcomeOf(program: Program, records: readonly FeedRecord[]) {
  const before = await listVersions(program)
  const fates = await put(program.app.store, ...records)
  const after = await listVersions(program)
  const changedLists = usernames.filter((_, index) => before[index] !== after[index])
  return { fates, changedLists, stored: await program.dump() }
}

test("fates, contents and changed lists are the same", async () => {
  let refused = 0
  await fc.assert(
    fc.asyncProperty(batch, async (records) => {
      const [embedded, grown] = await Promise.all(
        programs.map((program) => outcomeOf(program, records)),
      )
      expect(grown).toEqual(embedded)
      refused += embedded?.fates.filter((fate) => fate !== null).length ?? 0
    }),
    { numRuns: 100 },
  )
  expect(refused).toBeGreaterThan(100)
})

import { expect, test } from "bun:test"
import fc from "fast-check"
import type { FeedRecord, Verdict } from "../../src/feed/feed-record.ts"
import type { PatchFields } from "../../src/platform/schema.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import type { Program } from "../harness/program.ts"
import { audioMedia, plainMedia } from "../harness/records.ts"
import { startOnBothStores } from "../harness/stores/on-both-stores.ts"
import { itemBody, plainVerdicts, put, withoutLimits } from "../harness/stores/store-records.ts"

const programs = startOnBothStores()

const usernames = ["ada", "bob", "cyd"]
const username = fc.constantFrom(...usernames)
const itemId = fc.integer({ min: 1, max: 14 })
const code = fc.integer({ min: 1, max: 40 }).map((n) => (n % 5 === 0 ? `CODE-${n}` : `code-${n}`))
const text = fc.constantFrom("one", "two")

// Few ids, so that records conflict: duplicates in a batch, references before their target, moves.
const recordsOf: Readonly<Record<FeedRecord["type"], fc.Arbitrary<FeedRecord>>> = {
  account: fc.record({
    type: fc.constant("account"),
    account: fc.record({
      username,
      isSuspended: fc.boolean(),
      body: text.map((email) => JSON.stringify({ email })),
    }),
    key: fc.constant(null),
  }),
  item: fc.record({
    type: fc.constant("item"),
    item: fc.record({
      id: itemId,
      author: fc.oneof({ weight: 20, arbitrary: username }, { weight: 1, arbitrary: text }),
      isHidden: fc.boolean(),
      body: fc.constantFrom(plainMedia, audioMedia).map((media) => itemBody(1, media)),
    }),
  }),
  purchase: fc.record({
    type: fc.constant("purchase"),
    purchase: fc.record({
      code,
      itemId,
      isRevoked: fc.boolean(),
      buyer: fc.option(text),
      beforeItem: text.map((licence) => `{"price":1,"currency":"${licence}","item":`),
      afterItem: text.map((date) => `,"date":"${date}"}`),
    }),
  }),
  "patched account": fc.record({
    type: fc.constant("patched account"),
    username,
    fields: text.map((email) => ({ email })),
    key: fc.constant(null),
  }),
  "patched item": fc.record(
    {
      type: fc.constant("patched item"),
      id: itemId,
      author: username,
      isHidden: fc.boolean(),
      fields: fc.constantFrom<PatchFields>(
        { name: "one" },
        { media: { preview_image: null, screenshots: null } },
        { media: { preview_audio: null } },
        { media: audioMedia },
        { media: { ...plainMedia, preview_audio: null } },
      ),
    },
    { requiredKeys: ["type", "id", "fields"] },
  ),
  "patched purchase": fc.record(
    {
      type: fc.constant("patched purchase"),
      code,
      itemId,
      isRevoked: fc.boolean(),
      buyer: fc.constantFrom("one", "two", null),
      fields: text.map((license_type) => ({ license_type })),
    },
    { requiredKeys: ["type", "code", "fields"] },
  ),
  "deleted account": fc.record({ type: fc.constant("deleted account"), username }),
  "deleted item": fc.record({ type: fc.constant("deleted item"), id: itemId }),
  "deleted purchase": fc.record({ type: fc.constant("deleted purchase"), code }),
  mentioned: fc.oneof(
    fc.record({ type: fc.constant("mentioned"), kind: fc.constant("account"), identity: username }),
    fc.record({
      type: fc.constant("mentioned"),
      kind: fc.constant("item"),
      identity: itemId.map(String),
    }),
    fc.record({ type: fc.constant("mentioned"), kind: fc.constant("purchase"), identity: code }),
  ),
}

const short = { maxLength: 3 }
const long = { minLength: 5, maxLength: 40 }
const batch = fc
  .array(
    fc.oneof(
      fc.array(recordsOf.account, short),
      fc.array(recordsOf.item, long),
      fc.array(recordsOf.purchase, long),
      fc.array(fc.oneof(...Object.values(recordsOf)), long),
    ),
    { maxLength: 8 },
  )
  .map((stretches) => stretches.flat())

async function listVersions({ app: { store } }: Program): Promise<readonly unknown[]> {
  const accounts = await Promise.all(usernames.map((name) => store.accounts.findByUsername(name)))
  const lists = await Promise.all(accounts.map((found) => found && store.items.findList(found.id)))
  return lists.map((list) => list?.version)
}

async function outcomeOf(program: Program, records: readonly FeedRecord[]) {
  const before = await listVersions(program)
  const verdicts = await put(program.app.store, ...records)
  const after = await listVersions(program)
  const changedLists = usernames.filter((_, index) => before[index] !== after[index])
  return { verdicts, changedLists, stored: await program.dump() }
}

test("verdicts, contents and changed lists are equal on both databases", async () => {
  let rejected = 0
  await fc.assert(
    fc.asyncProperty(batch, async (records) => {
      const [embedded, grown] = await Promise.all(
        programs.map((program) => outcomeOf(program, records)),
      )
      expect(grown).toEqual(embedded)
      rejected += embedded?.verdicts.filter((verdict) => verdict !== null).length ?? 0
    }),
    { numRuns: propertyRuns(60) },
  )
  expect(rejected).toBeGreaterThan(propertyRuns(100))
})

async function predictAll({ app: { store } }: Program, batches: readonly FeedRecord[][]) {
  const dryRun = await store.feed.openDryRun({ limits: withoutLimits })
  const verdicts: Verdict[] = []
  for (const records of batches) verdicts.push(...(await dryRun.put(new Date(), records, 1)))
  await dryRun.close()
  return verdicts
}

test("a dry run predicts the verdict of every record and changes nothing", async () => {
  let rejected = 0
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 5 }), async (batches) => {
      await Promise.all(
        programs.map(async (program) => {
          const before = await program.dump()
          const predicted = await predictAll(program, batches)
          expect(await program.dump()).toEqual(before)
          const verdicts: ReturnType<typeof plainVerdicts> = []
          for (const records of batches)
            verdicts.push(...(await put(program.app.store, ...records)))
          expect(plainVerdicts(predicted)).toEqual(verdicts)
          rejected += verdicts.filter((verdict) => verdict !== null).length
        }),
      )
    }),
    { numRuns: propertyRuns(30) },
  )
  expect(rejected).toBeGreaterThan(propertyRuns(100))
})

import { expect, test } from "bun:test"
import fc from "fast-check"
import type { FeedRecord } from "../../src/feed/feed-record.ts"
import { createChanges, names, readFeedState, rolls } from "../harness/feed/random-changes.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { startOnBothStores } from "../harness/stores/on-both-stores.ts"
import { plainVerdicts, put, withoutLimits } from "../harness/stores/store-records.ts"

const programs = startOnBothStores()

async function listVersions({ app: { store } }: Program): Promise<readonly unknown[]> {
  const accounts = await Promise.all(names.map((name) => store.accounts.findByUsername(name)))
  const lists = await Promise.all(accounts.map((found) => found && store.items.findList(found.id)))
  return lists.map((list) => list?.version)
}

async function readAll(program: Program): Promise<unknown> {
  const snapshot = await program.app.store.feed.openSnapshot()
  const rows: unknown[] = []
  for await (const page of snapshot.readKeys()) {
    for (const { id, accountId, username, encrypted } of page) {
      const copy = Buffer.from(encrypted).toString()
      rows.push({ id, username, isOfAccount: copy === `${id} of account ${accountId}` })
    }
  }
  await snapshot.close()
  return [await program.dump(), rows]
}

const seed = 6

function cut(records: readonly FeedRecord[], size: number): readonly FeedRecord[][] {
  const batches: FeedRecord[][] = []
  for (let at = 0; at < records.length; at += size) batches.push(records.slice(at, at + size))
  return batches
}

async function predict({ app: { store } }: Program, batches: readonly FeedRecord[][]) {
  const dryRun = await store.feed.openDryRun({ limits: withoutLimits })
  const verdicts: unknown[] = []
  for (const records of batches)
    verdicts.push(...plainVerdicts(await dryRun.put(new Date(), records, 1)))
  await dryRun.close()
  return verdicts
}

async function outcomeOf(program: Program, batches: readonly FeedRecord[][]) {
  const before = await listVersions(program)
  const predicted = await predict(program, batches)
  const verdicts: unknown[] = []
  for (const records of batches) verdicts.push(...(await put(program.app.store, ...records)))
  const after = await listVersions(program)
  const changedLists = names.filter((_, index) => before[index] !== after[index])
  return { predicted, verdicts, changedLists, stored: await readAll(program) }
}

test("verdicts, contents and changed lists do not depend on the database or the batch size", async () => {
  const counts = { accepted: 0, rejected: 0, renamed: 0, moved: 0 }
  await fc.assert(
    fc.asyncProperty(
      rolls,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      async (all, size, isSwapped) => {
        const records = createChanges(readFeedState((await programs[0]?.dump()) ?? ""), all)
        const sizes = isSwapped ? [40, size] : [size, 40]
        const outcomes = []
        for (const [index, program] of programs.entries()) {
          outcomes.push(await outcomeOf(program, cut(records, sizes[index] ?? 1)))
        }
        const [embedded, grown] = outcomes
        expect(grown).toEqual(embedded)
        expect(embedded?.predicted).toEqual(embedded?.verdicts)
        for (const [index, verdict] of embedded?.verdicts.entries() ?? []) {
          const record = records[index]
          if (verdict !== null) counts.rejected += 1
          else if (record !== undefined && "was" in record) counts.renamed += 1
          else if (record !== undefined && "wasAuthor" in record) counts.moved += 1
          else counts.accepted += 1
        }
      },
    ),
    // The seed is fixed, because eight random runs do not always contain an accepted rename and move.
    { numRuns: 8, endOnFailure: true, seed },
  )
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
})

test("an export after changes, imported and exported again, has identical bytes", async () => {
  const [embedded] = programs
  const dump = (await embedded?.dump()) ?? ""
  const copy = await startProgram({ LOG_LEVEL: "silent" })
  expect((await copy.load(dump)).rejectedLines).toEqual([])
  expect(await copy.dump()).toBe(dump)
  await copy.close()
})

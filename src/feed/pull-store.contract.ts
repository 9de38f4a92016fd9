import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { accountRecord, type OpenEmpty } from "../../tests/harness/stores/store-records.ts"
import { message } from "../platform/problem.ts"
import type { Store } from "../store/store.ts"
import type { PullRoundEnd } from "./import-run.ts"

const round: PullRoundEnd = {
  name: "store",
  everySeconds: 300,
  problem: null,
  isSuccess: true,
  runBefore: 0,
  startedAt: "2026-06-30T12:00:00Z",
  endedAt: "2026-06-30T12:00:09Z",
}
const later = { startedAt: "2026-06-30T12:05:00Z", endedAt: "2026-06-30T12:05:02Z" }
const problem = message("other", { text: "the pull cannot open the database İş" })

export const pullStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`PullStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const listRuns = () => store.feed.listRuns(10)

    test("a pull is stored by name, with its last success and its last problem", async () => {
      await store.pulls.recordRound({ ...round, name: "z" })
      await store.pulls.recordRound(round)
      const stored = {
        name: "store",
        everySeconds: 300,
        firstRoundAt: round.startedAt,
        problem: null,
        lastScheduledAt: round.endedAt,
        lastReadAt: round.endedAt,
        lastSuccessAt: round.endedAt,
      }
      expect(await store.pulls.list()).toEqual([stored, { ...stored, name: "z" }])
      await store.pulls.recordRound({ ...round, ...later, problem })
      const [failed] = await store.pulls.list()
      expect(failed).toEqual({ ...stored, lastScheduledAt: later.endedAt, problem })
    })

    test("a single round is a success and does not change the interval", async () => {
      await store.pulls.recordRound({ ...round, problem })
      await store.pulls.recordRound({ ...round, ...later, everySeconds: null })
      expect(await store.pulls.list()).toEqual([
        {
          name: "store",
          everySeconds: 300,
          firstRoundAt: round.startedAt,
          problem: null,
          lastScheduledAt: round.endedAt,
          lastReadAt: later.endedAt,
          lastSuccessAt: later.endedAt,
        },
      ])
    })

    test("a round that was read with another exit status than 0 is no success", async () => {
      await store.pulls.recordRound(round)
      await store.pulls.recordRound({ ...round, ...later, isSuccess: false })
      const [{ lastReadAt, lastSuccessAt } = { lastReadAt: "", lastSuccessAt: "" }] =
        await store.pulls.list()
      expect([lastReadAt, lastSuccessAt]).toEqual([later.endedAt, round.endedAt])
    })

    test("a failed round is recorded as a failed import run", async () => {
      await store.pulls.recordRound(round)
      expect(await listRuns()).toEqual([])
      await store.pulls.recordRound({ ...round, problem })
      const [run] = await listRuns()
      expect(run).toEqual({
        id: run?.id ?? 0,
        source: "store",
        via: "pull",
        line: 0,
        outcome: null,
        problem,
        startedAt: round.startedAt,
        finishedAt: round.endedAt,
      })
      await store.pulls.recordRound({ ...round, ...later, problem, runBefore: run?.id ?? 0 })
      expect(await listRuns()).toHaveLength(2)
      expect(await store.feed.listLastFinishes(new Date())).toEqual([])
      const counts = await store.feed.listImportCounts(new Date(), 10)
      expect(counts.map((one) => [one.via, one.isFailed, one.counts.accepted])).toEqual([
        ["pull", true, 0],
        ["pull", true, 0],
      ])
    })

    test("only the run of the round gets its problem", async () => {
      for (const source of ["store", "another", "store"]) {
        const writer = await store.feed.openBatches({ source, via: "pull" })
        await writer.put(new Date(), [accountRecord("ada")], 10)
      }
      const [, , first] = await listRuns()
      await store.pulls.recordRound({ ...round, problem, runBefore: first?.id ?? 0 })
      const problems = (await listRuns()).map((run) => [run.source, run.line, run.problem])
      expect(problems).toEqual([
        ["store", 10, problem],
        ["another", 10, null],
        ["store", 10, null],
      ])
    })
  })

import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { accountRecord, type OpenEmpty } from "../../tests/harness/stores/store-records.ts"
import { message } from "../platform/problem.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { Store } from "../store/store.ts"
import { emptyOutcome, type FeedCounts, type FeedOrigin, type RunOutcome } from "./import-run.ts"

const unfinished = { finishedAt: null, outcome: null, problem: null }
const messy: RunOutcome = {
  ...emptyOutcome,
  counts: {
    accepted: 5,
    adjusted: 4,
    waiting: 0,
    rejected: 3,
    removed: 2,
    revoked: 6,
    restored: 7,
  },
  rejections: {
    groups: [
      {
        type: "item",
        field: "demo_link",
        code: "missing",
        params: {},
        lines: 2,
        samples: [
          { line: 3, identity: "1\u0000ü" },
          { line: 9, identity: null },
        ],
      },
      {
        type: null,
        field: "record",
        code: "line_too_long",
        params: { max: 1_048_576 },
        lines: 1,
        samples: [{ line: 4, identity: null }],
      },
    ],
    otherKinds: 7,
    otherProblems: 8,
  },
  removalProblem: message("no_end_line"),
}

export const importRunsContract = (adapter: string, open: OpenEmpty) =>
  describe(`import runs on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const file: FeedOrigin = { source: "a file", via: "file" }
    async function finish(origin: FeedOrigin, outcome = emptyOutcome) {
      const writer = await store.feed.openBatches(origin)
      await writer.finish(new Date(), outcome)
    }

    test("lists the newest runs first, of all methods or of one", async () => {
      for (const source of ["one", "two", "three"]) await finish({ source, via: "push" })
      await finish(file)
      const sources = async (limit: number, via?: FeedOrigin["via"], before?: number) =>
        (await store.feed.listRuns(limit, via, before)).map(({ source }) => source)
      expect(await sources(2)).toEqual(["a file", "three"])
      const [, three] = await store.feed.listRuns(2)
      expect(await sources(9, undefined, three?.id)).toEqual(["two", "one"])
      expect(await sources(1, "push", three?.id)).toEqual(["two"])
      expect(await sources(9, "file", three?.id)).toEqual([])
      expect(await sources(2, "push")).toEqual(["three", "two"])
      expect(await sources(2, "pull")).toEqual([])
    })

    test("a run is recorded with its first batch, and its outcome at the end", async () => {
      expect(await store.feed.findLastRun("a file")).toBeNull()
      const writer = await store.feed.openBatches(file)
      await writer.put(new Date(), [accountRecord("ada")], 10)
      const run = await store.feed.findLastRun("a file")
      const { id = 0, startedAt = "" } = run ?? {}
      const begun = { id, ...file, line: 10, startedAt, ...unfinished }
      expect(run).toEqual(begun)
      await writer.put(new Date(), [accountRecord("bob")], 20)
      await writer.finish(new Date(), messy)
      const ended = await store.feed.findRun(id)
      const { finishedAt } = ended ?? {}
      expect(finishedAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
      expect(ended).toEqual({
        ...begun,
        line: 20,
        finishedAt: finishedAt ?? null,
        outcome: messy,
      })
    })

    test("an empty feed is a run", async () => {
      await finish({ source: "-", via: "pull" })
      expect(await store.feed.findLastRun("-")).toMatchObject({
        source: "-",
        via: "pull",
        line: 0,
        outcome: emptyOutcome,
        finishedAt: expect.any(String),
      })
    })

    test("the counts of imports and pulls are listed after they have finished", async () => {
      const slow = await store.feed.openBatches(file)
      await slow.put(new Date(), [accountRecord("ada")], 10)
      expect(await store.feed.listLastFinishes(new Date())).toEqual([])
      await finish({ source: "a push", via: "push" })
      expect(await store.feed.listImportCounts(new Date(), 10)).toEqual([])
      const [push] = await store.feed.listLastFinishes(new Date())
      expect(push).toEqual({ via: "push", finishedAt: expect.stringMatching(/^[-\dT:]{19}Z$/) })
      await finish({ source: "a pull", via: "pull" })
      await slow.finish(new Date(), messy)
      const listed = await store.feed.listImportCounts(new Date(), 10)
      const counts = Object.fromEntries(listed.map((run) => [run.via, run.counts]))
      const inColumns = ({ revoked: _, restored: __, ...counts }: FeedCounts) => counts
      expect(counts).toEqual({
        file: inColumns(messy.counts),
        pull: inColumns(emptyOutcome.counts),
      })
      expect(await store.feed.listImportCounts(new Date(), 1)).toEqual(listed.slice(0, 1))
      // `messy` is a full sync that deleted emptyOutcome.
      const states = listed.map(({ via, isFailed, isComplete }) => [via, { isFailed, isComplete }])
      expect(Object.fromEntries(states)).toEqual({
        file: { isFailed: true, isComplete: true },
        pull: { isFailed: false, isComplete: true },
      })
      const finishes = await store.feed.listLastFinishes(new Date())
      const ways = Object.fromEntries(finishes.map(({ via, finishedAt }) => [via, finishedAt]))
      expect(Object.keys(ways)).toEqual(["file", "pull", "push"])
      expect(ways.push).toBe(push?.finishedAt ?? "")
      expect(Date.parse(ways.file ?? "")).toBeGreaterThanOrEqual(Date.parse(ways.push ?? ""))
    })

    test("a source is listed as troubled until a run succeeds, for at most a week", async () => {
      const now = new Date()
      const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
      const before = { startedAt: formatTimestamp(now), endedAt: formatTimestamp(now) }
      const troubled = async (at = now) =>
        (await store.feed.listTroubledRuns(at, 10)).map(({ source }) => source)
      const pull: FeedOrigin = { source: "a file", via: "pull" }
      await finish(pull)
      expect(await troubled()).toEqual([])
      const refusing = { ...emptyOutcome, counts: { ...emptyOutcome.counts, rejected: 1 } }
      const allowed = { source: "allowed", via: "pull" } as const
      await finish(allowed, { ...refusing, isRefusalAllowed: true })
      expect(await troubled()).toEqual([])
      await finish(file, refusing)
      await finish(
        { source: "full", via: "file" },
        { ...emptyOutcome, removalProblem: message("records_after_end") },
      )
      const strict = { source: "strict", via: "file" } as const
      const failed = { ...before, problem: message("rejected_strictly"), line: 9, runBefore: 0 }
      await store.feed.recordFailure({ ...strict, ...failed, outcome: messy })
      expect(await troubled()).toEqual(["strict", "full", "a file"])
      expect(await store.feed.listTroubledRuns(now, 1)).toMatchObject([
        {
          ...strict,
          problem: message("rejected_strictly"),
          outcome: messy,
          line: 9,
          finishedAt: before.endedAt,
        },
      ])
      const slow = await store.feed.openBatches(strict)
      await slow.put(new Date(), [accountRecord("ada")], 10)
      expect(await troubled()).toEqual(["strict", "full", "a file"])
      // Started long ago and never finished.
      expect(await troubled(inDays(1.1))).toEqual(["strict", "full", "a file"])
      expect(await troubled(inDays(7.1))).toEqual([])
      await slow.finish(new Date(), emptyOutcome)
      await finish(file)
      await finish({ source: "full", via: "file" })
      expect(await troubled()).toEqual([])
    })

    test("a stopped push is listed for a day, whatever the next push does", async () => {
      const now = new Date()
      const push: FeedOrigin = { source: "a push", via: "push" }
      const problem = message("too_many_deletes")
      for (const source of ["a push", "a file"]) {
        const origin: FeedOrigin = source === "a push" ? push : file
        const writer = await store.feed.openBatches(origin)
        await writer.finish(new Date(), emptyOutcome, problem)
        await finish(origin)
      }
      const troubled = async (hours: number) =>
        (await store.feed.listTroubledRuns(new Date(now.getTime() + hours * 3_600_000), 10)).map(
          ({ source, problem }) => [source, problem?.code],
        )
      expect(await troubled(23)).toEqual([["a push", "too_many_deletes"]])
      expect(await troubled(25)).toEqual([])
    })

    test("a failure ends the run that was started, or is recorded as a new run", async () => {
      const times = { startedAt: "2026-01-31T02:00:00Z", endedAt: "2026-01-31T02:01:00Z" }
      const failure = {
        ...file,
        ...times,
        problem: message("other", { text: "EIO" }),
        outcome: null,
        line: 0,
      }
      await finish(file)
      const [{ id: runBefore = 0 } = {}] = await store.feed.listRuns(1)
      const writer = await store.feed.openBatches(file)
      await writer.put(new Date(), [accountRecord("ada")], 10)
      await store.feed.recordFailure({ ...failure, runBefore })
      const [ended] = await store.feed.listRuns(10)
      expect(await store.feed.listRuns(10)).toHaveLength(2)
      expect(ended).toMatchObject({ line: 10, problem: failure.problem, finishedAt: times.endedAt })
      await store.feed.recordFailure({ ...failure, runBefore: ended?.id ?? 0 })
      const [own] = await store.feed.listRuns(10)
      expect(own).toMatchObject({ line: 0, problem: failure.problem, outcome: null })
      expect(await store.feed.listRuns(10)).toHaveLength(3)
    })

    test("the newest runs are first, and the newest of a source is found", async () => {
      await finish(file)
      await finish({ source: "another", via: "push" })
      await finish(file, messy)
      const runs = await store.feed.listRuns(10)
      expect(runs.map(({ source, via, outcome }) => [source, via, outcome])).toEqual([
        ["a file", "file", messy],
        ["another", "push", emptyOutcome],
        ["a file", "file", emptyOutcome],
      ])
      expect(await store.feed.listRuns(2)).toEqual(runs.slice(0, 2))
      expect(await store.feed.findLastRun("a file")).toEqual(runs[0] ?? null)
      expect(await store.feed.findRun(runs[1]?.id ?? 0)).toEqual(runs[1] ?? null)
      expect(await store.feed.findRun(999)).toBeNull()
    })
  })

import { expect, test } from "bun:test"
import type { Pull, RunCounts } from "../feed/import-run.ts"
import { createMetrics } from "../usage/metrics.ts"
import { pollImportMetrics } from "./import-metrics.ts"

const run = (id: number, via: RunCounts["via"] = "file"): RunCounts => ({
  id,
  via,
  isFailed: false,
  isComplete: true,
  counts: { accepted: id, adjusted: 0, waiting: 0, rejected: 0, removed: 0 },
})

type Facts = Readonly<{
  pulls?: readonly Pull[]
  lastBackupAt?: string | null
  diskFree?: number | null
}>

function open(
  first: readonly RunCounts[] | Error,
  { pulls = [], lastBackupAt = null, diskFree = null }: Facts = {},
) {
  let runs = first
  let work = () => {}
  const faults: unknown[] = []
  const metrics = createMetrics()
  pollImportMetrics({
    feed: {
      listLastFinishes: async () => [
        { via: "file", finishedAt: "2026-01-31T13:00:00Z" },
        { via: "push", finishedAt: "2026-01-31T14:00:00Z" },
      ],
      async listImportCounts() {
        if (runs instanceof Error) throw runs
        return runs
      },
    },
    pulls: { list: async () => pulls },
    metadata: { find: async () => lastBackupAt && JSON.stringify({ at: lastBackupAt }) },
    readDiskFree: () => diskFree,
    now: () => new Date("2026-01-31T14:00:00Z"),
    metrics,
    every(_, repeated) {
      work = repeated
      return () => {}
    },
    onFault: (fault) => faults.push(fault),
  })
  /** Returns the accepted records and finished runs of files, then of pulls, after a poll that finds `found`. */
  async function read(found: typeof runs): Promise<readonly number[]> {
    await Bun.sleep(0)
    runs = found
    work()
    await Bun.sleep(0)
    const { feedRecords, importRuns } = metrics
    return [
      ...[feedRecords.file.accepted, importRuns.file.finished],
      ...[feedRecords.pull.accepted, importRuns.pull.finished],
    ]
  }
  return { read, metrics, faults }
}

test("a run that finishes is counted once, and earlier ones are not", async () => {
  const { read, metrics } = open([run(1)])
  expect(await read([run(1)])).toEqual([0, 0, 0, 0])
  // Run 3 started before run 4 and finished after it.
  expect(await read([run(4), run(2, "pull"), run(1)])).toEqual([4, 1, 2, 1])
  expect(await read([run(3), run(4), run(2), run(1)])).toEqual([7, 2, 2, 1])
  expect(metrics.server.lastImportAt).toBe(Date.parse("2026-01-31T14:00:00Z") / 1000)
})

test("a failed run is counted as failed", async () => {
  const { read, metrics } = open([])
  const failed = { ...run(1, "pull"), isFailed: true, isComplete: false }
  expect(await read([failed])).toEqual([0, 0, 0, 0])
  expect(metrics.importRuns.pull.failed).toBe(1)
})

test("a full sync that deleted nothing is counted as failed, with its records", async () => {
  const { read, metrics } = open([])
  expect(await read([{ ...run(1), isFailed: true }])).toEqual([1, 0, 0, 0])
  expect(metrics.importRuns.file.failed).toBe(1)
})

test("runs before the first successful poll are not counted", async () => {
  const lost = new Error("lost")
  const { read, faults } = open(lost)
  await read(lost)
  expect(await read([run(9)])).toEqual([0, 0, 0, 0])
  expect(await read([run(10), run(9)])).toEqual([10, 1, 0, 0])
  expect(faults).toEqual([lost, lost])
})

test("the pull that is due first, the last backup and the disk are recorded", async () => {
  const store: Pull = {
    name: "store",
    everySeconds: 300,
    firstRoundAt: "2026-01-30T00:00:00Z",
    problem: null,
    lastScheduledAt: "2026-01-31T13:55:00Z",
    lastReadAt: "2026-01-31T13:55:00Z",
    lastSuccessAt: "2026-01-31T13:55:00Z",
  }
  const lastImportAt = Date.parse("2026-01-31T14:00:00Z") / 1000
  const readServer = async (facts: Facts) => {
    const { read, metrics } = open([], facts)
    await read([])
    return metrics.server
  }
  const lastBackupAt = "2026-01-31T03:00:00Z"
  const nightly = { ...store, name: "nightly", everySeconds: 86_400 }
  expect(await readServer({ pulls: [nightly, store], lastBackupAt, diskFree: 7 })).toEqual({
    lastImportAt,
    // The last success plus twice the interval plus ten minutes.
    pullDueAt: Date.parse("2026-01-31T14:15:00Z") / 1000,
    lastBackupAt: Date.parse(lastBackupAt) / 1000,
    diskFreeBytes: 7,
  })
  expect(await readServer({ diskFree: 7 })).toEqual({
    lastImportAt,
    lastBackupAt: 0,
    diskFreeBytes: 7,
  })
  expect(await readServer({})).toEqual({ lastImportAt })
})

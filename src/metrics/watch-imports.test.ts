import { expect, test } from "bun:test"
import type { ImportRun, RunCounts } from "../domain/feed/import-run.ts"
import type { Pull } from "../domain/feed/pull.ts"
import type { SigningKey } from "../domain/keys/signing-key.ts"
import { watchImports } from "./watch-imports.ts"

const run = (id: number, via: RunCounts["via"] = "file"): RunCounts => ({
  id,
  via,
  rejectedBefore: 0,
  problem: null,
  counts: { accepted: id, adjusted: 0, waiting: 0, rejected: 0, removed: 0 },
})

const firstKey: SigningKey = {
  id: "a",
  state: "current",
  publicKey: "",
  sealed: new Uint8Array(),
  endorsements: [],
  createdAt: "2026-01-31T12:00:00Z",
}

type Facts = Readonly<{
  pulls?: readonly Pull[]
  lastBackupAt?: string | null
  diskFree?: number | null
}>

/** A store whose runs the test decides, and what was recorded. */
function open(
  first: readonly RunCounts[] | Error,
  { pulls = [], lastBackupAt = null, diskFree = null }: Facts = {},
) {
  let runs = first
  let failed: readonly ImportRun[] = []
  const now = new Date("2026-01-31T14:00:00Z")
  let work = () => {}
  const recorded: unknown[] = []
  const noted: unknown[] = []
  const stop = watchImports({
    feed: {
      listLastFinishes: async () => [{ via: "push", finishedAt: "2026-01-31T14:00:00Z" }],
      async listImportCounts() {
        if (runs instanceof Error) throw runs
        return runs
      },
      async listTroubledRuns() {
        noted.push("troubles are read")
        return failed
      },
    },
    pulls: { list: async () => pulls },
    metadata: { find: async () => lastBackupAt },
    signingKeys: {
      list: async () => [firstKey, { ...firstKey, createdAt: "2026-01-31T13:00:00Z" }],
    },
    readDiskFree: () => diskFree,
    now: () => now,
    recorder: {
      countFeed: (via, { accepted }) => recorded.push([via, accepted]),
      countFailedRun: (via) => recorded.push([via, "failed"]),
      noteFailedImports: (sources) => noted.push(["failed", sources]),
      notePullDue: (dueAt) => noted.push(["due", dueAt]),
      noteLastBackup: (at, _, dueAt) => noted.push(["backup", at, dueAt]),
      noteDiskFree: (bytes) => noted.push(["free", bytes]),
      noteLastFeed: (via, finishedAt) => recorded.push([via, finishedAt]),
    },
    every(_, repeated) {
      work = repeated
      return () => recorded.push("stopped")
    },
    onFault: (fault) => recorded.push(fault),
  })
  /** The records that are made when a read finds these runs. */
  async function readRuns(found: typeof runs): Promise<readonly unknown[]> {
    await Bun.sleep(0)
    runs = found
    recorded.length = 0
    work()
    await Bun.sleep(0)
    return [...recorded]
  }
  /** All that the recorder is told after these runs. */
  async function readTroubled(found: typeof runs, troubled: typeof failed) {
    failed = troubled
    // The first read, which `open` has begun.
    await Bun.sleep(0)
    noted.length = 0
    await readRuns(found)
    return noted.filter((each) => String(each) !== "due,")
  }
  return { readRuns, readTroubled, stop, recorded, noted }
}

const at = ["push", Date.parse("2026-01-31T14:00:00Z") / 1000]

test("a run that finishes is counted once, and earlier ones are not", async () => {
  const { readRuns } = open([run(1)])
  expect(await readRuns([run(1)])).toEqual([at])
  // The one with the smaller id has taken longer.
  expect(await readRuns([run(4), run(2, "pull"), run(1)])).toEqual([at, ["file", 4], ["pull", 2]])
  expect(await readRuns([run(3), run(4), run(2), run(1)])).toEqual([at, ["file", 3]])
})

test("a run that failed is counted as such", async () => {
  const { readRuns } = open([])
  expect(await readRuns([])).toEqual([at])
  const failed = { ...run(1, "pull"), problem: "no route to host" }
  expect(await readRuns([failed])).toEqual([at, ["pull", "failed"]])
})

test("sources whose latest run failed are noted, and read again until they are over", async () => {
  const troubled = (id: number, problem: string | null): ImportRun => ({
    id,
    source: `feed-${id}.ndjson`,
    via: "file",
    line: 1,
    startedAt: "2026-01-31T13:00:00Z",
    finishedAt: "2026-01-31T13:01:00Z",
    outcome: null,
    problem,
  })
  const { readTroubled } = open([])
  const failed = { ...run(1), problem: "cut off" }
  // Refused lines alone are no failure.
  const first = [troubled(1, "cut off"), troubled(2, null)]
  expect(await readTroubled([failed], first)).toEqual(["troubles are read", ["failed", 1]])
  expect(await readTroubled([failed], first)).toEqual(["troubles are read", ["failed", 1]])
  expect(await readTroubled([run(2), failed], [])).toEqual(["troubles are read", ["failed", 0]])
  expect(await readTroubled([run(2), failed], first)).toEqual([["failed", 0]])
})

test("the pull that is due first, the last backup and the disk are noted", async () => {
  const store: Pull = {
    name: "store",
    everySeconds: 300,
    firstRoundAt: "2026-01-30T00:00:00Z",
    problem: null,
    lastScheduledAt: "2026-01-31T13:55:00Z",
    lastSuccessAt: "2026-01-31T13:55:00Z",
  }
  const nightly = { ...store, name: "nightly", everySeconds: 86_400 }
  const { noted } = open([], {
    pulls: [nightly, store],
    lastBackupAt: "2026-01-31T03:00:00Z",
    diskFree: 7,
  })
  await Bun.sleep(0)
  // Twice the interval and ten minutes after the last success.
  expect(noted).toEqual([
    ["failed", 0],
    ["due", Date.parse("2026-01-31T14:15:00Z") / 1000],
    ["free", 7],
    [
      "backup",
      Date.parse("2026-01-31T03:00:00Z") / 1000,
      Date.parse("2026-02-01T05:00:00Z") / 1000,
    ],
  ])
  const { noted: first } = open([], { diskFree: 7 })
  await Bun.sleep(0)
  // The first one is due as long after the store was made.
  expect(first.at(-1)).toEqual(["backup", 0, Date.parse("2026-02-01T14:00:00Z") / 1000])
  const { noted: empty } = open([])
  await Bun.sleep(0)
  expect(empty).toEqual([
    ["failed", 0],
    ["due", null],
  ])
})

test("runs from before the first read that succeeds are not counted", async () => {
  const lost = new Error("lost")
  const { readRuns, stop, recorded } = open(lost)
  expect(await readRuns(lost)).toEqual([lost])
  expect(await readRuns([run(9)])).toEqual([at])
  expect(await readRuns(lost)).toEqual([lost])
  expect(await readRuns([run(10), run(9)])).toEqual([at, ["file", 10]])
  stop()
  expect(recorded.at(-1)).toBe("stopped")
})

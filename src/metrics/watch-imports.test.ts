import { expect, test } from "bun:test"
import type { RunCounts } from "../domain/import-run.ts"
import { watchImports } from "./watch-imports.ts"

const run = (id: number, via: RunCounts["via"] = "file"): RunCounts => ({
  ...{ id, via },
  counts: { accepted: id, adjusted: 0, rejected: 0, removed: 0 },
})

/** A store whose runs the test decides, and what was recorded. */
function open(first: readonly RunCounts[] | Error) {
  let runs = first
  let work = () => {}
  const recorded: unknown[] = []
  const stop = watchImports({
    feed: {
      listLastFinishes: async () => [{ via: "push", finishedAt: "2026-01-31T14:00:00Z" }],
      async listImportCounts() {
        if (runs instanceof Error) throw runs
        return runs
      },
    },
    recorder: {
      countFeed: (via, { accepted }) => recorded.push([via, accepted]),
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
  return { readRuns, stop, recorded }
}

const at = ["push", Date.parse("2026-01-31T14:00:00Z") / 1000]

test("a run that finishes is counted once, and earlier ones are not", async () => {
  const { readRuns } = open([run(1)])
  expect(await readRuns([run(1)])).toEqual([at])
  // The one with the smaller id has taken longer.
  expect(await readRuns([run(4), run(2, "pull"), run(1)])).toEqual([at, ["file", 4], ["pull", 2]])
  expect(await readRuns([run(3), run(4), run(2), run(1)])).toEqual([at, ["file", 3]])
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

/** The English texts are made by the program: a sentence that was reworded there alone is found. */
import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { endpointRecord } from "../../../../tests/contracts/events/endpoint-records.ts"
import { temporaryFolder } from "../../../../tests/harness/program.ts"
import { judgeDisk } from "../../../doctor/check-machine.ts"
import { checkWaiting, checkWebhooks } from "../../../doctor/check-store.ts"
import { judgeRun } from "../../../doctor/quick-checks.ts"
import { offReasons } from "../../../domain/events/endpoint.ts"
import { type ImportRun, noCounts, noRemarks } from "../../../domain/feed/import-run.ts"
import { beginning, openPull, toLocalMoment } from "../../../pull/pull.ts"
import { parsePullFile } from "../../../pull/pull-file.ts"
import { translateProblem } from "./tr-problems.ts"

let folder: string
beforeAll(() => {
  folder = temporaryFolder()
  new Database(join(folder, "shop.db")).close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Why a pull fails, and what the driver says of it. */
async function failToPull(
  connection: string,
  selects: Readonly<Record<string, string>>,
): Promise<Readonly<{ problem: string; cause: string }>> {
  const file = parsePullFile(JSON.stringify({ connection, ...selects }), {
    env: {},
    readText: () => null,
    resolvePath: (path) => join(folder, path),
  })
  const error = await openPull(file, toLocalMoment(beginning, null)).catch((error) => error)
  return { problem: error.message, cause: error.cause?.message }
}

test("keeps the message of a driver in English, behind a Turkish opening", async () => {
  const items = "SELECT * FROM gone"
  for (const [connection, named] of [
    ["sqlite:away/shop.db", "away/shop.db"],
    ["mysql://shop@127.0.0.1:1/tide", "tide"],
    ["mysql://shop@127.0.0.1:1/tide", "127.0.0.1:1"],
    ["sqlite:shop.db", "items"],
  ] as const) {
    const { problem, cause } = await failToPull(connection, { items })
    expect(translateProblem(problem)).toEqual({
      own: expect.stringContaining(named),
      foreign: cause,
    })
    // A driver may say anything.
    expect(translateProblem(`${problem}; accounts: none`).foreign).toBe(`${cause}; accounts: none`)
  }
})

test("joins the problems of several SELECTs", async () => {
  const selects = { items: "SELECT 7 AS id, 1 AS colour", purchases: "SELECT 7 AS item_id" }
  const { problem } = await failToPull("sqlite:shop.db", selects)
  const { own, foreign } = translateProblem(problem)
  expect(own).toMatch(/items.*colour.*purchases.*purchase_code/)
  expect(foreign).toBe("")
})

test("writes numbers as Turkish does", () => {
  const { own, foreign } = translateProblem(judgeDisk(1_200_000_000, 2_400_000_000).detail)
  expect(own).toMatch(/1\.200 MB.*2\.400 MB/)
  expect(foreign).toBe("")
})

test.each([1, 2])("tells of %i lines and records", async (count) => {
  const run: ImportRun = {
    id: 3,
    source: "shop",
    via: "file",
    line: 0,
    startedAt: "2026-06-01T08:00:00Z",
    finishedAt: "2026-06-01T08:00:00Z",
    outcome: {
      ...noRemarks,
      counts: { ...noCounts, rejected: count },
      refusals: { groups: [], otherKinds: 0, otherProblems: 0 },
      removalProblem: null,
    },
    problem: null,
  }
  const refused = translateProblem(judgeRun(run).detail)
  expect(refused.foreign).toBe("")
  for (const fact of ["shop", "3", `${count}`]) expect(refused.own).toContain(fact)
  for (const type of ["account", "item"] as const) {
    const groups = [{ type, identity: "ada", records: count, sinceMs: 0 }]
    const waiting = { items: count, purchases: 0, sinceMs: 0, groups }
    const [finding] = await checkWaiting({ readWaiting: async () => waiting }, new Date())
    const { own, foreign } = translateProblem(finding?.detail ?? "")
    expect([own.includes(`${count} `), own.includes("ada"), foreign]).toEqual([true, true, ""])
  }
})

test("every reason why an endpoint is off has a Turkish one", async () => {
  for (const reason of offReasons.filter((each) => each !== "owner")) {
    for (const username of ["ada", null]) {
      const off = { at: "2026-06-01T08:00:00Z", reason }
      const endpoint = { ...endpointRecord("ep_1", { off }), username }
      const [finding] = await checkWebhooks({ listAll: async () => [endpoint] })
      const { own, foreign } = translateProblem(finding?.detail ?? "")
      expect([own.includes("ep_1"), own.includes("ada"), foreign]).toEqual([
        true,
        username === "ada",
        "",
      ])
    }
  }
})

import { afterAll, beforeAll, expect, test } from "bun:test"
import { formatTimestamp } from "../../src/platform/time.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { cellsOf, runInProcess } from "../harness/run-in-process.ts"

let program: Program
const at = formatTimestamp(new Date())
const today = at.slice(0, 10)
const activation = (code: string, site: string) => ({ code, site })
beforeAll(async () => {
  program = await startProgram()
  const sold = [purchase("a", 1), purchase("b", 1, { license_type: "Extended" }), purchase("c", 1)]
  await program.load([account("ada"), item("ada", 1), ...sold])
  await program.app.store.sites.recordSeen(at, [
    ...[activation("a", "a.com"), activation("a", "b.com"), activation("a", "dev.a.com")],
    ...[activation("b", "a.com"), activation("b", "b.com"), activation("c", "a.com")],
  ])
})
afterAll(() => program.close())

const pazar = (...args: readonly string[]) => runInProcess(program.folder, args)
const rejection = (name: string) => ({
  status: 1,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^pazar: .*${name}.*\n$`)),
})
const auditOf = async (kind: "item" | "purchase") =>
  (await program.app.store.audit.list({ accountId: null, kind }, null, 9)).map(
    ({ action, subjectId, subjectName }) => [action, subjectId, subjectName],
  )

test("item limit sets, shows and removes a site limit, and reports its effect on today's sites", async () => {
  const set = await pazar("item", "limit", "1", "1", "--license", "Extended=2", "--json")
  expect(JSON.parse(set.stdout)).toEqual({
    item_id: 1,
    sites: 1,
    licenses: [{ license: "Extended", sites: 2 }],
    purchases: 3,
    purchases_over_limit: 1,
  })
  const limits = { sites: 1, byLicense: { Extended: 2 } }
  expect(await program.app.store.sites.findLimits(1)).toEqual(limits)
  const shown = await pazar("item", "limit", "1")
  expect([shown.status, cellsOf(shown.stdout).map(([, value]) => value)]).toEqual([
    0,
    ["1", expect.stringMatching(/1\b.*2\b.*Extended/), expect.stringMatching(/1\b.*3\b/)],
  ])
  const none = await pazar("item", "limit", "1", "none", "--json")
  expect(JSON.parse(none.stdout)).toMatchObject({ sites: null, purchases_over_limit: 0 })
  // Two changes within a minute are one entry.
  expect(await auditOf("item")).toEqual([["site_limit", "1", ""]])
})

test("item limit rejects an invalid limit", async () => {
  const limits = [["0"], ["10001"], ["1.5"], ["many"], ["1", "--license", "Extended=x"]]
  for (const limit of limits) {
    const { status, stderr } = await pazar("item", "limit", "1", ...limit)
    expect(status).toBe(2)
    expect(stderr).toContain("from 1 to 10000")
  }
  expect(await pazar("item", "limit", "9", "1")).toEqual(rejection("9"))
  expect((await pazar("item", "limit", "1", "1", "--license", "Extended")).status).toBe(2)
  expect((await pazar("item", "limit", "1", "--license", "Extended=1")).status).toBe(2)
  expect(await program.app.store.sites.findLimits(1)).toEqual({ sites: null, byLicense: {} })
})

test("purchase show lists the sites", async () => {
  const { stdout } = await pazar("purchase", "show", "a", "--json")
  const days = { first_day: today, last_day: today }
  expect(JSON.parse(stdout).sites).toEqual([
    { site: "a.com", ...days, test: false },
    { site: "b.com", ...days, test: false },
    { site: "dev.a.com", ...days, test: true },
  ])
  const sites = async () => cellsOf((await pazar("purchase", "show", "a")).stdout).slice(12)
  const shown = (await sites()).map(([, value]) => value)
  expect(shown).toEqual(
    ["a.com", "b.com", "dev.a.com"].map((site) =>
      expect.stringMatching(new RegExp(`^${site}, ${today} .*${today}`)),
    ),
  )
})

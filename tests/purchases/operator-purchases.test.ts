/** GET /operator/purchases */
import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../harness/full-test-run.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { until } from "../harness/until.ts"

const token = "operator-token-of-32-characters-or-more"
let program: Program
let secret: string
beforeAll(async () => {
  program = await startProgram({ PAZAR_OPERATOR_TOKEN: token })
  await program.load([
    ...[account("ada"), item("ada", 11), account("bob", { suspended: true }), item("bob", 21)],
    purchase("sold-code", 11, { buyer: "İpek", site_limit: 2 }),
    purchase("refunded-code", 21, { revoked: true }),
    purchase("ended-code", 11, { valid_until: "2026-01-01T00:00:00Z" }),
    ...[purchase("twice", 11), purchase("TWICE", 21)],
  ])
  secret = (await program.issue("ada")).secret
})
afterAll(() => program.close())

const get = (code: string | null, headers = { Authorization: `Bearer ${token}` }) => {
  const query = code === null ? "" : `?${new URLSearchParams({ purchase_code: code })}`
  return openapiFetch(`${program.url}/operator/purchases${query}`, { headers })
}
const read = async (code: string | null) => {
  const response = await get(code)
  return [response.status, JSON.parse(await response.text())]
}
const validate = async (code: string, site: string) => {
  const body = new URLSearchParams({ purchase_code: code, site })
  const headers = { "X-Api-Key": secret }
  const init = { method: "POST", headers, body }
  return JSON.parse(await (await fetch(`${program.url}/api/purchases/validation`, init)).text())
}

test("200: the purchase as the API returns it, its author, state and sites", async () => {
  const { data } = await validate("sold-code", "shop.example.org")
  await validate("sold-code", "staging.example.org")
  const [status, report] = await read("SOLD-CODE")
  const day = new Date().toISOString().slice(0, 10)
  const seen = { first_day: day, last_day: day }
  expect([status, report]).toEqual([
    200,
    {
      state: "valid",
      author: { username: "ada", suspended: false },
      purchase: data.purchase,
      buyer: "İpek",
      site_limit: 2,
      sites: expect.any(Array),
    },
  ])
  await until(async () => ((await read("sold-code"))[1].sites.length === 2 ? true : undefined))
  const [, { sites }] = await read("sold-code")
  expect(sites.toSorted((a: { test: boolean }) => (a.test ? 1 : -1))).toEqual([
    { site: "shop.example.org", ...seen, test: false },
    { site: "staging.example.org", ...seen, test: true },
  ])
})

test("200: a refunded purchase of a suspended author, and an expired one", async () => {
  const [, refunded] = await read("refunded-code")
  expect([refunded.state, refunded.author]).toEqual([
    "revoked",
    { username: "bob", suspended: true },
  ])
  const [, ended] = await read("ended-code")
  expect([ended.state, ended.valid_until, ended.sites]).toEqual([
    "expired",
    "2026-01-01T00:00:00Z",
    [],
  ])
})

test("404: no purchase, or several that differ only in case; each of them is found exactly", async () => {
  const error = (status: number) => [status, { status: "error", msg: expect.any(String) }]
  for (const code of ["none", "Twice", "x".repeat(300)])
    expect(await read(code)).toEqual(error(404))
  for (const code of [null, ""]) expect(await read(code)).toEqual(error(400))
  expect((await read("twice"))[1].author.username).toBe("ada")
  expect((await read("TWICE"))[1].author.username).toBe("bob")
})

test("any code is found or not found, never an error of the server", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (code) => {
      expect([400, 404]).toContain((await get(code)).status)
    }),
    { numRuns: propertyRuns(50) },
  )
})

test("401: API keys and other tokens; 403: a token without the permission; no code is logged", async () => {
  for (const Authorization of ["", "Bearer wrong", `Bearer ${secret}`])
    expect((await get("sold-code", { Authorization })).status).toBe(401)
  const create = async (may: string) => {
    const args = ["token", "create", may, "--may", may]
    return (await runInProcess(program.folder, args)).stdout.trim()
  }
  const [feed, help] = [await create("feed"), await create("purchases")]
  const statusOf = async (bearer: string) =>
    (await get("sold-code", { Authorization: `Bearer ${bearer}` })).status
  await until(async () => ((await statusOf(help)) === 200 ? true : undefined))
  expect(await statusOf(feed)).toBe(403)
  expect(program.logged()).not.toContain("sold-code")
})

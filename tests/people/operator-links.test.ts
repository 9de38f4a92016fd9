/** POST /operator/links. tests/people/sign-in-links.test.ts follows the link. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../harness/full-test-run.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"

const token = "operator-token-of-32-characters-or-more"
const publicUrl = "https://api.example.com"
let program: Program
beforeAll(async () => {
  program = await startProgram({ PAZAR_OPERATOR_TOKEN: token, PAZAR_PUBLIC_URL: publicUrl })
  await program.load([account("ada"), account("bob", { suspended: true })])
})
afterAll(() => program.close())

const post = (body: string, headers = { Authorization: `Bearer ${token}` }) =>
  openapiFetch(`${program.url}/operator/links`, { method: "POST", headers, body })
const read = async (response: Response) => [response.status, JSON.parse(await response.text())]
const error = (status: number) => [status, { status: "error", msg: expect.any(String) }]

test("200: a new link each time, at the public URL, for two minutes", async () => {
  const links: string[] = []
  for (let round = 0; round < 2; round++) {
    const askedAt = Date.now()
    const response = await post('{"username":"ada","theme":"dark"}')
    expect(response.headers.get("cache-control")).toBe("no-store")
    const [status, { url, expires_at }] = await read(response)
    expect(status).toBe(200)
    expect(url).toMatch(/^https:\/\/api\.example\.com\/login\/link\/[\w-]{43}$/)
    const expiresMs = Date.parse(expires_at) - 120_000
    expect(expiresMs).toBeWithin(askedAt - 1_000, Date.now() + 1)
    links.push(url)
  }
  expect(new Set(links).size).toBe(2)
})

test("401: without the token, with a wrong one, with an API key", async () => {
  const { secret } = await program.issue("ada")
  for (const Authorization of ["", "Bearer wrong", `Bearer ${secret}`, `Basic ${token}`]) {
    const response = await post('{"username":"ada"}', { Authorization })
    expect(response.headers.get("www-authenticate")).toBe("Bearer")
    expect(await read(response)).toEqual(error(401))
  }
})

test("404: an unknown account; 403: a suspended one; the name is exact", async () => {
  const unknown = error(404)
  for (const username of ["nobody", "ADA", " ada", "", "ada@example.com"]) {
    expect(await read(await post(JSON.stringify({ username })))).toEqual(unknown)
  }
  expect(await read(await post('{"username":"bob"}'))).toEqual(error(403))
})

test("400: a body without a username; never a 500, whatever it is", async () => {
  const bodies = ["", "null", "[]", '"ada"', "{}", '{"username":7}', '{"username":"a\\u0000"}', "{"]
  const malformed = error(400)
  for (const body of bodies) expect(await read(await post(body))).toEqual(malformed)
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (body) => {
      expect([400, 404]).toContain((await post(body)).status)
    }),
    { numRuns: propertyRuns(50) },
  )
})

test("405: lists the allowed methods; 413: a long body", async () => {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await openapiFetch(`${program.url}/operator/links`, { headers })
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
  expect(await read(await post(`{"username":"${"a".repeat(65_536)}"}`))).toEqual(error(413))
})

test("404: without an operator token the path does not exist", async () => {
  const plain = await startProgram()
  const response = await fetch(`${plain.url}/operator/links`, { method: "POST", body: "{}" })
  expect(response.headers.get("pazar-reason")).toBe("unknown_path")
  await plain.close()
})

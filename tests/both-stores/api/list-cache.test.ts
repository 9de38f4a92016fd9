import { afterAll, beforeAll, expect, test } from "bun:test"
import { account, item } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { openapiFetch } from "../../harness/http/openapi-fetch.ts"
import { type Program, startProgram } from "../../harness/program.ts"

let program: Program
let key: string
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent" })
  const items = Array.from({ length: 450 }, (_, index) => item("ada", index + 1))
  await program.load([account("ada"), ...items])
  key = (await program.issue("ada")).secret
})
afterAll(() => program.close())

async function list(headers: Record<string, string> = {}) {
  const response = await openapiFetch(`${program.url}/api/items/all?api_key=${key}`, { headers })
  const { status } = response
  const { "request-id": _, date: __, ...kept } = Object.fromEntries(response.headers)
  return { status, headers: kept, text: await response.text() }
}

/** Repeats the request until the list is cached: the response then has a Content-Length. */
async function listRepeatedly(headers: Record<string, string>) {
  const responses = [await list(headers)]
  await until(async () => {
    const response = await list(headers)
    responses.push(response)
    return response.headers["content-length"]
  })
  return responses
}

const codings = [
  { coding: "packed", headers: { "Accept-Encoding": "gzip" } },
  { coding: "plain", headers: { "Accept-Encoding": "identity" } },
]

test.each(codings)("200: $coding, with the same ETag, text and headers", async ({ headers }) => {
  const [first, ...others] = await listRepeatedly(headers)
  const { "content-length": _, "transfer-encoding": __, ...named } = first?.headers ?? {}
  for (const other of others) {
    expect(other.text).toBe(first?.text ?? "")
    expect(other.headers).toMatchObject(named)
  }
  const tag = first?.headers.etag ?? ""
  expect((await list({ ...headers, "If-None-Match": tag })).status).toBe(304)
})

test.each(codings)("200: $coding, and the next response contains a change", async ({ headers }) => {
  const before = (await listRepeatedly(headers)).at(-1)
  await program.load([item("ada", 7, { name: `Renamed for ${headers["Accept-Encoding"]}` })])
  const after = await list(headers)
  expect(after.headers.etag).not.toBe(before?.headers.etag ?? "")
  expect(after.text).toContain(`Renamed for ${headers["Accept-Encoding"]}`)
  expect((await listRepeatedly(headers)).at(-1)?.text).toBe(after.text)
})

test("200: both renderings are cached separately", async () => {
  const turkish = (await listRepeatedly({ "Accept-Language": "tr" })).map(({ text }) => text)
  const english = (await listRepeatedly({ "Accept-Language": "en" })).map(({ text }) => text)
  expect(new Set(turkish.map((text) => text.slice(0, 22)))).toEqual(
    new Set(['{"status":"başarılı","']),
  )
  expect(new Set(english.map((text) => text.slice(0, 22)))).toEqual(
    new Set(['{"status":"success","i']),
  )
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { formatTimestamp } from "../../src/platform/time.ts"
import { readApiResponse } from "../harness/http/api-request.ts"
import { accountDetails } from "../harness/http/contract-messages.ts"
import { parseRaw, sendRaw } from "../harness/http/raw-http.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { until } from "../harness/until.ts"

const headers = {
  "cache-control": "no-store",
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
}
const probes = [
  { path: "/healthz", body: '{"status":"ok"}' },
  { path: "/readyz", body: '{"status":"ready"}' },
]
const unavailable = '{"status":"unavailable"}'

let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "debug" })
})
afterAll(() => program.close())

/** Retries if the database did not respond within a second, as on a busy machine. */
const response = (path: string, init: RequestInit = {}) =>
  until(async () => {
    const { reason: _, ...rest } = await readApiResponse(await fetch(`${program.url}${path}`, init))
    return rest.status === 503 ? undefined : rest
  })

describe.each(probes)("$path", ({ path, body }) => {
  const expected = {
    status: 200,
    body,
    headers: { ...headers, "content-length": `${body.length}` },
  }

  test("200: GET", async () => {
    expect(await response(path)).toEqual(expected)
    expect(await response(`${path}?verbose&lang=tr`)).toEqual(expected)
  })

  test("200: HEAD, without the body", async () => {
    expect(await response(path, { method: "HEAD" })).toEqual({ ...expected, body: "" })
  })

  test("200: HTTP/1.0 without a Host", async () => {
    const { status, body } = parseRaw(await sendRaw(program.url, `GET ${path} HTTP/1.0\r\n\r\n`))
    expect({ status, body }).toEqual({ status: 200, body: expected.body })
  })

  test("405: other methods", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const { status, headers } = await response(path, { method })
      expect([status, headers.allow]).toEqual([405, "GET, HEAD"])
    }
  })
})

test("probes are neither logged nor counted", async () => {
  await program.load([account("ada")])
  const { secret, key } = await program.issue("ada")
  const withKey = { headers: { "X-Api-Key": secret } }
  const before = program.logged()
  for (const { path } of probes) expect((await response(path, withKey)).status).toBe(200)
  expect(program.logged()).toBe(before)
  expect((await response(accountDetails.path, withKey)).status).toBe(200)
  const calls = await until(async () => {
    const at = formatTimestamp(program.app.now())
    return (await program.app.store.usage.findByKey(key.id, at))?.days.at(-1) || undefined
  })
  expect(calls).toBe(1)
})

test("503: an unreadable database; the process is healthy, and the response has no reason", async () => {
  const program = await startProgram()
  const sendRequest = async (path: string) => {
    const { status, body, headers } = await readApiResponse(await fetch(`${program.url}${path}`))
    return { status, body, retryAfter: headers["retry-after"] }
  }
  await queryStore(program, "ALTER TABLE metadata RENAME TO lost_marks")
  expect(await sendRequest("/readyz")).toEqual({ status: 503, body: unavailable, retryAfter: "5" })
  expect(await sendRequest("/healthz")).toEqual({
    status: 200,
    body: '{"status":"ok"}',
    retryAfter: undefined,
  })
  await queryStore(program, "ALTER TABLE lost_marks RENAME TO metadata")
  await until(async () => (await sendRequest("/readyz")).status === 200 || undefined)
  await program.close()
})

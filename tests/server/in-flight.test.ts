import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { once } from "node:events"
import { connect } from "node:net"
import { createInFlight, pagesMax, requestsMax } from "../../src/platform/http/in-flight.ts"
import { readApiResponse } from "../harness/http/api-request.ts"
import { errorBody, generalMessages, languages } from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

const inFlight = createInFlight()
let isPaused = false
function whilePaused<T>(form: Promise<T>): Promise<T> {
  isPaused = true
  return inFlight.whilePaused(form)
}
let program: Program
let key: string
beforeAll(async () => {
  program = await startProgram({}, {}, { ...inFlight, whilePaused })
  await program.load([account("ada"), item("ada", 1), purchase("abc", 1)])
  key = (await program.issue("ada")).secret
})
afterAll(() => program.close())

const fillPages = () => {
  while (inFlight.enterPage());
}
const fill = () => {
  fillPages()
  while (inFlight.enter());
}
afterEach(() => {
  expect([pagesMax, requestsMax]).toContain(inFlight.count())
  const others = inFlight.count() - pagesMax
  for (let page = 0; page < pagesMax; page += 1) inFlight.leavePage()
  for (let request = 0; request < others; request += 1) inFlight.leave()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  (/^\/(?:api|v3)/.test(path) ? openapiFetch : fetch)(`${program.url}${path}`, {
    headers: { "X-Api-Key": key, ...headers },
    redirect: "manual",
  })
const validate = (language = "en") =>
  openapiFetch(`${program.url}/api/purchases/validation?lang=${language}`, {
    method: "POST",
    body: new URLSearchParams({ api_key: key, purchase_code: "abc" }),
  })
const sale = () => get("/v3/market/author/sale?code=abc", { Authorization: `Bearer ${key}` })
const pages = ["/", "/docs", "/workspace/elif/items?q=a", "/console/x"]
const statusesOf = async (responses: readonly Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status)

test("503: the 201st page; the API still responds", async () => {
  fillPages()
  expect(await statusesOf(pages.map((path) => get(path)))).toEqual(pages.map(() => 503))
  expect(await statusesOf([validate(), sale(), get("/api/items/all")])).toEqual([200, 200, 200])
})

test("503: request 2,001 of any kind, except probes", async () => {
  fill()
  const requests = [
    validate(),
    sale(),
    get("/api/items/all"),
    get("/api/account/details"),
    get("/"),
  ]
  expect(await statusesOf(requests)).toEqual(requests.map(() => 503))
  expect(await statusesOf([get("/healthz"), get("/readyz")])).toEqual([200, 200])
})

describe("a rejected request", () => {
  test.each(languages)(
    "503: has Retry-After, never that a code is invalid (%s)",
    async (language) => {
      fill()
      const { status, reason, body, headers } = await readApiResponse(await validate(language))
      expect({ status, reason, body }).toEqual({
        status: 503,
        reason: "unavailable",
        body: errorBody(generalMessages.unavailable[language], language),
      })
      expect([headers["retry-after"], headers["content-language"]]).toEqual(["5", language])
    },
  )

  test("503: in Envato's format", async () => {
    fill()
    const response = await sale()
    expect(response.headers.get("retry-after")).toBe("5")
    expect(await response.json()).toEqual({ error: 503, description: expect.any(String) })
  })

  test.each(languages)(
    "503: a page in the visitor's language, with its style (%s)",
    async (language) => {
      fillPages()
      const page = await get("/workspace/elif", { "Accept-Language": language })
      const text = await page.text()
      const [, style = ""] = /href="(\/assets\/[^"]+\.css[^"]*)"/.exec(text) ?? []
      const { status } = await get(style)
      expect([page.status, page.headers.get("retry-after"), status]).toEqual([503, "5", 200])
      expect(text).toContain(`<html lang="${language}"`)
    },
  )
})

test.each([
  ["a validation", "/api/purchases/validation", () => true],
  ["a form", "/login", () => isPaused || undefined],
])("%s whose body has not arrived is not in flight", async (_, path, hasBegun) => {
  fill()
  inFlight.leavePage()
  const { hostname, port } = new URL(program.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nOrigin: ${program.url}\r\nexpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n`,
  )
  const [head] = await once(socket, "data")
  expect(String(head)).toStartWith("HTTP/1.1 100 ")
  await until(hasBegun)
  expect(await statusesOf([get("/login")])).toEqual([200])
  expect(await statusesOf([validate()])).toEqual([200])
  socket.write("123456789")
  await once(socket, "data")
  socket.destroy()
  inFlight.enterPage()
})

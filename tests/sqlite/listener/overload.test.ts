/** A thread with too much to do refuses requests, validations last and probes never. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { once } from "node:events"
import { connect } from "node:net"
import { rankOf, requestClasses } from "../../../src/domain/running/admission.ts"
import { readAnswer } from "../../both-stores/api/ask.ts"
import { errorBody, generalMessages, languages } from "../../both-stores/api/messages.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { describedFetch } from "../../harness/http/described-fetch.ts"
import { addOperator } from "../../harness/operators.ts"
import { type Program, startProgram } from "../../harness/program.ts"

let level = 0
let inFlight = 0
let paused = 0
let program: Program
let key: string
beforeAll(async () => {
  program = await startProgram(
    { PAZAR_METRICS_TOKEN: "m".repeat(32) },
    {},
    {
      enter(rank) {
        inFlight += 1
        return level < rank
      },
      leave() {
        inFlight -= 1
      },
      pause() {
        inFlight -= 1
        paused += 1
      },
      resume() {
        inFlight += 1
      },
    },
  )
  await program.load([account("ada"), item("ada", 1), purchase("abc", 1)])
  key = (await program.issue("ada")).secret
})
afterAll(() => program.close())

const get = (path: string, headers: Record<string, string> = {}) => {
  const ask = path.startsWith("/api") || path.startsWith("/v3") ? describedFetch : fetch
  return ask(`${program.url}${path}`, {
    headers: { "X-Api-Key": key, ...headers },
    redirect: "manual",
  })
}
const validate = (language = "en") =>
  describedFetch(`${program.url}/api/purchases/validation?lang=${language}`, {
    method: "POST",
    body: new URLSearchParams({ api_key: key, purchase_code: "abc" }),
  })
const sale = () => get("/v3/market/author/sale?code=abc", { Authorization: `Bearer ${key}` })

/** The status of one request of each kind while these classes are refused. */
async function statusesAt(refused: number) {
  level = refused
  const asked = {
    probes: [await get("/healthz"), await get("/readyz")],
    pages: [await get("/"), await get("/docs"), await get("/workspace/items?q=a")],
    lists: [await get("/api/items/all")],
    reads: [await get("/api/items/item?item_id=1"), await get("/api/account/details")],
    validations: [await validate(), await sale()],
  }
  level = 0
  const entries = Object.entries(asked).map(([name, answers]) => [
    name,
    [...new Set(answers.map(({ status }) => (status === 503 ? 503 : "served")))],
  ])
  return Object.fromEntries(entries)
}

test.each([0, 1, 2, 3, 4])("503: the first %d classes, and no probe", async (refused) => {
  const expected = requestClasses.map((each) => [each, [rankOf(each) <= refused ? 503 : "served"]])
  expect(await statusesAt(refused)).toEqual({
    probes: ["served"],
    ...Object.fromEntries(expected),
  })
  expect(inFlight).toBe(0)
})

describe("a refused request", () => {
  test.each(languages)(
    "503: says that it cannot tell, and when to come back (%s)",
    async (language) => {
      level = 4
      const { status, reason, body, headers } = await readAnswer(await validate(language))
      level = 0
      expect({ status, reason, body }).toEqual({
        status: 503,
        reason: "unavailable",
        body: errorBody(generalMessages.unavailable[language], language),
      })
      expect([headers["retry-after"], headers["content-language"]]).toEqual(["5", language])
    },
  )

  test("503: in Envato's shape", async () => {
    level = 4
    const answer = await sale()
    level = 0
    expect(answer.headers.get("retry-after")).toBe("5")
    expect(await answer.json()).toEqual({ error: 503, description: expect.any(String) })
  })

  test.each([["en"], ["tr"]])(
    "503: a page says so in the visitor's language, with its style (%s)",
    async (language) => {
      level = 1
      const page = await get("/workspace", { "Accept-Language": language })
      const text = await page.text()
      const [, style = ""] = /href="(\/assets\/[^"]+\.css[^"]*)"/.exec(text) ?? []
      const { status } = await get(style)
      level = 0
      expect([page.status, page.headers.get("retry-after"), status]).toEqual([503, "5", 200])
      expect(text).toContain(`<html lang="${language}"`)
    },
  )
})

test.each([
  ["a validation", "/api/purchases/validation"],
  ["a form", "/login"],
])("%s whose body has not arrived is not in flight", async (_, path) => {
  const { hostname, port } = new URL(program.url)
  const socket = connect(Number(port), hostname)
  const before = paused
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nOrigin: ${program.url}\r\nContent-Length: 9\r\n\r\n`,
  )
  await until(() => (paused > before ? true : undefined))
  expect(inFlight).toBe(0)
  socket.write("123456789")
  await once(socket, "data")
  expect(inFlight).toBe(0)
  socket.destroy()
})

test("503: the console does not ask the store whether it exists, and answers as any other path", async () => {
  await addOperator(program, "deniz")
  level = 1
  const [refused, unknown] = await Promise.all(
    ["/console/x", "/unknown/x"].map((path) => get(path)),
  )
  level = 0
  const bodyOf = async (answer: Response | undefined) =>
    (await answer?.text())?.replaceAll(/\/(?:console|unknown)\/x/g, "")
  expect([refused?.status, unknown?.status]).toEqual([503, 503])
  expect(await bodyOf(refused)).toBe(await bodyOf(unknown))
})

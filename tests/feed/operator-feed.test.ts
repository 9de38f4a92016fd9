import { afterAll, beforeAll, expect, test } from "bun:test"
import { createPazar } from "../../sdk/src/index.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, type Line, plainMedia, purchase, toFeed } from "../harness/records.ts"
import { until } from "../harness/until.ts"

const token = "operator-token-of-32-characters-or-more"
let program: Program
beforeAll(async () => {
  program = await startProgram({ PAZAR_OPERATOR_TOKEN: token })
})
afterAll(() => program.close())

const push = (body: string | ReadableStream, authorization = `Bearer ${token}`) =>
  openapiFetch(`${program.url}/operator/feed`, {
    method: "POST",
    headers: { Authorization: authorization },
    body,
  })
const validate = async (key: string, code: string) =>
  (await createPazar({ baseUrl: program.url, key, fetch: openapiFetch }).check(code)).state

test("200: a pushed sale is valid immediately", async () => {
  const pushed = await push(toFeed([account("ada"), item("ada", 1), purchase("abc", 1)]))
  expect(pushed.status).toBe(200)
  const { seconds, ...summary } = JSON.parse(await pushed.text())
  expect(summary).toEqual({
    accepted: 3,
    adjusted: 0,
    waiting: 0,
    rejected: 0,
    removed: 0,
    revoked: 0,
    restored: 0,
    refused: [],
  })
  expect(seconds).toBeNumber()
  const { secret } = await program.issue("ada")
  expect(await validate(secret, "abc")).toBe("valid")
  await push(toFeed([purchase("abc", 1, { revoked: true })]))
  expect(await validate(secret, "abc")).toBe("invalid")
})

test("200: an older state does not undo a push, and is counted as outdated", async () => {
  await push(toFeed([account("eda"), item("eda", 30), purchase("sold", 30, { revoked: true })]))
  const as_of = new Date(Date.now() - 60_000).toISOString()
  const late = await push(
    toFeed([purchase("sold", 30, { as_of }), purchase("older", 30, { as_of })]),
  )
  expect(late.status).toBe(200)
  expect(await late.json()).toMatchObject({ accepted: 2, rejected: 0, outdated: 1 })
  const { secret } = await program.issue("eda")
  expect(await validate(secret, "sold")).toBe("invalid")
  expect(await validate(secret, "older")).toBe("valid")
})

test("200: an older state does not undo a push without changes", async () => {
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
  await push(toFeed([account("efe"), item("efe", 31), purchase("kept", 31, { as_of: at(20) })]))
  await push(toFeed([purchase("kept", 31)]))
  const late = await push(toFeed([purchase("kept", 31, { as_of: at(10), revoked: true })]))
  expect(await late.json()).toMatchObject({ accepted: 1, outdated: 1, revoked: 0 })
  const { secret } = await program.issue("efe")
  expect(await validate(secret, "kept")).toBe("valid")
})

test("200: a timestamp in the future counts as now, and the response says how far it is ahead", async () => {
  await push(toFeed([account("ece"), item("ece", 40)]))
  const as_of = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const ahead = await push(toFeed([purchase("early", 40, { as_of }), purchase("now", 40)]))
  expect(ahead.status).toBe(200)
  const body = JSON.parse(await ahead.text())
  expect(body).toMatchObject({ accepted: 2, rejected: 0, ahead: { records: 1 } })
  expect(Math.round(body.ahead.seconds / 86_400)).toBe(3)
  const later = await push(toFeed([purchase("early", 40, { revoked: true })]))
  expect(await later.json()).toMatchObject({ accepted: 1, revoked: 1 })
})

test("200: records in other notations are normalized and counted", async () => {
  const lines = [
    account("cem", { balance: "12.50" }),
    item("cem", 10, { version: "v2.1", media: { ...plainMedia, screenshots: [] } }),
    purchase("of-cem", 10, { supported_until: null, price: 19 }),
    purchase("of-cem-2", 10),
  ]
  const response = await push(toFeed(lines))
  expect(response.status).toBe(200)
  const { accepted, adjusted, rejected } = JSON.parse(await response.text())
  expect({ accepted, adjusted, rejected }).toEqual({
    accepted: 4,
    adjusted: 3,
    rejected: 0,
  })
})

test("200: after a rejected item is corrected, its pending codes are valid without another push", async () => {
  const sales = [purchase("waits-1", 3030), purchase("waits-2", 3030)]
  const first = await push(
    toFeed([account("oya"), item("oya", 3030, { currency: "EURO" }), ...sales]),
  )
  expect(first.status).toBe(422)
  expect(await first.json()).toMatchObject({ accepted: 1, waiting: 2, rejected: 1 })
  const { secret } = await program.issue("oya")
  expect(await validate(secret, "waits-1")).toBe("invalid")
  const again = await push(toFeed(sales))
  expect(again.status).toBe(200)
  expect(await again.json()).toMatchObject({ accepted: 0, waiting: 2, rejected: 0, refused: [] })
  const fixed = await push(toFeed([item("oya", 3030)]))
  expect(await fixed.json()).toMatchObject({ accepted: 1, waiting: 0, rejected: 0 })
  expect(await validate(secret, "waits-1")).toBe("valid")
  expect(await validate(secret, "waits-2")).toBe("valid")
})

test("422: rejected lines are listed with all their problems, valid ones are stored", async () => {
  const lines = [
    account("bob"),
    item("bob", 2, { currency: "EURO", price: "one" }),
    { type: "item", id: 3, patch: true, version: "1" },
    item("nobody", 9),
    item("bob", 4),
    { type: "refund" },
  ]
  const response = await push(toFeed(lines))
  expect(response.status).toBe(422)
  const { seconds: _, ...result } = JSON.parse(await response.text())
  const problem = (member: string, code: string, params = {}) => ({
    member,
    reason: expect.any(String),
    code,
    params,
  })
  const first = problem("price", "not_an_object")
  const unknown = problem("id", "unknown_item", { id: "3" })
  const type = problem("type", "unknown_type")
  expect(result).toEqual({
    accepted: 2,
    adjusted: 0,
    waiting: 1,
    rejected: 3,
    removed: 0,
    revoked: 0,
    restored: 0,
    refused: [
      {
        line: 2,
        type: "item",
        identity: "2",
        ...first,
        problems: [first, problem("currency", "not_a_currency")],
      },
      { line: 3, type: "item", identity: "3", ...unknown, problems: [unknown] },
      { line: 6, ...type, problems: [type] },
    ],
  })
  expect(await program.app.store.accounts.findByUsername("bob")).not.toBeNull()
})

test("200: a problem with an image does not reject the item, and is reported", async () => {
  const profile = { ...Object(account("carol").profile), media: { avatar: "me.png", cover: null } }
  const lines = [
    account("carol", { profile }),
    item("carol", 21, { demo_link: "https://demo.example.com/my theme" }),
    item("carol", 22, { demo_link: "https://my shop/22", media: null, name: null }),
    purchase("carol–21", 21),
    purchase("carol-22", 22),
  ]
  const response = await push(toFeed(lines))
  const { seconds: _, ...result } = JSON.parse(await response.text())
  const problem = (member: string, code: string) => ({
    member,
    reason: expect.any(String),
    code,
    params: {},
  })
  expect({ status: response.status, ...result }).toEqual({
    status: 200,
    accepted: 5,
    adjusted: 4,
    rejected: 0,
    removed: 0,
    revoked: 0,
    restored: 0,
    defaulted: 2,
    refused: [],
    waiting: 0,
    defaults: [
      {
        line: 1,
        type: "account",
        identity: "carol",
        problems: [
          problem("profile.media.avatar", "not_a_url"),
          problem("profile.media.cover", "missing"),
        ],
      },
      {
        line: 3,
        type: "item",
        identity: "22",
        problems: [
          problem("demo_link", "not_a_url"),
          ...["name", "media.thumbnail", "media.preview_image"].map((field) =>
            problem(field, "missing"),
          ),
        ],
      },
    ],
  })
  const { secret } = await program.issue("carol")
  expect(await validate(secret, "carol-21")).toBe("valid")
  expect(await validate(secret, "carol–22")).toBe("valid")
})

test("422: a placeholder is not a purchase code", async () => {
  const sale = purchase("N/A", 21)
  const response = await push(toFeed([sale, { ...sale, purchase_code: "–" }]))
  expect(response.status).toBe(422)
  const { refused } = JSON.parse(await response.text())
  expect(refused.map(({ line, member }: Line) => [line, member])).toEqual([
    [1, "purchase_code"],
    [2, "purchase_code"],
  ])
})

test("422: a thousand rejected lines are listed, the rest counted", async () => {
  const response = await push("{}\n".repeat(1_500))
  expect(response.status).toBe(422)
  const { rejected, refused } = JSON.parse(await response.text())
  expect([rejected, refused.length]).toEqual([1_500, 1_000])
})

test("200: an empty feed is valid", async () => {
  const response = await push("")
  const { accepted, rejected } = JSON.parse(await response.text())
  expect([response.status, accepted, rejected]).toEqual([200, 0, 0])
})

test("200: a slow feed is stored as it arrives", async () => {
  const { secret } = await program.issue("bob")
  let send: (line: string) => void = () => {}
  let end: () => void = () => {}
  const body = new ReadableStream({
    start(controller) {
      send = (line) => controller.enqueue(new TextEncoder().encode(line))
      end = () => controller.close()
    },
  })
  const result = push(body)
  send(toFeed([purchase("trickle-1", 4)]))
  await until(async () => (await validate(secret, "trickle-1")) === "valid" || undefined)
  send(toFeed([purchase("trickle-2", 4)]))
  end()
  expect(JSON.parse(await (await result).text()).accepted).toBe(2)
})

test("401: without the token, with a wrong one, with an author's key", async () => {
  const { secret } = await program.issue("bob")
  for (const authorization of [
    "",
    "Bearer",
    "Bearer wrong",
    `Basic ${token}`,
    `Bearer ${secret}`,
  ]) {
    const response = await push(toFeed([account("eve")]), authorization)
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toBe("Bearer")
  }
  expect(await program.app.store.accounts.findByUsername("eve")).toBeNull()
})

test("405: GET", async () => {
  const response = await openapiFetch(`${program.url}/operator/feed`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
})

test("401: the operator's token is invalid on every other path", async () => {
  const response = await openapiFetch(`${program.url}/api/account/details?api_key=${token}`)
  expect(response.status).toBe(401)
})

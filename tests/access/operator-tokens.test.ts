import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { type Program, startProgram } from "../harness/program.ts"
import { account, purchase, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { queryStore, storeText } from "../harness/stores/stored-rows.ts"
import { openNewOperator } from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram()
  await program.load([account("ada")])
})
afterAll(() => program.close())

const pazar = (...args: readonly string[]) => runInProcess(program.folder, ["token", ...args])
const create = async (name: string, may: string) =>
  (await pazar("create", name, "--may", may)).stdout.trimEnd()
const rejection = (name: string) => ({
  status: 1,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^pazar: .*${name}.*\n$`)),
})

const post = (path: string, token: string, body: string) =>
  fetch(`${program.url}/operator/${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body,
  })
const push = (token: string, body = "") => post("feed", token, body)
const link = (token: string) => post("links", token, '{"username":"ada"}')
const untilPushed = (token: string, status: number) =>
  until(async () => ((await push(token)).status === status ? true : undefined))

const audit = async () =>
  (await program.app.store.audit.list({ accountId: null, kind: null }, null, 100)).map(
    ({ id: _, at: __, ...event }) => event,
  )
const ipRange = "127.0.0.0/24"

test("the paths exist only after the first token was created", async () => {
  for (const path of ["feed", "links", "openapi.json"]) {
    const response = await post(path, "any", "")
    expect([response.status, response.headers.get("pazar-reason")]).toEqual([404, "unknown_path"])
  }
  const token = await create("first", "feed")
  expect(token).toMatch(/^[\w-]{43}$/)
  await untilPushed(token, 200)
  expect((await push("wrong")).status).toBe(401)
  expect(await pazar("remove", "FIRST")).toEqual({
    status: 0,
    stdout: "",
    stderr: expect.stringMatching(/^.*\bfirst\b.*\n$/),
  })
  await untilPushed(token, 404)
})

test("403: a token is limited to its permissions and the OpenAPI description", async () => {
  const [feed, links] = [await create("feeds", "feed"), await create("links", "links")]
  await untilPushed(feed, 200)
  expect(await (await push(links)).json()).toEqual({
    status: "error",
    msg: expect.stringContaining('"feed"'),
  })
  const responses = [await push(links), await link(feed), await link(links)]
  expect(responses.map(({ status }) => status)).toEqual([403, 403, 200])
  for (const token of [feed, links]) {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(`${program.url}/operator/openapi.json`, { headers })
    expect(response.status).toBe(200)
  }
})

test("a token is rotated with or without overlap, and the database contains no token", async () => {
  const old = await create("shop", "feed,links")
  const { token: second, ...rotated } = JSON.parse((await pazar("rotate", "shop", "--json")).stdout)
  expect(rotated).toEqual({ name: "shop", may: ["feed", "links"], created_at: expect.any(String) })
  await untilPushed(second, 200)
  expect([(await push(old)).status, (await link(second)).status]).toEqual([200, 200])
  const [listed] = JSON.parse((await pazar("list", "--json")).stdout).slice(-1)
  expect(listed).toEqual({ ...rotated, old_expires_at: expect.any(String) })
  expect(Date.parse(listed.old_expires_at) - Date.parse(rotated.created_at)).toBe(86_400_000)

  const third = (await pazar("rotate", "shop", "--overlap", "0")).stdout.trimEnd()
  await untilPushed(third, 200)
  expect([(await push(old)).status, (await push(second)).status]).toEqual([401, 401])
  expect(JSON.parse((await pazar("list", "--json")).stdout).at(-1).old_expires_at).toBeNull()
  expect((await pazar("list")).stdout).toMatch(/\nshop +feed,links +\S+\n$/)
  const everything = await storeText(program)
  for (const token of [old, second, third]) expect(everything).not.toContain(token)
})

test("a rejected command says why", async () => {
  expect(await pazar("create", "SHOP", "--may", "feed")).toEqual(rejection("SHOP"))
  expect(await pazar("create", "pazar_operator_token", "--may", "feed")).toEqual(
    rejection("PAZAR_OPERATOR_TOKEN"),
  )
  expect(await pazar("create", "a b", "--may", "feed")).toEqual(rejection("64"))
  expect(await pazar("rotate", "none")).toEqual(rejection("none"))
  expect(await pazar("remove", "none")).toEqual(rejection("none"))
  for (const may of [[], ["--may", ""], ["--may", "feed,all"]]) {
    const { status, stderr } = await pazar("create", "other", ...may)
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^pazar: .*--may/)])
  }
})

describe("the audit log", () => {
  const variable = "operator-token-of-32-characters-or-more"
  beforeAll(async () => {
    await program.close()
    const now = new Date()
    program = await startProgram({ PAZAR_OPERATOR_TOKEN: variable }, {}, undefined, () => now)
    await program.load([account("ada")])
  })
  beforeEach(() => queryStore(program, "DELETE FROM audit_events"))

  const many = { account: null, subjectId: "", subjectName: "" } as const
  const command = { kind: "command", name: "", ipRange: "" } as const
  const authors = Array.from({ length: 250 }, (_, i) =>
    account(`a${i}`, { api_key: `key-no-${i}` }),
  )

  test("names the token and the IP range; a push and many keys are one entry each", async () => {
    const token = await create("nightly", "feed,links")
    await untilPushed(token, 200)
    expect((await push(token, toFeed([...authors, purchase("none", 99)]))).status).toBe(422)
    expect((await push(token, toFeed(authors))).status).toBe(200)
    expect((await link(token)).status).toBe(200)
    const actor = { kind: "token", name: "nightly", ipRange } as const
    const ada = { id: expect.any(Number), username: "ada" }
    expect(await audit()).toEqual([
      {
        kind: "account",
        action: "sign_in_link",
        actor,
        account: ada,
        subjectId: "ada",
        subjectName: "",
        count: 1,
      },
      { kind: "feed", action: "keys", actor, ...many, count: 250 },
      { kind: "feed", action: "pushed", actor, ...many, count: 500 },
      { kind: "token", action: "created", actor: command, ...many, subjectId: "nightly", count: 1 },
    ])
    const deniz = await openNewOperator(program, "deniz")
    const { text } = await deniz.get("/console/audit?kind=feed")
    for (const shown of ["nightly", ipRange, "Records pushed", "500 ", "250 "]) {
      expect(text).toContain(shown)
    }
  })

  test("has the keys of a file in one entry", async () => {
    const lines = ["f0", "f1"].map((name) => account(name, { api_key: `old key of ${name}` }))
    const imported = await runInProcess(program.folder, ["import", "-"], { input: toFeed(lines) })
    expect(imported.status).toBe(0)
    expect(await audit()).toEqual([
      { kind: "feed", action: "keys", actor: command, ...many, count: 2 },
    ])
  })

  test("has the records that a push stored before it was interrupted", async () => {
    const cut = new AbortController()
    const body = new ReadableStream({
      start: (feed) => feed.enqueue(new TextEncoder().encode(toFeed([account("early")]))),
    })
    const headers = { Authorization: `Bearer ${variable}` }
    const init = { method: "POST", headers, body, signal: cut.signal }
    const pushing = fetch(`${program.url}/operator/feed`, init).catch(() => null)
    const { accounts } = program.app.store
    await until(async () => (await accounts.findByUsername("early")) ?? undefined)
    cut.abort()
    await pushing
    const [event] = await until(async () => {
      const events = await audit()
      return events.length > 0 ? events : undefined
    })
    expect(event).toMatchObject({ action: "pushed", count: 1 })
  })

  test("has every change of a token", async () => {
    await create("brief", "feed")
    await pazar("rotate", "brief")
    await pazar("remove", "brief")
    const done = (await audit()).map(({ actor, action, subjectId }) => ({
      actor,
      action,
      subjectId,
    }))
    expect<readonly object[]>(done).toEqual(
      ["removed", "replaced", "created"].map((action) => ({
        actor: command,
        action,
        subjectId: "brief",
      })),
    )
  })

  test("names the token of the environment variable, which has all permissions", async () => {
    expect([(await push(variable)).status, (await link(variable)).status]).toEqual([200, 200])
    const actor = { kind: "token", name: "PAZAR_OPERATOR_TOKEN", ipRange }
    const done = (await audit()).map((event) => ({ actor: event.actor, action: event.action }))
    expect<readonly object[]>(done).toEqual([
      { actor, action: "sign_in_link" },
      { actor, action: "pushed" },
    ])
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { givePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  type Fields,
  keyIdOn,
  openSignedIn,
  openVisitor,
  type PageResponse,
  type Visitor,
  withoutFormTokens,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { storeState } from "../harness/stores/stored-rows.ts"

const keysPath = "/workspace/elif/settings/keys"
const unknownKeyId = "key_0000000000000000"
const keysOfMarcus = 2001

let program: Program
let elif: Visitor
let token: string
let keyOfMarcus: string
let secretOfElif: string

beforeAll(async () => {
  program = await startSampleWorkspace()
  await givePassword(program, "marcus")
  elif = await openSignedIn(program.url, "elif")
  token = await elif.formToken()
  keyOfMarcus = (await program.issue("marcus")).key.id
  secretOfElif = (await program.issue("elif")).secret
})
afterAll(() => program.close())

function bare({ status, headers, text }: PageResponse, id: string) {
  // The token of the form is masked anew in each response, so their compressed lengths differ.
  const comparable = [...headers].filter(([name]) => name !== "date" && name !== "content-length")
  return { status, headers: comparable, text: withoutFormTokens(text).replaceAll(id, "ID") }
}

const keyRoutes: readonly Readonly<{ method: string; path: string; fields?: Fields }>[] = [
  { method: "GET", path: "" },
  { method: "GET", path: "?done=renamed" },
  { method: "GET", path: "/replace" },
  { method: "GET", path: "/leak?done=found" },
  { method: "GET", path: "/first-call" },
  { method: "GET", path: "/revoke" },
  { method: "POST", path: "/reveal" },
  { method: "POST", path: "/hide" },
  { method: "POST", path: "/rename", fields: { name: "Mine now" } },
  { method: "POST", path: "/rename", fields: { name: "" } },
  { method: "POST", path: "/replace", fields: { form_id: "1111111111111111", overlap: "0" } },
  { method: "POST", path: "/revoke" },
]

describe("404: another author's key is indistinguishable from an unknown one, and is not changed", () => {
  test.each(keyRoutes)("$method $path", async ({ method, path, fields }) => {
    const sendRequest = (id: string) =>
      method === "GET"
        ? elif.get(`${keysPath}/${id}${path}`)
        : elif.post(`${keysPath}/${id}${path}`, { form_token: token, ...fields })
    const before = await storeState(program)
    const theirs = await sendRequest(keyOfMarcus)
    expect(bare(theirs, keyOfMarcus)).toEqual(bare(await sendRequest(unknownKeyId), unknownKeyId))
    expect(theirs.status).toBe(404)
    expect(await storeState(program)).toEqual(before)
  })
})

describe("200: a form with another author's key id creates a separate key", () => {
  async function keysOf(username: string) {
    const { id } = await requireAccount(program.app.store.accounts, username)
    return program.app.store.keys.list(id)
  }

  test("creating", async () => {
    const keysOfMarcus = await keysOf("marcus")
    const count = (await keysOf("elif")).length
    const create = (form_id: string) =>
      elif.post(`${keysPath}/new`, { form_token: token, form_id, kind: "sk", name: "Mine" })
    const responses = [await create(keyOfMarcus), await create("key_2222222222222222")]
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    // No response contains the id of the form, so none reveals whether it exists.
    const ids = responses.map(({ text }) => keyIdOn(text))
    expect(ids).not.toContain(keyOfMarcus)
    expect(ids).not.toContain("key_2222222222222222")
    expect(await keysOf("marcus")).toEqual(keysOfMarcus)
    expect((await keysOf("elif")).length).toBe(count + 2)
  })

  test("rotating", async () => {
    const keysOfMarcus = await keysOf("marcus")
    const replace = async (form_id: string) => {
      const { key } = await program.issue("elif")
      return elif.post(`${keysPath}/${key.id}/replace`, { form_token: token, form_id })
    }
    // The form with the first id has created a key of elif above.
    const responses = [await replace(keyOfMarcus), await replace("key_3333333333333333")]
    expect(responses.map(({ status }) => status)).toEqual([303, 200])
    expect(responses[0]?.location).not.toContain(keyOfMarcus)
    expect(await keysOf("marcus")).toEqual(keysOfMarcus)
  })

  test("the same form of two authors creates two keys", async () => {
    const marcus = await openSignedIn(program.url, "marcus")
    const fields = { form_id: "5555555555555555", kind: "sk", name: "Mine" }
    const created = [
      await elif.submit(`${keysPath}/new`, fields),
      await marcus.submit(`${marcus.home()}/settings/keys/new`, fields),
    ]
    const [keysOfElif, keysOfMarcus] = created.map(({ text }) => keyIdOn(text))
    expect([keysOfElif, keysOfMarcus]).not.toContain("")
    expect(keysOfElif).not.toBe(keysOfMarcus)
  })
})

test("422: a validation key cannot be created for another author's item", async () => {
  const create = (items: string) =>
    elif.post(`${keysPath}/new`, {
      form_token: token,
      form_id: "4444444444444444",
      kind: "vk",
      name: "Mine",
      scope: "some",
      items,
    })
  const before = await storeState(program)
  const theirs = await create(String(keysOfMarcus))
  expect(bare(theirs, String(keysOfMarcus))).toEqual(bare(await create("9999"), "9999"))
  expect(theirs.status).toBe(422)
  expect(await storeState(program)).toEqual(before)
})

test("303: ending another author's session has no effect", async () => {
  const marcus = await openSignedIn(program.url, "marcus")
  const { people, sessions } = program.app.store
  const [session] = await sessions.list((await people.findByName("marcus"))?.id ?? 0)
  const end = (sessionId: string) =>
    elif.post(`/workspace/elif/settings/security/sessions/${sessionId}`, { form_token: token })
  const theirs = await end(session?.id ?? "")
  expect(bare(theirs, "")).toEqual(bare(await end("session_none"), ""))
  expect(theirs.status).toBe(303)
  expect((await marcus.get(marcus.home())).status).toBe(200)
})

test("404: another author's item is indistinguishable from an unknown page", async () => {
  const [theirs, absent] = [
    await elif.get(`/workspace/elif/items/${keysOfMarcus}`),
    await elif.get("/workspace/elif/items/9999"),
  ]
  expect(bare(theirs, "")).toEqual(bare(absent, ""))
  expect(theirs.status).toBe(404)
})

test("200: another author's purchase code is indistinguishable from an unknown one", async () => {
  const check = async (purchase_code: string) => {
    const { status, text } = await elif.submit("/workspace/elif/check", { purchase_code })
    return { status, bareText: withoutFormTokens(text).replaceAll(purchase_code, "CODE") }
  }
  const theirs = "c74d97b0-1eae-457e-84aa-9d5bade97baf"
  const refundedOfMarcus = "3c59dc04-8e88-4024-8be9-079a5c74d079"
  const unknown = await check("00000000-0000-0000-0000-000000000000")
  expect([await check(theirs), await check(refundedOfMarcus)]).toEqual([unknown, unknown])
})

test("lists and searches contain nothing of another author", async () => {
  const paths = ["/workspace/elif/items?q=Northlight", keysPath, "/workspace/elif/settings/people"]
  const pages = await Promise.all([...paths, "/workspace/elif"].map((path) => elif.get(path)))
  const text = pages.map((page) => page.text).join("")
  expect(text).not.toContain(keyOfMarcus)
  expect(text).not.toContain(`/workspace/elif/items/${keysOfMarcus}`)
})

describe("an API key does not grant access to pages", () => {
  const ways: readonly [string, (key: string) => [string, Fields]][] = [
    ["as a parameter", (key) => [`/workspace?api_key=${key}`, {}]],
    ["as X-Api-Key", (key) => ["/workspace", { "X-Api-Key": key }]],
    ["as a bearer", (key) => ["/workspace", { Authorization: `Bearer ${key}` }]],
    ["as the session's cookie", (key) => ["/workspace", { Cookie: `pazar=${key}` }]],
  ]
  test.each(ways)("303: %s", async (_way, request) => {
    const [path, headers] = request(secretOfElif)
    const response = await openVisitor(program.url).get(path, headers)
    expect([response.status, response.location]).toEqual([
      303,
      `/login?${new URLSearchParams({ next: path })}`,
    ])
  })
})

describe("a session does not grant access to API operations", () => {
  const operations: readonly [string, string][] = [
    ["GET", "/api/account/details"],
    ["GET", "/api/items/all"],
    ["GET", "/api/items/item?item_id=1001"],
    ["POST", "/api/purchases/validation?purchase_code=8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"],
  ]
  test.each(operations)("401: %s %s", async (method, path) => {
    const response = await elif.sendRequest(path, { method })
    expect([response.status, response.headers.get("pazar-reason")]).toEqual([401, "missing_key"])
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

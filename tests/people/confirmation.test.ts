import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import type { StoredKey } from "../../src/keys/key.ts"
import { confirmationSeconds } from "../../src/people/session.ts"
import { secondsBefore } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { samplePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  type Fields,
  keyIdOn,
  openSignedIn,
  type PageResponse,
  type Visitor,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { queryStore, storeState } from "../harness/stores/stored-rows.ts"

const isWrongPassword = ({ text }: PageResponse) => unescapeHtml(text).includes("Wrong password.")
const keysPath = "/workspace/elif/settings/keys"

let program: Program
let elif: Visitor
let key: StoredKey
let forms = 0

beforeAll(async () => {
  program = await startSampleWorkspace()
})
afterAll(() => program.close())
beforeEach(async () => {
  elif = await openSignedIn(program.url, "elif")
  key = (await program.issue("elif")).key
})

const letTimePass = () =>
  queryStore(
    program,
    "UPDATE sessions SET confirmed_at = ?",
    secondsBefore(new Date(), confirmationSeconds + 1),
  )
const newFormId = () => `a-form-of-this-test-${++forms}`
const listKeys = () => program.app.store.keys.list(key.accountId)
const findKey = async (id: string) => (await listKeys()).find((each) => each.id === id)

type Action = Readonly<{ name: string; path: () => string; fields: () => Fields }>

const create: Action = {
  name: "create",
  path: () => `${keysPath}/new`,
  fields: () => ({
    form_id: newFormId(),
    kind: "vk",
    access: "everything",
    name: "Ödeme <sayfası>",
    requires_site: "1",
    expiry: "90",
    scope: "some",
    items: "1001, 1002",
  }),
}
const replace: Action = {
  name: "replace",
  path: () => `${keysPath}/${key.id}/replace`,
  fields: () => ({ form_id: newFormId(), overlap: "1h" }),
}
const revoke: Action = {
  name: "revoke",
  path: () => `${keysPath}/${key.id}/revoke`,
  fields: () => ({}),
}
const reveal: Action = {
  name: "reveal",
  path: () => `${keysPath}/${key.id}/reveal`,
  fields: () => ({}),
}
/** The page of a created or revealed key contains it; a revocation redirects. */
const isDone = ({ status, text }: PageResponse) => status === 303 || text.includes("data-secret")
const actions = [create, replace, revoke, reveal]

/** Keys and their events: all that a form may change only after the password. */
async function keysOnly() {
  const state = (await storeState(program)) as readonly unknown[]
  return state.slice(0, 2)
}

/** What the form of a page would send, but for its token and the password. */
function chosenIn({ text }: PageResponse): Fields {
  const chosen: Record<string, string> = {}
  const main = text.slice(text.indexOf("<main")).split("</form>")[0] ?? ""
  const attribute = (tag: string, name: string) =>
    unescapeHtml(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "")
  for (const [tag] of main.matchAll(/<input[^>]*>/g)) {
    const name = attribute(tag, "name")
    const isSent = !/type="(radio|checkbox)"/.test(tag) || tag.includes(' checked="')
    if (!isSent || ["", "form_token", "password"].includes(name)) continue
    const value = attribute(tag, "value")
    chosen[name] = name in chosen ? `${chosen[name]}, ${value}` : value
  }
  const [, select, options = ""] =
    /<select[^>]* name="(\w+)"[^>]*>(.*?)<\/select>/s.exec(main) ?? []
  const [option] = /<option[^>]*selected[^>]*>/.exec(options) ?? []
  return { ...chosen, ...(select && option && { [select]: attribute(option, "value") }) }
}

/** Submits the form, and then the page that asks for the password. */
async function sendAgain({ path, fields }: Action): Promise<PageResponse> {
  const confirmation = await elif.submit(path(), fields())
  return elif.submit(path(), { ...chosenIn(confirmation), password: samplePassword })
}

describe("422: a form submitted more than five minutes after the password requires it again", () => {
  test.each(actions)("$name", async ({ path, fields }) => {
    const before = await keysOnly()
    await letTimePass()
    const chosen = fields()
    const confirmation = await elif.submit(path(), chosen)
    expect(confirmation.status).toBe(422)
    expect(confirmation.text).toContain('type="password"')
    expect(isWrongPassword(confirmation)).toBe(false)
    expect(chosenIn(confirmation)).toEqual(chosen)
    for (const password of ["not this one", ""]) {
      const wrong = await elif.submit(path(), { ...chosen, password })
      expect([wrong.status, isWrongPassword(wrong)]).toEqual([422, true])
      expect(chosenIn(wrong)).toEqual(chosen)
    }
    expect(await keysOnly()).toEqual(before)
    const done = await elif.submit(path(), { ...chosen, password: samplePassword })
    expect(isDone(done)).toBe(true)
    expect(await keysOnly()).not.toEqual(before)
  })
})

describe("an author who has just signed in does not need it", () => {
  test.each(actions)("$name", async ({ path, fields }) => {
    expect(isDone(await elif.submit(path(), fields()))).toBe(true)
  })
})

test("200: a new key has all entered values, and is shown", async () => {
  await letTimePass()
  const created = await sendAgain(create)
  const found = await findKey(keyIdOn(created.text))
  const days =
    (Date.parse(found?.expiresAt ?? "") - Date.parse(found?.createdAt ?? "")) / 86_400_000
  // The key is created seconds after its expiry was selected.
  expect({ ...found, days: Math.round(days) }).toMatchObject({
    kind: "vk",
    name: "Ödeme <sayfası>",
    itemIds: [1001, 1002],
    isSiteRequired: true,
    days: 90,
  })
  expect(created.text).toMatch(/data-secret[^>]*>pzr_vk_\w{36}</)
})

test("200: a rotation has the selected overlap period", async () => {
  await letTimePass()
  const created = await sendAgain(replace)
  const [old, next] = [await findKey(key.id), await findKey(keyIdOn(created.text))]
  const hours = (Date.parse(old?.expiresAt ?? "") - Date.parse(old?.replacedAt ?? "")) / 3_600_000
  expect([hours, next?.name]).toEqual([1, key.name])
})

test("422: errors of a form are shown before the password is verified", async () => {
  await letTimePass()
  const rejected = await elif.submit(`${keysPath}/new`, {
    ...create.fields(),
    items: "7",
    password: "no",
  })
  expect([rejected.status, isWrongPassword(rejected)]).toEqual([422, false])
})

test("200: the forms have a password field five minutes after it was entered", async () => {
  const pages = ["new", `${key.id}/replace`, `${key.id}/revoke`, `${key.id}/leak`]
  const fields = async () =>
    (await Promise.all(pages.map((page) => elif.get(`${keysPath}/${page}`)))).map(
      ({ text }) => text.split('type="password"').length - 1,
    )
  expect(await fields()).toEqual([0, 0, 0, 0])
  await letTimePass()
  expect(await fields()).toEqual([1, 1, 1, 1])
})

test("a page submitted twice creates one key, and shows its secret once", async () => {
  await letTimePass()
  const chosen = create.fields()
  const count = (await listKeys()).length
  const confirm = () => elif.submit(create.path(), { ...chosen, password: samplePassword })
  const [created, again] = [await confirm(), await confirm()]
  expect((await listKeys()).length).toBe(count + 1)
  const secret = /pzr_vk_\w{36}/
  expect([created.status, secret.test(created.text)]).toEqual([200, true])
  expect([again.status, again.location]).toEqual([
    303,
    expect.stringMatching(/^\/workspace\/elif\/settings\/keys\/key_/),
  ])
  expect((await elif.get(again.location ?? "")).text).not.toMatch(secret)
})

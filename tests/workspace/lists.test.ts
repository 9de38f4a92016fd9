import { afterAll, beforeAll, expect, test } from "bun:test"
import { t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item } from "../harness/records.ts"
import { addUsage } from "../harness/stores/store-records.ts"

let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  const ids = Array.from({ length: 60 }, (_, index) => index + 1)
  // The lower the id, the newer the item, as after an import that lists the latest items first.
  const publishedAt = (id: number) => new Date(Date.UTC(2026, 0, 61 - id)).toISOString()
  const items = ids.map((id) =>
    item("elif", id, { published_at: publishedAt(id).replace(".000", ""), name: `Theme ${id}` }),
  )
  const many = Array.from({ length: 200 }, (_, index) =>
    item("cem", 1000 + index, { name: `Plugin ${1000 + index}` }),
  )
  await program.load([account("elif"), ...items, account("cem"), ...many])
  await givePassword(program, "elif")
  await givePassword(program, "cem")
  elif = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())

const idsOn = (text: string) => [
  ...new Set(
    [...text.matchAll(/class="row-link" href="\/workspace\/elif\/items\/(\d+)"/g)].map(([, id]) =>
      Number(id),
    ),
  ),
]

test("200: newest first sorts by the published date, also in a search", async () => {
  const [browsed, searched] = await Promise.all([
    elif.get("/workspace/elif/items"),
    elif.get("/workspace/elif/items?q=theme&sort=-published"),
  ])
  const newest = Array.from({ length: 50 }, (_, index) => index + 1)
  expect([idsOn(browsed.text), idsOn(searched.text)]).toEqual([newest, newest])
  const [, next = ""] = /rel="next" href="([^"]+)"/.exec(browsed.text) ?? []
  const rest = await elif.get(unescapeHtml(next))
  expect(idsOn(rest.text)).toEqual(Array.from({ length: 10 }, (_, index) => index + 51))
})

test("200: a search without a match stays on its page", async () => {
  const { status, text } = await elif.get("/workspace/elif/items?after=999&q=nothing")
  expect([status, idsOn(text)]).toEqual([200, []])
  expect(unescapeHtml(text)).toContain("No results match this filter.")
})

const ticksOn = (text: string) =>
  [...text.matchAll(/name="items" value="(\d+)"( checked)?/g)].map(([, id, checked]) => ({
    id: Number(id),
    isTicked: checked !== undefined,
  }))
const newKeyPath = ({ home }: Visitor) => `${home()}/settings/keys/new`

test("200: the items of a key can be searched, and a search keeps all entered and checked values", async () => {
  const cem = await openSignedIn(program.url, "cem")
  expect(ticksOn((await elif.get(newKeyPath(elif))).text)).toHaveLength(60)
  const first = await cem.get(newKeyPath(cem))
  expect(ticksOn(first.text)).toHaveLength(25)
  expect(unescapeHtml(first.text)).toContain(
    "The first 25 items, by name. Search for the others; selected items stay selected.",
  )
  const form = new URLSearchParams({
    form_token: await cem.formToken(),
    form_id: "a-form-of-this-test-1",
    kind: "vk",
    name: "In the <theme>",
    scope: "all",
    expiry: "90",
    q: "plugin 110",
    searched: "",
  })
  for (const id of ["1003", "1005"]) form.append("items", id)
  const sendRequest = () =>
    cem.sendRequest(newKeyPath(cem), {
      method: "POST",
      body: form,
      headers: { Origin: program.url },
    })
  // Submitted by Enter in the field, or by the button.
  for (const isButton of [false, true]) {
    if (isButton) form.set("search", "")
    const { status, text } = await sendRequest()
    expect(status).toBe(200)
    const found = Array.from({ length: 10 }, (_, index) => ({ id: 1100 + index, isTicked: false }))
    expect(ticksOn(text)).toEqual([
      { id: 1003, isTicked: true },
      { id: 1005, isTicked: true },
      ...found,
    ])
    expect(text).toContain('value="In the &lt;theme&gt;"')
    expect(text).toMatch(/<option value="90" selected/)
    expect(text).toMatch(/name="scope" value="some" checked/)
  }
  form.delete("search")
  form.set("searched", "plugin 110")
  form.set("scope", "some")
  form.append("items", "1107")
  expect((await sendRequest()).text).toContain("data-secret")
  const { id } = (await program.app.store.accounts.findByUsername("cem")) ?? { id: 0 }
  const [created] = await program.app.store.keys.list(id)
  expect(created?.itemIds).toEqual([1003, 1005, 1107])
})

test("200: some of very many selected items are shown, and all stay selected", async () => {
  const cem = await openSignedIn(program.url, "cem")
  const ids = Array.from({ length: 100 }, (_, index) => 1000 + index)
  const form = { form_id: "a-form-of-this-test-2", kind: "vk", q: "1150", items: ids.join(",") }
  const { text } = await cem.submit(newKeyPath(cem), form)
  expect(ticksOn(text).map(({ id }) => id)).toEqual([...ids.slice(0, 30), 1150])
  expect(text).toContain(`name="items" value="${ids.slice(30).join(",")}"`)
  expect(unescapeHtml(text)).toContain(t("and {n} more", { n: 70 }))
})

test("the overview leaves out requests with test keys", async () => {
  const [real, trial] = [await program.issue("elif"), await program.issue("elif", "tk")]
  const day = program.app.now().toISOString().slice(0, 10)
  const call = { operation: "validate_purchase", day } as const
  await addUsage(program.app.store, {
    calls: [
      { ...call, keyId: real.key.id, outcome: "ok", calls: 3 },
      { ...call, keyId: trial.key.id, outcome: "ok", calls: 70 },
      { ...call, keyId: trial.key.id, outcome: "unavailable", calls: 40 },
      { ...call, keyId: trial.key.id, outcome: "revoked_code", calls: 20 },
    ],
  })
  const { text } = await elif.get("/workspace/elif")
  expect(unescapeHtml(text)).toContain(
    t("{total request|requests}, {ok} successful.", { total: 3, ok: 3 }),
  )
})

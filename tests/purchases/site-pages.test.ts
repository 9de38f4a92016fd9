import { afterAll, beforeAll, expect, test } from "bun:test"
import { isolateDirection } from "../../src/platform/pages/elements.tsx"
import { t } from "../../src/platform/t.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { storeState } from "../harness/stores/stored-rows.ts"

const shownOf = (page: string) => unescapeHtml(textOf(page))

let program: Program
let ada: Visitor
let secret: string
beforeAll(async () => {
  program = await startProgram()
  const sold = ["one", "two", "many"].map((code) => purchase(`code-of-${code}`, 7))
  await program.load([account("ada"), item("ada", 7), ...sold])
  await program.load([account("bob"), item("bob", 8), purchase("code-of-bob", 8)])
  for (const name of ["ada", "bob"]) await givePassword(program, name)
  ada = await openSignedIn(program.url, "ada")
  secret = (await program.issue("ada", "vk", [7])).secret
})
afterAll(() => program.close())

const itemPath = "/workspace/ada/items/7"
const nameOfItem = isolateDirection("Ürün 7")

async function see(code: string, sites: readonly string[]): Promise<void> {
  const at = formatTimestamp(program.app.now())
  const seenSites = sites.map((site) => ({ code, site }))
  await program.app.store.sites.recordSeen(at, seenSites)
}

async function validate(code: string, site: string): Promise<string | null> {
  const body = new URLSearchParams({ api_key: secret, purchase_code: code, site })
  const response = await fetch(`${program.url}/api/purchases/validation`, { method: "POST", body })
  return response.headers.get("pazar-reason")
}

async function check(code: string, visitor = ada): Promise<string> {
  return (await visitor.submit(`${visitor.home()}/search`, { q: code })).location ?? ""
}

const sitesOf = async (code: string) =>
  (await program.app.store.sites.list(code)).map(({ site }) => site).toSorted()

test("a site limit is previewed, saved and blocks a new site; a release frees a slot for it", async () => {
  await see("code-of-one", ["a.com", "b.com"])
  await see("code-of-two", ["a.com", "dev.a.com"])
  const typed = { limit: "1", licence_0: "Extended", limit_0: "" }
  const preview = await ada.submit(`${itemPath}/sites`, typed, itemPath)
  expect(preview.status).toBe(200)
  expect(shownOf(preview.text)).toContain("1 of 3 purchases is on more than 1 site today.")

  const saved = await ada.submit(`${itemPath}/sites`, { ...typed, confirmed: "yes" }, itemPath)
  expect([saved.status, saved.location]).toEqual([303, `${itemPath}?done=sites`])
  const shown = await ada.get(saved.location ?? "")
  expect(shownOf(shown.text)).toContain("The site limit was saved and applies now.")
  expect(shown.text).toMatch(/id="limit" name="limit" type="text" value="1"/)
  expect(shownOf(shown.text)).toContain(`code-of-one Regular 2`)

  expect(await validate("code-of-two", "c.com")).toBe("site_limit")
  expect(await validate("code-of-one", "b.com")).toBe("ok")
  const purchasePath = await check("code-of-two")
  const { text } = await ada.get(purchasePath)
  expect(shownOf(text)).toContain(
    t("Active on {n site|sites}. The site limit is {limit}.", { n: 1, limit: 1 }),
  )
  expect(text).toContain('name="site" value="a.com"')
  expect(text).toContain('name="site" value="dev.a.com"')
  const { location } = await ada.submit(`${purchasePath}/release`, { site: "a.com" }, purchasePath)
  expect(location).toBe(`${purchasePath}?done=release&site=a.com`)
  const after = await ada.get(location ?? "")
  expect(shownOf(after.text)).toContain(
    `${t("{site} was released.", { site: "\u2068a.com\u2069" })} Undo`,
  )
  expect(await validate("code-of-two", "c.com")).toBe("ok")
  const events = await program.app.store.audit.list({ accountId: null, kind: "item" }, null, 9)
  expect(events.map(({ action, actor }) => [action, actor.name])).toEqual([["site_limit", "ada"]])
  const released = await program.app.store.audit.list(
    { accountId: null, kind: "purchase" },
    null,
    9,
  )
  expect(
    released.map(({ action, subjectId, subjectName }) => [action, subjectId, subjectName]),
  ).toEqual([["site_released", "code-of-two", "a.com"]])
})

test("the site limit of a purchase is set, wins over that of the item, and is removed", async () => {
  const { sites, audit } = program.app.store
  await sites.putLimits(7, { sites: 1, byLicense: {} })
  await program.load([purchase("code-of-agency", 7)])
  const path = await check("code-of-agency")
  const set = async (limit: string) => {
    const { status, location } = await ada.submit(`${path}/limit`, { site_limit: limit })
    return status === 303 ? shownOf((await ada.get(location ?? "")).text) : status
  }
  expect(await set(" 10000 ")).toContain("The site limit of this purchase was saved.")
  expect(shownOf((await ada.get(path)).text)).toContain(
    t("Active on {n site|sites}. The site limit is {limit}.", { n: 0, limit: 10_000 }),
  )
  for (const site of ["a.com", "b.com"]) expect(await validate("code-of-agency", site)).toBe("ok")
  for (const limit of ["0", "10001", "many", "-1"])
    expect(await set(limit)).toContain(
      "The site limit was not saved. Enter a number from 1 to 10,000, or leave the field empty.",
    )
  expect(await set("")).toContain("The site limit of this purchase was saved.")
  expect(await validate("code-of-agency", "c.com")).toBe("site_limit")
  const events = await audit.list({ accountId: null, kind: "purchase" }, null, 2)
  expect(events.map(({ action, subjectName }) => [action, subjectName])).toEqual([
    ["site_limit", ""],
    ["site_limit", "10000"],
  ])
  const bob = await openSignedIn(program.url, "bob")
  for (const own of [path, path.replace(ada.home(), bob.home())]) {
    expect((await bob.submit(`${own}/limit`, { site_limit: "5" })).status).toBe(404)
  }
})

test("a release is undone while the slot is free, and the audit log has both", async () => {
  const { sites, audit } = program.app.store
  await program.load([purchase("code-to-undo", 7)])
  await see("code-to-undo", ["a.com", "dev.a.com"])
  const path = await check("code-to-undo")
  const send = async (change: string, site: string) => {
    const { location } = await ada.submit(`${path}/${change}`, { site }, path)
    return shownOf((await ada.get(location ?? "")).text)
  }
  await send("release", "a.com")
  expect(await send("restore", "a.com")).toContain("The site is active again.")
  expect(await sitesOf("code-to-undo")).toEqual(["a.com", "dev.a.com"])
  await send("release", "a.com")
  expect(await validate("code-to-undo", "b.com")).toBe("ok")
  expect(await send("restore", "a.com")).toContain(
    "The site was not restored: another site uses its slot.",
  )
  expect(await sitesOf("code-to-undo")).toEqual(["b.com", "dev.a.com"])
  // A test site uses no slot: nothing is lost.
  expect(await send("release", "dev.a.com")).not.toContain("Undo")
  const events = await audit.list({ accountId: null, kind: "purchase" }, null, 4)
  expect(events.map(({ action, subjectName }) => [action, subjectName])).toEqual([
    ["site_released", "dev.a.com"],
    ["site_released", "a.com"],
    ["site_restored", "a.com"],
    ["site_released", "a.com"],
  ])
  await sites.release("code-to-undo", "b.com", null, formatTimestamp(program.app.now()))
})

test("two clicks from the overview release invented sites", async () => {
  const { sites } = program.app.store
  const limits = await sites.findLimits(7)
  await sites.putLimits(7, { sites: null, byLicense: {} })
  expect((await ada.get("/workspace/ada")).text).not.toContain("code-of-many")
  await see(
    "code-of-many",
    Array.from({ length: 11 }, (_, index) => `made-up-${index}.com`),
  )
  const { text } = await ada.get("/workspace/ada")
  expect(shownOf(text)).toContain(
    `${nameOfItem}: the code code-of-many is active on 11 sites. Check a code`,
  )
  await sites.putLimits(7, { sites: 12, byLicense: {} })
  expect(shownOf((await ada.get("/workspace/ada")).text)).toContain(
    `${nameOfItem}: the code code-of-many is active on 11 sites. The site limit is 12.`,
  )
  await sites.putLimits(7, { sites: 25, byLicense: {} })
  expect((await ada.get("/workspace/ada")).text).not.toContain("code-of-many")
  await sites.putLimits(7, limits)
  const purchasePath = await check("code-of-many")
  expect(text).toContain(`href="${purchasePath}"`)
  expect((await ada.get(purchasePath)).text).toContain('name="all" value="yes"')
  const { location } = await ada.submit(`${purchasePath}/release`, { all: "yes" }, purchasePath)
  expect(shownOf((await ada.get(location ?? "")).text)).toContain("All sites were released.")
  expect(await sitesOf("code-of-many")).toEqual([])
})

test("200: the page of a purchase with the maximum number of sites stays small", async () => {
  const length = 20
  for (let day = 10; day < 20; day += 1) {
    const sites = Array.from({ length }, (_, index) => `made-up-${day}-${index}.example.com`)
    const seenSites = sites.map((site) => ({ code: "code-of-many", site }))
    await program.app.store.sites.recordSeen(`2026-01-${day}T00:00:00Z`, seenSites)
  }
  expect(await sitesOf("code-of-many")).toHaveLength(200)
  const { text } = await ada.get(`${await check("code-of-many")}?lang=tr`)
  expect(text.match(/name="site"/g)).toHaveLength(200)
  expect(Buffer.byteLength(text)).toBeLessThan(120_000)
})

test("422: an invalid number stays in its field, and nothing is saved", async () => {
  const limits = await program.app.store.sites.findLimits(7)
  const wrong = [
    [{ limit: "0" }, "limit-error"],
    [{ limit: "10001" }, "limit-error"],
    [{ limit: "2", licence_0: "Regular", limit_0: "many" }, "limit_0-error"],
    [{ limit: "2", licence_0: "", limit_0: "3" }, "licence_0-error"],
  ] as const
  for (const [typed, id] of wrong) {
    const fields = { ...typed, confirmed: "yes" }
    const { status, text } = await ada.submit(`${itemPath}/sites`, fields, itemPath)
    expect([status, text.includes(`id="${id}"`)]).toEqual([422, true])
  }
  expect(await program.app.store.sites.findLimits(7)).toEqual(limits)
})

test("404: another author's item or purchase is indistinguishable from an unknown one, and is not changed", async () => {
  await see("code-of-bob", ["bob.com"])
  const bob = await openSignedIn(program.url, "bob")
  const pathOfBob = await check("code-of-bob", bob)
  const before = await storeState(program)
  const bare = (text: string) => text.replaceAll(/value="[^"]*"/g, "")
  const fields = { limit: "1", confirmed: "yes", site: "bob.com" }
  const pairs = [
    ["/workspace/ada/items/8/sites", "/workspace/ada/items/9/sites"],
    [`${pathOfBob.replace(bob.home(), ada.home())}/release`, "/workspace/ada/check/none/release"],
  ] as const
  for (const [theirs, none] of pairs) {
    const responses = [await ada.submit(theirs, fields), await ada.submit(none, fields)]
    expect(responses.map(({ status }) => status)).toEqual([404, 404])
    expect(bare(responses[0]?.text ?? "")).toBe(bare(responses[1]?.text ?? ""))
  }
  expect(await storeState(program)).toEqual(before)
  expect(await check("code-of-bob")).toBe("")
})

test("403: a cross-site form changes nothing", async () => {
  await see("code-of-one", ["a.com"])
  const purchasePath = await check("code-of-one")
  const [limits, sites] = [
    await program.app.store.sites.findLimits(7),
    await sitesOf("code-of-one"),
  ]
  for (const path of [`${purchasePath}/release`, `${itemPath}/sites`]) {
    const response = await ada.post(path, { all: "yes", limit: "", confirmed: "yes" })
    expect(response.status).toBe(403)
  }
  expect(await program.app.store.sites.findLimits(7)).toEqual(limits)
  expect(await sitesOf("code-of-one")).toEqual(sites)
})

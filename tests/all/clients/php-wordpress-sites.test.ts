/** Where a plugin's code is used: the address that is sent, another site, the limit, and activation by hand. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { fileURLToPath } from "node:url"
import { type FakePazar, startFakePazar } from "../../harness/http/fake-pazar.ts"
import { runPhp } from "../../harness/php/php.ts"
import { readWordPressTexts } from "../../harness/php/wordpress-texts.ts"

const harness = fileURLToPath(new URL("../../harness/php/wordpress-site.php", import.meta.url))
const away = "http://127.0.0.1:1"
const own = "site.example.com"
const title = 'Acme "Slider" <Pro>'
const { en, tr } = await readWordPressTexts()

let pazar: FakePazar
beforeAll(async () => {
  pazar = await startFakePazar()
})
afterAll(() => pazar.close())

type Fields = Readonly<Record<string, unknown>>

/** See wordpress-site.php. */
type Step = Readonly<{
  user?: "admin" | "editor"
  others?: Readonly<Record<string, readonly unknown[]>>
  server?: string
  locale?: string
  seconds?: number
  code?: string
  /** Options that the database has. */
  rows?: Fields
  /** The fields of a form, by its name. */
  form?: Readonly<Record<string, Fields>>
  query?: Fields
  /** The address that the site has from now on. */
  url?: string
  /** The answer of the filter pazar_site from now on. */
  sent?: unknown
  page?: string
  uninstall?: string
  isReleased?: boolean
  actions?: readonly string[]
}>

type Result = Readonly<{
  status?: number
  html?: string
  redirect?: string
  checked?: readonly string[]
  isValid: boolean
  mayUpdate: boolean
  rows: Fields
  autoload: Fields
}>

const at = (mode: string) => `${pazar.url}/${mode}/${Math.floor(Date.now() / 1000)}`

async function visit(steps: readonly Step[], changes: Fields = {}): Promise<readonly Result[]> {
  const options = { key: "pzr_vk_1", items: [7], keys: [pazar.pinned], timeout: 60, ...changes }
  const input = JSON.stringify({ options, steps })
  const { stdout, stderr } = await runPhp([harness], { input })
  expect(stderr).toBe("")
  return JSON.parse(stdout)
}

const save: Step = {
  user: "admin",
  code: "good",
  actions: ["init", "admin_menu", "admin_post_acme_slider_save"],
}
const page: Step = { actions: ["admin_menu"], page: "acme_slider" }
const release = (fields: Fields = {}): Step => ({
  form: { release: fields },
  actions: ["admin_post_acme_slider_release"],
})
const paste = (receipt: unknown): Step => ({
  form: { import: { receipt } },
  actions: ["admin_post_acme_slider_import"],
})
const settings = `https://${own}/wp-admin/options-general.php?page=acme_slider`

test("the own address is sent, in one spelling, and the receipt is for it alone", async () => {
  const offline = { ...page, server: away, seconds: 60 }
  const results = await visit([
    { ...save, server: at("signed") },
    { ...offline, url: "http://www.site.example.com:8080/shop" },
    { ...offline, url: "https://other.example.com" },
    { ...offline, url: "https://site.example.com" },
  ])
  expect(results.map(({ isValid }) => isValid)).toEqual([true, true, false, true])
})

test("after the site moved, the update that brings another key comes through, too", async () => {
  const moved = { url: "https://other.example.com", seconds: 60, actions: ["shutdown"] }
  const [, refused] = await visit([
    { ...save, server: at("signed") },
    { ...moved, server: at("401") },
  ])
  expect(refused).toMatchObject({ isValid: false, mayUpdate: true })
})

test("a copy of the site asks for itself, and leaves the first one its place", async () => {
  const before = pazar.releases.length
  const [, copy, released] = await visit([
    { ...save, server: at("signed") },
    { url: "https://staging.example.com", seconds: 60, actions: ["shutdown"] },
    release(),
  ])
  expect(copy).toMatchObject({ isValid: true, checked: ["acme_slider: valid server"] })
  expect(released?.isValid).toBe(false)
  expect(pazar.releases.slice(before)).toEqual(["good staging.example.com"])
})

test.each<Readonly<{ sent: unknown; releases: readonly string[] }>>([
  { sent: "machine-7", releases: ["good machine-7"] },
  { sent: "", releases: [] },
  { sent: null, releases: [`good ${own}`] },
  { sent: false, releases: [] },
])("the filter pazar_site changes what is sent: $sent", async ({ sent, releases }) => {
  const before = pazar.releases.length
  const [, shown] = await visit([
    { ...save, server: at("signed"), ...(sent !== null && { sent }) },
    page,
    release(),
  ])
  expect(shown?.isValid).toBe(true)
  expect(shown?.html?.includes('value="acme_slider_release"')).toBe(releases.length > 0)
  expect(pazar.releases.slice(before)).toEqual([...releases])
})

test("another site can use the code: the place is free, and the product stops here", async () => {
  const [, shown, released, after] = await visit([
    { ...save, server: at("signed") },
    page,
    release(),
    { ...page, query: { pazar_message: "released" } },
  ])
  expect(shown?.html).toContain('name="action" value="acme_slider_release"')
  expect(released).toMatchObject({
    isValid: false,
    redirect: `${settings}&pazar_message=released`,
    autoload: {},
  })
  expect(after?.html).toContain(en("released"))
  expect(after?.html).toContain('name="purchase_code" value=""')
})

test.each([
  { server: "http://127.0.0.1:1", message: "not_released" },
  { server: "503", message: "not_released" },
  { server: "429", message: "not_released" },
  { server: "429-for-a-day", message: "released_too_often" },
])("if the place cannot be freed, nothing changes: $server", async ({ server, message }) => {
  const [, released] = await visit([
    { ...save, server: at("signed") },
    { ...release(), server: server.startsWith("http") ? server : at(server) },
  ])
  expect(released).toMatchObject({
    isValid: true,
    redirect: `${settings}&pazar_message=${message}`,
  })
})

test("at the limit the buyer reads what to do, and can free the place of a site that is gone", async () => {
  const before = pazar.releases.length
  const [limited, english, turkish, notice, absent, freed] = await visit([
    { ...save, server: at("signed"), code: "full" },
    page,
    { ...page, locale: "tr_TR" },
    { locale: "en_US", actions: ["admin_notices"] },
    release({ site: "old.example.com" }),
    { ...page, query: { pazar_message: "absent" } },
  ])
  expect(limited?.checked).toEqual(["acme_slider: invalid site_limit"])
  expect(linkIn(english?.html)).toBeUndefined()
  expect(english?.html).toContain(en("site_limit", title))
  expect(english?.html).toContain(`${en("former")} <input class="regular-text" name="site"`)
  expect(turkish?.html).toContain(tr("site_limit", title))
  expect(turkish?.html).toContain(tr("former"))
  expect(notice?.html).toContain(en("site_limit", title))
  expect(absent).toMatchObject({ redirect: `${settings}&pazar_message=absent`, isValid: false })
  expect(absent?.autoload).toHaveProperty("acme_slider_code")
  expect(freed?.html).toContain(en("absent"))
  expect(pazar.releases.slice(before)).toEqual(["full old.example.com"])
})

test("only an administrator with the form can release or import", async () => {
  const forge = (step: Step): Step => ({ ...step, form: { save: {} } })
  const results = await visit([
    { ...save, server: at("signed") },
    { ...release(), user: "editor" },
    paste(""),
    { ...forge(release()), user: "admin" },
    forge(paste("")),
  ])
  expect(results.map(({ status, isValid }) => [status, isValid])).toEqual([
    [undefined, true],
    ...Array.from({ length: 4 }, () => [403, true]),
  ])
})

test("uninstalling frees the place of each site, and leaves nothing", async () => {
  const before = pazar.releases.length
  const row = { value: "good", autoload: "no" }
  const others = { 2: [{ acme_slider_code: row }, []], 3: [{}, []] }
  const [, after] = await visit([
    { ...save, server: at("signed") },
    { others, uninstall: "acme_slider", isReleased: true },
  ])
  expect(after).toMatchObject({ autoload: {}, others: { 2: [[], []], 3: [[], []] } })
  expect(pazar.releases.slice(before)).toEqual([`good ${own}`, "good two.example.com"])
})

test("uninstalling while the server is away asks once, and leaves nothing", async () => {
  const row = { value: "good", autoload: "no" }
  const [, after] = await visit([
    { ...save, server: at("signed") },
    {
      server: away,
      others: { 2: [{ acme_slider_code: row }, []] },
      uninstall: "acme_slider",
      isReleased: true,
    },
  ])
  expect(after).toMatchObject({ autoload: {}, others: { 2: [[], []] }, requests: [{}] })
})

const linkIn = (html = "") => /href="([^"]+\/activate#[^"]+)"/.exec(html)?.[1]

/** What the server's page shows for a link. */
async function lineOf(link = ""): Promise<string> {
  const { hash } = new URL(link.replaceAll("&#038;", "&"))
  const { key = "", nonce, ...rest } = Object.fromEntries(new URLSearchParams(hash.slice(1)))
  const response = await fetch(`${at("signed")}/api/purchases/validation`, {
    method: "POST",
    headers: { "X-Api-Key": key },
    body: new URLSearchParams({ purchase_code: "good", nonce: nonce ?? "", ...rest }),
  })
  const names = ["pazar-reason", "signature-input", "signature"]
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]))
  const { status } = response
  const body = await response.text()
  const members = { status, body, headers, nonce, key, code: "good", ...rest }
  return `pazar1.${Buffer.from(JSON.stringify(members)).toString("base64url")}`
}

test("where the server cannot be reached, the page links to activation by hand", async () => {
  const [empty, , tried, turkish, saved, active] = await visit([
    { ...page, user: "admin", server: away },
    save,
    page,
    { ...page, locale: "tr_TR" },
    { ...save, server: at("signed") },
    page,
  ])
  // No code was tried yet, so nothing says that there is no connection.
  expect(empty?.html).not.toContain("<details>")
  const link = linkIn(tried?.html)
  expect(link).toMatch(
    /^https:\/\/licences\.example\.com\/activate#key=pzr_vk_1&#038;nonce=[0-9a-f]{32}&#038;site=site\.example\.com$/,
  )
  expect(turkish?.html).toContain(`<summary>${tr("by_hand")}</summary>`)
  expect(linkIn(turkish?.html)).toBe(link)
  expect([saved?.isValid, linkIn(active?.html)]).toEqual([true, undefined])
})

test.each([
  { when: "a secret key", changes: { key: "pzr_sk_1" } },
  { when: "no pinned keys", changes: { keys: [] } },
])("with $when there is no activation by hand", async ({ changes }) => {
  const [, shown] = await visit([{ ...save, server: away }, page], changes)
  expect(shown?.html).not.toContain("<details>")
})

test("a pasted receipt activates the product", async () => {
  const [, shown] = await visit([{ ...save, server: away }, page])
  const line = await lineOf(linkIn(shown?.html))
  const [refused, told, taken, odd, fresh, later] = await visit([
    { ...paste("pazar1.AAAA"), user: "admin", server: away, rows: shown?.rows ?? {} },
    { ...page, query: { pazar_message: "not_imported" } },
    paste(line),
    paste([]),
    page,
    { ...page, seconds: 2 * 86_400 },
  ])
  expect(refused?.redirect).toBe(`${settings}&pazar_message=not_imported`)
  expect(told?.html).toContain(en("not_imported"))
  expect(taken).toMatchObject({
    isValid: true,
    redirect: settings,
    checked: ["acme_slider: valid receipt"],
    autoload: { acme_slider_code: "no", acme_slider_record: "no" },
  })
  expect(odd).toMatchObject({ isValid: true, redirect: `${settings}&pazar_message=not_imported` })
  // In time for the next one.
  expect([linkIn(fresh?.html), later?.isValid]).toEqual([undefined, true])
  expect(linkIn(later?.html)).not.toBe(linkIn(shown?.html))
  expect(linkIn(later?.html)).toBeString()
})

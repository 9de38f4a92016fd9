/** The PHP client in a plugin: the settings page, the daily event, the notice. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { fileURLToPath } from "node:url"
import { type FakePazar, startFakePazar } from "../../harness/http/fake-pazar.ts"
import { runPhp } from "../../harness/php/php.ts"
import { readWordPressTexts } from "../../harness/php/wordpress-texts.ts"

const site = fileURLToPath(new URL("../../harness/php/wordpress-site.php", import.meta.url))
const day = 86_400
const title = 'Acme "Slider" <Pro>'
const { en, tr } = await readWordPressTexts()

let pazar: FakePazar
beforeAll(async () => {
  pazar = await startFakePazar()
})
afterAll(() => pazar.close())

type Step = Readonly<{
  user?: "admin" | "editor"
  isAdminPage?: boolean
  /** Options and events of the other sites of a network, by id. */
  others?: Readonly<Record<string, readonly unknown[]>>
  server?: string
  locale?: string
  seconds?: number
  /** Typed into the form; a list if somebody changed the form. */
  code?: string | readonly string[]
  /** In the option of the code, by other hands. */
  stored?: unknown
  nonce?: string
  page?: string
  notice?: string
  /** A link that was followed. */
  link?: string
  uninstall?: string
  actions?: readonly (string | readonly unknown[])[]
}>

type Result = Readonly<{
  status?: number
  html?: string
  redirect?: string
  requests?: readonly Readonly<{
    method: string
    url: string
    redirection: number
    userAgent: string
  }>[]
  checked?: readonly string[]
  isValid: boolean
  isActive: boolean
  mayUpdate: boolean
  events: readonly unknown[]
  links: Record<string, string>
  meta: Record<string, string>
  others: unknown
  autoload: Record<string, string>
}>

const at = (mode: string) => `${pazar.url}/${mode}/${Math.floor(Date.now() / 1000)}`

async function visit(
  steps: readonly Step[],
  changes: Record<string, unknown> = {},
): Promise<readonly Result[]> {
  const options = { key: "pzr_vk_1", items: [7], keys: [pazar.pinned], timeout: 60, ...changes }
  const input = JSON.stringify({ options, steps })
  const { stdout, stderr } = await runPhp([site], { input })
  expect(stderr).toBe("")
  return JSON.parse(stdout)
}

const save = "admin_post_acme_slider_save"
const check = "acme_slider_check"
/** The link of the notice. */
const dismissal = `?_wpnonce=${new Bun.CryptoHasher("sha256").update("acme_slider_dismiss").digest("hex").slice(0, 10)}`

test("an administrator enters the code, and page loads ask nothing", async () => {
  const [saved, front] = await visit([
    { user: "admin", server: at("signed"), code: " good ", actions: ["init", "admin_menu", save] },
    { actions: ["init", "admin_notices"] },
  ])
  expect(saved).toMatchObject({
    isValid: true,
    redirect: "https://site.example.com/wp-admin/options-general.php?page=acme_slider",
    requests: [
      {
        method: "POST",
        url: "https://licences.example.com/api/purchases/validation",
        redirection: 0,
        userAgent: "pazar-php",
      },
    ],
    checked: ["acme_slider: valid server"],
    events: [{ minutes: 0, recurrence: "daily" }],
    autoload: { acme_slider_code: "no", acme_slider_record: "no" },
  })
  expect(front).toMatchObject({ isValid: true })
  expect([front?.html, front?.requests, front?.events.length]).toEqual([undefined, undefined, 1])
})

test("nobody else does, and no form of another site", async () => {
  const results = await visit([
    { user: "editor", server: at("signed"), code: "good", actions: [save] },
    { user: "admin", code: "good", nonce: "of another site", actions: [save] },
    { user: "editor", actions: ["admin_notices"] },
  ])
  expect(results.map(({ status, isValid, autoload }) => [status, isValid, autoload])).toEqual([
    [403, false, {}],
    [403, false, {}],
    [undefined, false, {}],
  ])
  expect(results[2]?.html).toBeUndefined()
})

test("the page escapes what it shows, in the reader's language", async () => {
  const code = `"><script>alert('%20\\1')`
  const [, english, turkish, editor] = await visit([
    { user: "admin", server: at("signed"), code, actions: ["admin_menu", save] },
    { page: "acme_slider" },
    { page: "acme_slider", locale: "tr_TR" },
    { page: "acme_slider", user: "editor" },
  ])
  expect(english?.html).toContain("<h1>Acme &quot;Slider&quot; &lt;Pro&gt;</h1>")
  expect(english?.html).toContain('value="&quot;&gt;&lt;script&gt;alert(&#039;%20\\1&#039;)"')
  expect(english?.html).toContain(en("unknown_code"))
  expect(turkish?.html).toContain(tr("unknown_code"))
  expect(editor?.html).toBeUndefined()
})

test("a notice tells those who can act, until the code is good", async () => {
  const notices = { actions: ["admin_notices"] }
  const [empty, , refused, editor, changed, , valid] = await visit([
    { user: "admin", server: at("signed"), ...notices },
    { code: "refunded", actions: [save] },
    notices,
    { ...notices, user: "editor" },
    { ...notices, user: "admin", notice: "" },
    { code: "good", actions: [save] },
    notices,
  ])
  expect(empty?.html).toContain("notice-warning")
  expect(empty?.html).toContain(en("none", title))
  expect(refused?.html).toContain("notice-error")
  expect(refused?.html).toContain(en("revoked_code"))
  expect([editor?.html, changed?.html, valid?.html]).toEqual([undefined, undefined, undefined])
})

test("the event asks once a day, and an hour after a failure", async () => {
  const [, early, failed, again, back] = await visit([
    { user: "admin", server: at("signed"), code: "good", actions: ["init", save] },
    { seconds: day - 60, actions: [check] },
    { seconds: 60, server: "http://127.0.0.1:1", actions: [check] },
    { seconds: 60, actions: [check] },
    { seconds: 3_600, server: at("signed"), actions: [check] },
  ])
  expect([early?.requests, again?.requests]).toEqual([undefined, undefined])
  expect(failed?.checked).toEqual(["acme_slider: valid receipt"])
  expect(failed?.events).toEqual([
    { minutes: 0, recurrence: "daily" },
    { minutes: 60, recurrence: false },
  ])
  expect(back?.checked).toEqual(["acme_slider: valid server"])
})

test("a code that is not valid is asked about within minutes, also after an admin page", async () => {
  const pages = ["init", "shutdown"]
  const results = await visit([
    {
      user: "admin",
      server: "http://127.0.0.1:1",
      code: "good",
      actions: ["init", save, "shutdown"],
    },
    { seconds: 59, isAdminPage: true, actions: pages },
    { seconds: 1, isAdminPage: true, actions: pages },
    { seconds: 119, isAdminPage: true, actions: pages },
    { seconds: 1, server: at("signed"), isAdminPage: true, actions: pages },
  ])
  expect(results.map(({ checked = [] }) => checked)).toEqual([
    ["acme_slider: unknown unreachable"],
    [],
    ["acme_slider: unknown unreachable"],
    [],
    ["acme_slider: valid server"],
  ])
  const retry = (minutes: number) => ({ minutes, recurrence: false })
  const daily = { minutes: 0, recurrence: "daily" }
  expect(results.map(({ events }) => events)).toEqual([
    ...[[daily, retry(1)], [daily, retry(1)], [daily, retry(2)], [daily, retry(2)], [daily]],
  ])
})

test("without cron, any page asks an hour after the event should have", async () => {
  const visitor = { user: "editor", actions: ["init", "shutdown"] } as const
  const results = await visit([
    { user: "admin", server: at("signed"), code: "good", actions: [save] },
    { ...visitor, seconds: day + 3_599 },
    { ...visitor, seconds: 1 },
    { ...visitor, seconds: 20 * day },
    { ...visitor, server: "http://127.0.0.1:1", seconds: 1 },
  ])
  const asked = ["acme_slider: valid server"]
  expect(results.map(({ checked = [] }) => checked)).toEqual([asked, [], asked, asked, []])
})

test("Save and check asks, even if the answer is of a minute ago", async () => {
  const [, again] = await visit([
    { user: "admin", server: at("signed"), code: "good", actions: [save] },
    { code: "good", actions: [save] },
  ])
  expect(again?.checked).toEqual(["acme_slider: valid server"])
})

test("saving a good code again keeps its receipt while the server is away", async () => {
  const results = await visit([
    { user: "admin", server: at("signed"), code: "good", actions: [save] },
    { seconds: 2 * day, server: "http://127.0.0.1:1", code: "good", actions: [save] },
    { code: "typo", actions: [save] },
    { code: "good", actions: [save] },
    { server: at("signed"), code: "good", actions: [save] },
  ])
  expect(results.map(({ checked }) => checked)).toEqual([
    ["acme_slider: valid server"],
    ["acme_slider: valid receipt"],
    ["acme_slider: unknown unreachable"],
    ["acme_slider: valid receipt"],
    ["acme_slider: valid server"],
  ])
})

test("a notice that was dismissed comes back when there is something else to say", async () => {
  const notices = { actions: ["admin_notices"] }
  const [shown] = await visit([{ user: "admin", server: at("signed"), ...notices }])
  const link = /href="([^"]+acme_slider_dismiss[^"]+)"/.exec(shown?.html ?? "")?.[1] ?? ""
  const dismiss = { link, actions: ["admin_post_acme_slider_dismiss"] }
  const [stranger, forged, dismissed, hidden, , other] = await visit([
    { user: "editor", server: at("signed"), ...dismiss },
    { ...dismiss, user: "admin", link: link.replace(/_wpnonce=\w+/, "_wpnonce=x") },
    dismiss,
    notices,
    { code: "refunded", actions: [save] },
    notices,
  ])
  expect([stranger?.status, forged?.status, forged?.meta]).toEqual([403, 403, {}])
  expect(dismissed?.redirect).toBe("https://site.example.com/wp-admin/")
  expect(hidden?.html).toBeUndefined()
  expect(other?.html).toContain(en("revoked_code"))
})

test("a server that does not answer is a timeout", async () => {
  const input = { server: at("hang"), user: "admin", code: "good", actions: [save] } as const
  const options = { key: "pzr_vk_1", items: [7], keys: [pazar.pinned], timeout: 0.2 }
  const { stdout } = await runPhp([site], { input: JSON.stringify({ options, steps: [input] }) })
  expect(JSON.parse(stdout)).toMatchObject([{ checked: ["acme_slider: unknown timeout"] }])
})

test("while the server refuses the key, the update comes through that brings another", async () => {
  const notices = { actions: [check, "admin_notices"] }
  const results = await visit([
    { user: "admin", server: at("signed"), code: "good", actions: [save] },
    { ...notices, seconds: 13 * day, server: at("401") },
    { ...notices, seconds: 2 * day },
    { ...notices, locale: "tr_TR" },
    { ...notices, locale: "en_GB", seconds: day, server: "http://127.0.0.1:1" },
    { ...notices, seconds: day, server: at("signed") },
  ])
  expect(results.map((each) => [each.isValid, each.isActive, each.mayUpdate])).toEqual([
    [true, true, true],
    [true, true, true],
    [false, true, true],
    [false, true, true],
    [false, true, false],
    [true, true, true],
  ])
  const [, hidden, refused, turkish, away, back] = results.map(({ html }) => html)
  expect([hidden, back]).toEqual([undefined, undefined])
  expect(refused).toContain(en("key_refused", title))
  expect(turkish).toContain(tr("key_refused", title))
  expect(away).toContain(en("receipt_expired"))
})

test("a key that was refused from the start is no matter of time either", async () => {
  const [saved, shown] = await visit([
    { user: "admin", server: at("401"), code: "good", actions: [save] },
    { actions: ["admin_notices"] },
  ])
  expect(saved).toMatchObject({ isValid: false, isActive: false, mayUpdate: true })
  expect(shown?.html).toContain(en("key_refused", title))
})

test("deactivating the plugin ends the event", async () => {
  const [, after] = await visit([
    { user: "admin", server: "http://127.0.0.1:1", code: "good", actions: ["init", save] },
    { seconds: 3_600, isAdminPage: true, actions: ["deactivate_acme.php", "shutdown"] },
  ])
  expect(after?.events).toEqual([])
})

const event = { at: 0, hook: check, arguments: [], recurrence: "daily" }
const row = { value: "good", autoload: "no" }
const rows = { acme_slider_code: row, acme_slider_record: row }

test("deactivating it for a network ends the event on every site", async () => {
  const others = { 2: [rows, [event]], 3: [{}, [event, { ...event, hook: "of_others" }]] }
  const [after] = await visit([
    { user: "admin", others, actions: ["init", ["deactivate_acme.php", true]] },
  ])
  const left = [{ ...event, hook: "of_others" }]
  expect([after?.events, after?.others]).toEqual([[], { 2: [rows, []], 3: [[], left] }])
})

test("uninstalling it leaves nothing, on any site of a network", async () => {
  const [used, after] = await visit([
    {
      user: "admin",
      server: at("signed"),
      link: dismissal,
      actions: ["admin_post_acme_slider_dismiss"],
    },
    { others: { 2: [rows, [event]] }, actions: ["init"], uninstall: "acme_slider" },
  ])
  expect(used?.meta).toEqual({ acme_slider_dismissed: "none" })
  const { events, meta, autoload, others } = after ?? {}
  expect([events, meta, autoload, others]).toEqual([[], {}, {}, { 2: [[], []] }])
})

test("the list of plugins links to the settings", async () => {
  const [page] = await visit([{ user: "admin", server: at("signed") }])
  const url = "https://site.example.com/wp-admin/options-general.php?page=acme_slider"
  expect(page?.links).toEqual({
    0: `<a href="${url}">${en("settings")}</a>`,
    deactivate: "Deactivate",
  })
})

test("a code that is no text is none", async () => {
  const [posted, stored] = await visit([
    { user: "admin", server: at("signed"), code: ["good"], actions: ["admin_menu", save] },
    { stored: ["good"], page: "acme_slider" },
  ])
  expect([posted?.redirect, posted?.checked]).toEqual([expect.any(String), undefined])
  expect(stored?.html).toContain('name="purchase_code" value=""')
})

test("nothing runs after a redirect", async () => {
  const redirect = "namespace Pazar { function wp_safe_redirect(): void { echo 'redirected'; } }"
  const script = `${redirect} namespace { require '${site}'; }`
  const steps = [
    { code: "", actions: [save] },
    { link: dismissal, actions: ["admin_post_acme_slider_dismiss"] },
  ]
  for (const step of steps) {
    const input = JSON.stringify({ options: { key: "k" }, steps: [{ user: "admin", ...step }] })
    expect(await runPhp(["-r", script], { input })).toMatchObject({ stdout: "redirected" })
  }
})

test("an unsigned answer with odd members is shown without them", async () => {
  const [, page] = await visit(
    [
      { user: "admin", server: at("odd-members"), code: "good", actions: ["admin_menu", save] },
      { page: "acme_slider" },
    ],
    { keys: [] },
  )
  expect(page?.html).toContain(`<p>${en("valid")}</p>`)
})

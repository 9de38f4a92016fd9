import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import {
  type ScriptedPazar,
  type ScriptedResponse,
  startScriptedPazar,
} from "../harness/http/scripted-pazar.ts"
import { runPhp } from "../harness/php/php.ts"
import { clientFolder } from "../harness/php/php-client.ts"

const harness = fileURLToPath(new URL("../harness/php/wordpress-site.php", import.meta.url))
const [hour, day] = [3_600, 86_400]
const own = "site.example.com"
const settings = `https://${own}/wp-admin/options-general.php?page=acme_slider`
const away = "http://127.0.0.1:1"

let pazar: ScriptedPazar
beforeAll(async () => {
  pazar = await startScriptedPazar()
})
afterAll(() => pazar.close())

type Fields = Readonly<Record<string, unknown>>

type Step = Readonly<{
  user?: "admin" | "editor"
  /** The open admin page, or absent on a visitor's page. */
  screen?: string
  /** Options and events of the other sites of a multisite network, by id. */
  others?: Readonly<Record<string, readonly unknown[]>>
  server?: string
  locale?: string
  /** The site has a translation of the text domain. */
  isTranslated?: true
  seconds?: number
  /** The submitted code, or a list from a manipulated form. */
  code?: string | readonly string[]
  /** The value of the code's option, set by somebody else. */
  stored?: unknown
  nonce?: string
  rows?: Fields
  /** The database cannot be written in this step. */
  readOnly?: true
  form?: Readonly<Record<string, Fields>>
  query?: Fields
  /** The value of the constant WP_HOME and of the database from this step on. */
  url?: string
  home?: string
  /** The return value of the filter pazar_site from this step on. */
  sent?: unknown
  page?: string
  notice?: string
  uninstall?: true
  actions?: readonly (string | readonly unknown[])[]
}>

type Result = Readonly<{
  status?: number
  html?: string
  redirect?: string
  requests?: readonly Fields[]
  checked?: readonly string[]
  isValid: boolean
  isActive: boolean
  mayUpdate: boolean
  events: readonly number[]
  links: Fields
  others: unknown
  rows: Fields
  autoload: Fields
}>

const at = (response: ScriptedResponse = {}, changes: Fields = {}) =>
  pazar.url({ at: Math.floor(Date.now() / 1000), response, ...changes })

async function visit(steps: readonly Step[], changes: Fields = {}): Promise<readonly Result[]> {
  const keys = [pazar.pin("a")]
  const options = { key: "pzr_vk_1", items: [7], keys, timeout: 60, ...changes }
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
const check = "acme_slider_check"
const page: Step = { actions: ["admin_menu"], page: "acme_slider" }
const notices: Step = { user: "admin", screen: "plugins", actions: ["admin_notices"] }
const adminPage: Step = { user: "admin", screen: "tools", actions: ["in_admin_footer", "shutdown"] }
const form = (verb: string, fields: Fields = {}): Step => ({
  form: { [verb]: fields },
  actions: [`admin_post_acme_slider_${verb}`],
})
const limited: ScriptedResponse = { reason: "site_limit" }

describe("the code", () => {
  test("is entered by an administrator, and page loads send no request", async () => {
    const [saved, front] = await visit([
      { ...save, server: at(), code: " good " },
      { actions: ["init", "shutdown"] },
    ])
    expect(saved).toMatchObject({
      isValid: true,
      isActive: true,
      redirect: settings,
      events: [day / 60],
      requests: [
        {
          method: "POST",
          redirection: 0,
          userAgent: "pazar-php",
          url: "https://licenses.example.com/api/purchases/validation",
        },
      ],
      checked: ["acme_slider: valid server"],
      autoload: { acme_slider_code: "no", acme_slider_record: "no" },
    })
    expect([front?.isActive, front?.requests, front?.events.length]).toEqual([true, undefined, 1])
  })

  test("cannot be entered by other roles, nor by a cross-site form", async () => {
    const others = ["release", "reclaim", "import"]
    const results = await visit([
      { ...save, user: "editor", server: at() },
      { ...save, nonce: "of another site" },
      ...others.map((verb) => ({ ...form(verb), user: "editor" as const })),
      ...others.map((verb) => ({ ...form(verb), form: { save: {} }, user: "admin" as const })),
    ])
    expect(results.map(({ status, autoload }) => [status, autoload])).toEqual(
      results.map(() => [403, {}]),
    )
  })

  test("that is not a string is ignored", async () => {
    const [posted, stored] = await visit([
      { ...save, server: at(), code: ["good"] },
      { stored: ["good"], page: "acme_slider", query: { pazar_message: ["released"] } },
    ])
    expect([posted?.redirect, posted?.checked]).toEqual([settings, undefined])
    expect(stored?.html).toContain('name="purchase_code" value=""')
  })

  test("is escaped", async () => {
    const code = `"><script>alert('%20\\1')`
    const [, shown] = await visit([{ ...save, server: at({ reason: "unknown_code" }), code }, page])
    expect(shown?.html).toContain("<h1>Acme &quot;Slider&quot; &lt;Pro&gt;</h1>")
    expect(shown?.html).toContain('value="&quot;&gt;&lt;script&gt;alert(&#039;%20\\1&#039;)"')
  })

  test("keeps its stored response through a mistyped code and an outage", async () => {
    const results = await visit([
      { ...save, server: at() },
      { ...save, seconds: 2 * day, server: away },
      { ...save, code: "typo" },
      { ...save, code: "GOOD" },
    ])
    expect(results.map(({ checked, isActive }) => [checked?.[0], isActive])).toEqual([
      ["acme_slider: valid server", true],
      ["acme_slider: valid receipt", true],
      ["acme_slider: unknown unreachable", false],
      ["acme_slider: valid receipt", true],
    ])
  })
})

describe("requests", () => {
  test("are sent by the event, a day after valid and an hour after a failure", async () => {
    const [, early, failed, again, back] = await visit([
      { ...save, server: at() },
      { seconds: day - 60, actions: [check] },
      { seconds: 60, server: away, actions: [check] },
      { seconds: 60, actions: [check] },
      { seconds: hour, server: at(), actions: [check] },
    ])
    expect([early?.requests, again?.requests]).toEqual([undefined, undefined])
    expect([failed?.checked, failed?.events]).toEqual([["acme_slider: valid receipt"], [60]])
    expect([back?.checked, back?.events]).toEqual([["acme_slider: valid server"], [day / 60]])
  })

  test("are never sent by a visitor's page, however late, nor by AJAX, nor for an editor", async () => {
    const steps: readonly Step[] = [
      { user: "editor", actions: ["init", "wp_footer", "shutdown"] },
      { user: "admin", actions: ["admin_init", "shutdown"] },
      { ...adminPage, user: "editor" },
    ]
    const results = await visit([
      { ...save, server: at() },
      ...steps.map((step, index) => ({ ...step, seconds: index === 0 ? 20 * day : 60 })),
    ])
    expect(results.slice(1).map(({ requests, isActive }) => [requests, isActive])).toEqual(
      steps.map(() => [undefined, true]),
    )
  })

  test("are sent after an admin page if the event does not run", async () => {
    const results = await visit([
      { ...save, server: away },
      { ...adminPage, seconds: 59 },
      { ...adminPage, seconds: 1 },
      { ...adminPage, seconds: 119 },
      { ...adminPage, seconds: 1, server: at() },
      { ...adminPage, seconds: day - 1 },
    ])
    const failed = ["acme_slider: unknown unreachable"]
    expect(results.map(({ checked = [] }) => checked)).toEqual([
      ...[failed, [], failed, [], ["acme_slider: valid server"], []],
    ])
    expect(results.map(({ events }) => events)).toEqual([[1], [1], [2], [2], [1440], [1440]])
  })

  test("a lost event is scheduled again, but not without a code", async () => {
    const row = { acme_slider_code: "good" }
    const [empty, lost] = await visit([
      { server: at(), actions: ["init"] },
      { rows: row, actions: ["init"] },
    ])
    expect([empty?.events, lost?.events]).toEqual([[], [0]])
  })

  test("end with the plugin, on every site of a multisite network", async () => {
    const event = { at: 0, hook: check, arguments: [], recurrence: false }
    const others = { 2: [{}, [event]], 3: [{}, [event, { ...event, hook: "of_others" }]] }
    const [, one, all] = await visit([
      { ...save, server: at() },
      { actions: ["deactivate_acme.php"] },
      { others, actions: [["deactivate_acme.php", true]] },
    ])
    expect(one?.events).toEqual([])
    expect(all?.others).toEqual({ 2: [[], []], 3: [[], [{ ...event, hook: "of_others" }]] })
  })
})

/** Every status that an administrator can read, by the response of the server. */
const statuses: readonly Readonly<{
  status: string
  server: () => string
  english: RegExp
  turkish: RegExp
  after?: ScriptedResponse
  options?: Fields
}>[] = [
  {
    status: "an unknown code",
    server: () => at({ reason: "unknown_code" }),
    english: /not found.*few minutes/,
    turkish: /bulunamadı/,
  },
  {
    status: "a refund",
    server: () => at({ reason: "revoked_code" }),
    english: /refunded/,
    turkish: /ters ibraz/,
  },
  {
    status: "a subscription that ended",
    server: () => at({ reason: "expired_code" }),
    english: /subscription/,
    turkish: /aboneli/,
  },
  {
    status: "another product",
    server: () => at({ item: 8 }),
    english: /another product/,
    turkish: /başka bir ürüne/,
  },
  {
    status: "the limit",
    server: () => at(limited),
    english: /as many sites/,
    turkish: /sayıda site/,
  },
  {
    status: "the limit on a site that was active",
    server: () => at(limited),
    english: /three days/,
    turkish: /üç gün/,
    after: {},
  },
  {
    status: "no server",
    server: () => away,
    english: /cannot be reached/,
    turkish: /ulaşılamıyor/,
  },
  {
    status: "a login page",
    server: () => at("html"),
    english: /did not come from/,
    turkish: /gelmedi/,
  },
  {
    status: "a false server",
    server: () => at({ for: { code: "another" } }),
    english: /did not come from/,
    turkish: /gelmedi/,
  },
  {
    status: "a signer that this version of the product does not know",
    server: () => at({ signed: "stranger" }),
    english: /this version of Acme/,
    turkish: /bu sürümünün tanımadığı/,
  },
  {
    status: "wrong codes of others from the same address",
    server: () => at({ status: 429, reason: "rate_limited" }),
    english: /wrong purchase codes.*address/,
    turkish: /yanlış satın alma kodu/,
  },
  {
    status: "a key that was revoked",
    server: () => at({ status: 401, reason: "revoked_key" }),
    english: /key of Acme/,
    turkish: /anahtarını/,
  },
  {
    status: "a suspended author",
    server: () => at({ status: 403, reason: "account_suspended" }),
    english: /key of Acme/,
    turkish: /anahtarını/,
  },
  {
    status: "a test key",
    server: () => at(),
    english: /test key/,
    turkish: /test anahtarı/,
    options: { key: "pzr_tk_PublicTestKeyOfTheSampleWorld049quFB" },
  },
]

describe("the administrator reads a sentence", () => {
  test.each(statuses)("about $status", async (row) => {
    const { server, english, turkish, after, options = {} } = row
    const before = after === undefined ? [] : [{ ...save, server: at(after) }]
    const steps = [
      ...before,
      { ...save, server: server() },
      page,
      notices,
      { ...page, locale: "tr_TR" },
      { ...notices, locale: "tr_TR" },
    ]
    const shown = (await visit(steps, options)).slice(-4).map(({ html = "" }) => html)
    for (const [index, html] of shown.entries()) {
      expect(html).toMatch(index < 2 ? english : turkish)
      const text = html.replace(/<[^>]+>|https:[^<]+/g, "")
      expect(text).not.toMatch(/[a-z]_[a-z]|\b(?:invalid|unknown)\b/)
    }
    expect(shown[1]).toContain("is-dismissible")
  })

  test("about a database that cannot be written", async () => {
    const full = { readOnly: true } as const
    const steps: readonly Step[] = [
      { ...save, ...full, server: at() },
      { ...page, ...full, query: { pazar_message: "store_not_writable" } },
      { rows: { acme_slider_code: "good" } },
      { ...adminPage, ...full },
      { ...page, ...full },
      { ...notices, ...full },
      { ...save, server: at() },
      { ...notices, ...full, seconds: hour },
      { ...notices, ...full, seconds: day },
      { ...adminPage, ...full },
      { ...notices, locale: "tr_TR", ...full },
      notices,
    ]
    const [saved, asked, , due, shown, notice, , fresh, overdue, unsent, turkish, writable] =
      await visit(steps)
    expect(saved?.redirect).toBe(`${settings}&pazar_message=store_not_writable`)
    for (const each of [asked, shown, notice, overdue]) {
      expect(each?.html).toContain("database cannot be written")
    }
    expect(turkish?.html).toContain("veritabanına yazılamıyor")
    expect([due?.requests, unsent?.requests]).toEqual([undefined, undefined])
    expect([fresh?.html, writable?.html]).toEqual([undefined, undefined])
    expect([overdue?.isActive, turkish?.isActive]).toEqual([true, true])
  })

  test("where the newer version is, if the key of this one is rejected", async () => {
    const [, , rejected, asked] = await visit([
      { ...save, server: at({ status: 401, reason: "revoked_key" }) },
      { ...page, locale: "tr_TR" },
      { ...page, locale: "en_US" },
      {
        ...page,
        server: at({ status: 429, reason: "rate_limited" }),
        actions: [check, "admin_menu"],
        seconds: hour,
      },
    ])
    const link = '<a href="https://acme.example.com/slider">https://acme.example.com/slider</a>'
    expect(rejected?.html).toContain(`or contact its author. ${link}</p>`)
    expect(asked?.html).not.toContain(link)
  })

  test("after an outage of months the product is active, can be updated, and shows the outage", async () => {
    const [, shown] = await visit([
      { ...save, server: at() },
      { ...notices, server: away, seconds: 200 * day, actions: [check, "admin_notices"] },
    ])
    expect(shown).toMatchObject({ isActive: true, mayUpdate: true, isValid: false })
    expect(shown?.html).toContain("keeps working")
  })

  test("only on pages where it helps, and only if there is a problem", async () => {
    const [empty, elsewhere, editor, changed, , valid] = await visit([
      { ...notices, server: at() },
      { ...notices, screen: "edit-post" },
      { ...notices, user: "editor" },
      { ...notices, notice: "" },
      save,
      { ...notices, url: settings },
    ])
    expect(empty?.html).toContain("Enter the purchase code of Acme &quot;Slider&quot; &lt;Pro&gt;")
    expect([elsewhere, editor, changed, valid].map((each) => each?.html)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    )
  })

  test("in Turkish, for every text", () => {
    const source = readdirSync(`${clientFolder}/src`)
      .filter((name) => name.startsWith("wordpress"))
      .map((name) => readFileSync(`${clientFolder}/src/${name}`, "utf8"))
      .join("\n")
    const literal = /'((?:[^'\\]|\\.)*)'/.source
    const pairs = source.matchAll(
      new RegExp(`::text\\(__\\(${literal}, 'pazar'\\), ${literal}\\)`, "g"),
    )
    const texts = [...pairs].map(([, english = "", turkish = ""]) => [english, turkish] as const)
    expect(texts.length).toBeGreaterThan(30)
    expect(texts.length).toBe(source.split("__('").length - 1)
    const placeholders = (text: string) => text.match(/%s/g)?.length ?? 0
    for (const [english, turkish] of texts) {
      expect(turkish).not.toBe(english)
      expect(placeholders(turkish)).toBe(placeholders(english))
    }
  })

  test("in an installed translation, which takes precedence over the built-in one", async () => {
    const [shown] = await visit([{ ...page, server: at(), locale: "tr_TR", isTranslated: true }])
    expect(shown?.html).toContain("translated: Enter the purchase code")
  })
})

describe("the site", () => {
  const sentBy = (id: string, path?: string) => pazar.forms(id, path).map(({ site }) => site)

  test.each([
    { what: "the option home", steps: [{}], sites: [own] },
    { what: "not the constant", steps: [{ url: "https://scanner.invalid" }], sites: [own] },
    {
      what: "the name of the filter",
      steps: [{ sent: "Machine 7" }],
      sites: ["Machine 7"],
    },
    { what: "not nothing", steps: [{ sent: "" }], sites: [own] },
    { what: "not whitespace", steps: [{ sent: " \u200b" }], sites: [own] },
    { what: "not false", steps: [{ sent: false }], sites: [own] },
    {
      what: "nothing, if the author allows it",
      steps: [{ sent: "" }],
      sites: [undefined],
      options: { allow_no_site: true },
    },
    {
      what: "the host of home, in one spelling",
      steps: [{ home: "http://www.Site.example.com:8080/shop" }],
      sites: [own],
    },
  ])("is $what", async ({ steps, sites, options = {} }) => {
    const id = crypto.randomUUID()
    await visit(
      steps.map((step) => ({ ...save, ...step, server: at({}, { id }) })),
      options,
    )
    expect(sentBy(id)).toEqual([...sites])
  })

  test("a forged Host header changes nothing and sends nothing", async () => {
    const id = crypto.randomUUID()
    const server = at({}, { id })
    const strange = { url: "https://scanner.invalid", actions: ["init", "wp_footer", "shutdown"] }
    const results = await visit([
      { ...save, server },
      { ...strange, seconds: 60 },
      { ...strange, seconds: 2 * day },
      { ...strange, actions: [check] },
      { url: `https://${own}` },
    ])
    expect(results.map(({ isActive }) => isActive)).toEqual(results.map(() => true))
    expect(sentBy(id)).toEqual([own, own])
  })

  test("two domains of one installation are both active, also with a filter that distinguishes them", async () => {
    const second = { sent: "second.example.com", url: "https://second.example.com" }
    const first = { sent: own, url: `https://${own}` }
    const results = await visit([
      { ...save, ...first, server: at() },
      { ...second, seconds: 60, actions: [check] },
      { ...first, server: away },
      { ...second },
      { ...first, seconds: 2 * day, actions: [check] },
      { ...second },
    ])
    expect(results.map(({ isActive }) => isActive)).toEqual(results.map(() => true))
  })

  test("a copy of the site under another URL is validated separately", async () => {
    const id = crypto.randomUUID()
    const [, , checked] = await visit([
      { ...save, server: at({}, { id }) },
      { home: "https://staging.example.org" },
      { actions: [check] },
    ])
    expect([checked?.isValid, sentBy(id)]).toEqual([true, [own, "staging.example.org"]])
  })

  test("is released for another site, which deactivates the product", async () => {
    const id = crypto.randomUUID()
    const [, shown, released, after] = await visit([
      { ...save, server: at({}, { id }) },
      page,
      form("release"),
      { ...page, query: { pazar_message: "released" } },
    ])
    expect(shown?.html).toContain('name="action" value="acme_slider_release"')
    const redirect = `${settings}&pazar_message=released`
    expect(released).toMatchObject({ isActive: false, redirect, events: [day / 60] })
    expect(released?.autoload).toEqual({})
    expect(after?.html).toContain("The slot is free.")
    expect(sentBy(id, "api/purchases/release")).toEqual([own])
  })

  test.each([
    { server: () => away, message: "not_released" },
    {
      server: () => at({}, { release: { status: 503, reason: "unavailable" } }),
      message: "not_released",
    },
    {
      server: () => at({}, { release: { status: 429, reason: "rate_limited", retryAfter: day } }),
      message: "too_many_releases",
    },
  ])("that cannot be released stays active: $message", async ({ server, message }) => {
    const [, released, shown] = await visit([
      { ...save, server: at() },
      { ...form("release"), server: server() },
      { ...page, query: { pazar_message: message } },
    ])
    expect(released).toMatchObject({
      isActive: true,
      redirect: `${settings}&pazar_message=${message}`,
    })
    expect(shown?.html).toContain("notice-info")
  })
})

describe("a site that moved to another host", () => {
  const moved = { home: "https://new.example.com" }
  const front = { user: "editor", actions: ["init", "wp_footer", "shutdown"] } as const

  test("is active, and a visitor's page plans the request for now, once", async () => {
    const id = crypto.randomUUID()
    const [, seen, again, checked, later] = await visit([
      { ...save, server: at({}, { id }) },
      { ...moved, ...front },
      { ...front, seconds: 5 },
      { actions: [check] },
      { ...front },
    ])
    expect(seen).toMatchObject({ isActive: true, isValid: false, mayUpdate: false, events: [0] })
    expect([seen?.requests, again?.requests, again?.events]).toEqual([undefined, undefined, [0]])
    expect(checked).toMatchObject({ isActive: true, isValid: true, events: [day / 60] })
    expect(later?.events).toEqual([day / 60])
    expect(pazar.forms(id).map(({ site }) => site)).toEqual([own, "new.example.com"])
  })

  test("moves its license with one button where the limit is full", async () => {
    const id = crypto.randomUUID()
    const full = at(limited, { id, release: { status: 503, reason: "unavailable" } })
    const [, grace, shown, refused, done, after] = await visit([
      { ...save, server: at() },
      { ...moved, ...adminPage, actions: [check], server: full },
      page,
      form("move"),
      { ...form("move"), server: at({}, { id, release: {} }) },
      page,
    ])
    expect(grace).toMatchObject({ isActive: true, isValid: false })
    expect(shown?.html).toMatch(
      /acme_slider_move.*This site was site\.example\.com: move the license here/s,
    )
    expect(shown?.html).not.toContain("Use it here again")
    expect(refused?.redirect).toContain("pazar_message=not_released")
    expect(done).toMatchObject({ isValid: true, redirect: expect.not.stringContaining("message") })
    expect(after?.html).not.toContain("This site was")
    const releases = pazar.forms(id, "api/purchases/release")
    expect(releases.map(({ purchase_code: _, ...fields }) => fields)).toEqual([
      { site: own },
      { site: own },
    ])
  })

  test.each([
    { what: "at the limit", server: () => at(limited), days: [2.9, 0.2], active: [true, false] },
    { what: "without the server", server: () => away, days: [2.9, 0.2], active: [true, false] },
    {
      what: "never after a refund",
      server: () => at({ reason: "revoked_code" }),
      days: [0, 0],
      active: [false, false],
    },
  ])("stays active for three days, $what", async ({ server, days, active }) => {
    const results = await visit([
      { ...save, server: at() },
      { ...moved, ...adminPage, seconds: day / 2, server: server(), actions: [check] },
      ...days.map((each) => ({ seconds: each * day })),
    ])
    expect(results.slice(2).map(({ isActive }) => isActive)).toEqual([...active])
  })

  test.each([
    { what: "a test site", from: { home: "http://localhost" }, options: {}, seconds: 60 },
    { what: "a site that was last valid weeks ago", from: {}, options: {}, seconds: 15 * day },
    { what: "no site", from: { sent: "" }, options: { allow_no_site: true }, seconds: 60 },
  ])("does not count after $what", async ({ from, options, seconds }) => {
    const [first, second] = await visit(
      [
        { ...save, ...from, server: at() },
        { ...moved, sent: "new.example.com", seconds, server: away },
      ],
      options,
    )
    expect([first?.isActive, second?.isActive]).toEqual([true, false])
  })

  test.each([
    ["nothing", "", "", true],
    ["the purchase", "Regular", "Extended", false],
    ["a later expiry", "expires=1", "expires=9", false],
    ["a later creation", "created=1", "created=2", false],
    ["the code", '"code":"good"', '"code":"made-up"', false],
    ["the site", '"site":"site.example.com"', '"site":"sites.example.com"', false],
    ["the signature", '"signature":"pazar=:', '"signature":"pazar=:AAAA', false],
  ])(
    "whose stored response was edited is active only if it verifies: %s",
    async (_, from, to, isActive) => {
      const [saved] = await visit([{ ...save, server: at() }])
      const text = String(saved?.rows.acme_slider_record)
      expect(text).toContain(from)
      const rows = { acme_slider_code: "good", acme_slider_record: text.replace(from, to) }
      const results = await visit([{ ...moved, rows, server: away }, { actions: [check] }])
      expect(results.map((each) => each.isActive)).toEqual([isActive, isActive])
    },
  )

  test("does not begin again after it was released, nor by another code", async () => {
    const results = await visit([
      { ...save, server: at() },
      { ...moved, ...save, code: "made-up", server: away },
      { ...save, server: at() },
      form("release"),
      { ...save, server: away },
    ])
    expect(results.map(({ isActive }) => isActive)).toEqual([true, false, true, false, false])
  })
})

describe("at the site limit", () => {
  test("the page offers to reclaim the slot, and the license page", async () => {
    const id = crypto.randomUUID()
    const full = { id, release: { reason: "unknown_code" } }
    const results = await visit([
      { ...save, server: at() },
      { seconds: day, server: at(limited, full), actions: [check] },
      page,
      form("reclaim"),
      { ...form("reclaim"), server: at({}, { id, release: {} }) },
    ])
    const [, grace, shown, rejected, back] = results
    expect(grace).toMatchObject({ isActive: true, isValid: false, mayUpdate: false })
    expect(shown?.html).toMatch(/acme_slider_reclaim.*Use it here again/s)
    expect(shown?.html).toContain("https://licenses.example.com/license#code=good")
    expect(rejected).toMatchObject({
      isActive: true,
      redirect: `${settings}&pazar_message=not_reclaimed`,
    })
    expect(back).toMatchObject({ isValid: true, isActive: true, redirect: settings })
    const releases = pazar.forms(id, "api/purchases/release")
    expect(releases.map(({ purchase_code: _, ...fields }) => fields)).toEqual([
      { for: own },
      { for: own },
    ])
  })

  test("a site that was active stays active for three days", async () => {
    const results = await visit([
      { ...save, server: at() },
      { seconds: day, server: at(limited), actions: [check] },
      { seconds: 3 * day - hour },
      { seconds: 2 * hour },
    ])
    expect(results.map(({ isActive }) => isActive)).toEqual([true, true, true, false])
  })

  test("a slot that the buyer frees activates the product 30 seconds later", async () => {
    const [, freed] = await visit([
      { ...save, server: at(limited) },
      { seconds: 30, server: at(), actions: [check] },
    ])
    expect(freed).toMatchObject({ isActive: true })
  })
})

describe("without a connection", () => {
  const linkIn = (html = "") => /href="([^"]+\/activate#[^"]+)"/.exec(html)?.[1]

  async function lineOf(link = "", server = at()): Promise<string> {
    const { hash } = new URL(link.replaceAll("&#038;", "&"))
    const { key = "", nonce, ...rest } = Object.fromEntries(new URLSearchParams(hash.slice(1)))
    const response = await fetch(`${server}/api/purchases/validation`, {
      method: "POST",
      headers: { "X-Api-Key": key },
      body: new URLSearchParams({ purchase_code: "good", nonce: nonce ?? "", ...rest }),
    })
    const { status } = response
    const headers = Object.fromEntries(response.headers)
    const fields = { status, body: await response.text(), headers, nonce, key, code: "good" }
    return `pazar1.${Buffer.from(JSON.stringify({ ...fields, ...rest })).toString("base64url")}`
  }

  test("the page links to the offline activation, and a pasted receipt activates the product", async () => {
    const [empty, , tried] = await visit([
      { ...page, user: "admin", server: away },
      { ...save, server: away },
      page,
    ])
    expect(empty?.html).not.toContain("<details>")
    const link = linkIn(tried?.html)
    expect(link).toMatch(
      /^https:\/\/licenses\.example\.com\/activate#key=pzr_vk_1&#038;nonce=[0-9a-f]{32}&#038;site=site\.example\.com$/,
    )
    const [rejected, shown, accepted, fresh, later] = await visit([
      { ...form("import", { receipt: "pazar1.AAAA" }), user: "admin", server: away },
      { ...page, query: { pazar_message: "not_imported" } },
      { ...form("import", { receipt: await lineOf(link) }), rows: tried?.rows ?? {} },
      page,
      { ...page, seconds: 2 * day },
    ] as const)
    expect(rejected?.redirect).toBe(`${settings}&pazar_message=not_imported`)
    expect(shown?.html).toContain("This receipt is not valid for this site.")
    expect(accepted).toMatchObject({
      isValid: true,
      redirect: settings,
      checked: ["acme_slider: valid receipt"],
    })
    expect([linkIn(fresh?.html), later?.isActive]).toEqual([undefined, true])
    expect(linkIn(later?.html)).not.toBe(link)
  })

  test("a receipt by a signer that the product does not know asks for an update", async () => {
    const [, tried] = await visit([{ ...save, server: away }, page])
    const receipt = await lineOf(linkIn(tried?.html), at({ signed: "stranger" }))
    const [rejected, shown] = await visit([
      { ...form("import", { receipt }), user: "admin", server: away, rows: tried?.rows ?? {} },
      { ...page, query: { pazar_message: "unknown_signer" } },
    ])
    expect(rejected?.redirect).toBe(`${settings}&pazar_message=unknown_signer`)
    expect(shown?.html).toContain("this version of Acme")
  })

  test.each([
    { when: "a secret key", changes: { key: "pzr_sk_1" } },
    { when: "no pinned keys", changes: { keys: [] } },
  ])("with $when there is no offline activation", async ({ changes }) => {
    const [, shown] = await visit([{ ...save, server: away }, page], changes)
    expect(shown?.html).not.toContain("<details>")
  })
})

describe("uninstalling", () => {
  const row = { value: "good", autoload: "no" }
  const others = { 2: [{ acme_slider_code: row, acme_slider_record: row }, []], 3: [{}, []] }
  const gone = { autoload: {}, others: { 2: [[], []], 3: [[], []] }, events: [] }

  test("frees the slot of each site and leaves no data", async () => {
    const id = crypto.randomUUID()
    const steps = [{ ...save, server: at({}, { id }) }, { others, uninstall: true } as const]
    expect((await visit(steps))[1]).toMatchObject(gone)
    const released = pazar.forms(id, "api/purchases/release").map(({ site }) => site)
    expect(released).toEqual([own, "two.example.com"])
  })

  test("sends one request while the server is unreachable, and leaves no data", async () => {
    const steps = [{ ...save, server: at() }, { server: away, others, uninstall: true } as const]
    expect((await visit(steps))[1]).toMatchObject({ ...gone, requests: [{}] })
  })
})

test.each([
  ["items", { items: [] }, "&quot;items&quot; is missing; a validation key requires it"],
  ["name", { name: "" }, "&quot;name&quot; (3 to 41"],
])(
  "without %p the product is not active, and only administrators read why",
  async (_, changes, why) => {
    const [front, admin, editor] = await visit(
      [{ server: at() }, { ...notices, screen: "edit-post" }, { ...notices, user: "editor" }],
      changes,
    )
    expect(front).toMatchObject({ isValid: false, isActive: false, mayUpdate: false, events: [] })
    expect(front).not.toHaveProperty("html")
    expect(admin?.html).toContain(why)
    expect(editor).not.toHaveProperty("html")
  },
)

test("the list of plugins links to the settings", async () => {
  const [shown] = await visit([{ user: "admin", server: at() }])
  expect(shown?.links).toEqual({
    0: `<a href="${settings}">Settings</a>`,
    deactivate: "Deactivate",
  })
})

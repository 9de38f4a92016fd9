/** The PHP client in a plugin: the settings page, the daily event, the notice. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { fileURLToPath } from "node:url"
import { type FakePazar, startFakePazar } from "../harness/fake-pazar.ts"
import { runPhp } from "../harness/php.ts"

const site = fileURLToPath(new URL("../harness/wordpress-site.php", import.meta.url))
const day = 86_400

let pazar: FakePazar
beforeAll(async () => {
  pazar = await startFakePazar()
})
afterAll(() => pazar.close())

type Step = Readonly<{
  user?: "admin" | "editor"
  server?: string
  locale?: string
  seconds?: number
  /** Typed into the form. */
  code?: string
  nonce?: string
  page?: string
  notice?: string
  actions?: readonly string[]
}>

type Result = Readonly<{
  status?: number
  html?: string
  redirect?: string
  requests?: readonly Readonly<{ method: string; url: string; redirection: number }>[]
  checked?: readonly string[]
  isValid: boolean
  events: readonly unknown[]
  autoload: Record<string, string>
}>

const at = (mode: string) => `${pazar.url}/${mode}/${Math.floor(Date.now() / 1000)}`

async function visit(steps: readonly Step[]): Promise<readonly Result[]> {
  const options = { key: "pzr_vk_1", items: [7], keys: [pazar.pinned], timeout: 60 }
  const input = JSON.stringify({ options, steps })
  const { stdout, stderr } = await runPhp([site], { input })
  expect(stderr).toBe("")
  return JSON.parse(stdout)
}

const save = "admin_post_acme_slider_save"
const check = "acme_slider_check"

test("an administrator enters the code, and page loads ask nothing", async () => {
  const [saved, front] = await visit([
    { user: "admin", server: at("signed"), code: " good ", actions: ["init", "admin_menu", save] },
    { actions: ["init", "admin_notices"] },
  ])
  expect(saved).toEqual({
    isValid: true,
    redirect: "https://site.example.com/wp-admin/options-general.php?page=acme_slider",
    requests: [
      {
        method: "POST",
        url: "https://licences.example.com/api/purchases/validation",
        redirection: 0,
      },
    ],
    checked: ["acme_slider: valid server"],
    events: [{ hours: 0, recurrence: "daily" }],
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
  expect(english?.html).toContain("This purchase code is not known.")
  expect(turkish?.html).toContain("Bu satın alma kodu bilinmiyor.")
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
  expect(empty?.html).toContain("to activate it.")
  expect(refused?.html).toContain("notice-error")
  expect(refused?.html).toContain("This purchase was refunded.")
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
    { hours: 0, recurrence: "daily" },
    { hours: 1, recurrence: false },
  ])
  expect(back?.checked).toEqual(["acme_slider: valid server"])
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
    ["acme_slider: unknown unreachable"],
    ["acme_slider: valid server"],
  ])
})

test("a server that does not answer is a timeout", async () => {
  const input = { server: at("hang"), user: "admin", code: "good", actions: [save] } as const
  const options = { key: "pzr_vk_1", items: [7], keys: [pazar.pinned], timeout: 0.2 }
  const { stdout } = await runPhp([site], { input: JSON.stringify({ options, steps: [input] }) })
  expect(JSON.parse(stdout)).toMatchObject([{ checked: ["acme_slider: unknown timeout"] }])
})

test("deactivating the plugin ends the event", async () => {
  const [, after] = await visit([
    { user: "admin", server: "http://127.0.0.1:1", code: "good", actions: ["init", save] },
    { actions: ["deactivate_acme.php"] },
  ])
  expect(after?.events).toEqual([])
})

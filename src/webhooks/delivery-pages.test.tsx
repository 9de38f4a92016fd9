import { expect, test } from "bun:test"
import { renderIn, viewAt } from "../../tests/harness/http/page-views.ts"
import { rightsOf } from "../access/actor.ts"
import type { Locale } from "../platform/locale.ts"
import { message, translate } from "../platform/problem.ts"
import { inLocale, t } from "../platform/t.ts"
import { DeliveryPage, disabledTexts, EndpointForm, EndpointPage } from "./delivery-pages.tsx"
import type { Delivery } from "./message.ts"
import { disabledReasons, type Endpoint } from "./webhook.ts"

const viewIn = (locale: Locale) => viewAt("/workspace/ada/settings/webhooks", locale)
const attack = `"><script>alert(1)</script>`
const at = "2026-06-22T08:00:00Z"
const endpoint: Endpoint & { username: string } = {
  id: "ep_1",
  accountId: 1,
  username: "ada",
  url: "https://hooks.example/shop?token=hidden",
  events: ["key.leaked"],
  createdAt: at,
  encrypted: new Uint8Array(),
  oldSecret: null,
  disabled: null,
  pendingMessages: 1_234,
  failingSince: null,
  attemptedAt: null,
}
const attempt = { status: 500, problem: null, response: attack, durationMs: 12, at }
const delivery: Delivery = {
  id: "msg_1",
  endpointId: "ep_1",
  type: "purchase.created",
  createdAt: at,
  state: "waiting",
  attempts: 2,
  nextAt: at,
  last: attempt,
}

const shown = { webhookPath: "/x/ep_1", endpoint }
const render = (page: () => unknown, locale: Locale = "en") => renderIn(viewIn(locale), page)
const sent = {
  webhookPath: "/x/ep_1",
  endpoint,
  mayRedeliver: true,
  delivery,
  attempts: [attempt],
  body: "{}",
  now: new Date(at),
}
const text = (each: string) => each.replaceAll("'", "&#39;")

test.each(disabledReasons)("a disabled endpoint shows the reason: %s", (reason) => {
  for (const locale of ["en", "tr"] as const) {
    const disabled = { ...endpoint, disabled: { at, reason } }
    const page = render(() => EndpointPage({ ...shown, endpoint: disabled }), locale)
    expect(page).toContain(text(inLocale(locale, () => t(disabledTexts[reason]))))
    expect(page).not.toContain("/test")
  }
})

test("an operator can test, disable and remove the endpoint of an author, but sees neither secret nor query", () => {
  const page = renderIn(
    { ...viewIn("en"), rights: rightsOf({ kind: "operator", role: "admin" }) },
    () => EndpointPage(shown),
  )
  const actions = [...page.matchAll(/(?:formaction|href)="\/x\/ep_1\/([\w-]+)"/g)]
  expect(actions.map(([, action]) => action)).toEqual(["test", "turn-off", "remove"])
  expect(page).not.toMatch(/whsec|token=/)
})

test("the page of an endpoint shows pending messages, and its secret only after it is revealed", () => {
  const page = render(() => EndpointPage(shown), "tr")
  expect(page).toContain("1.234")
  expect(page).not.toContain("data-secret")
  expect(render(() => EndpointPage({ ...shown, secret: "whsec_shown" }))).toContain("whsec_shown")
})

test("a response is escaped, and a body with a secret is not shown", () => {
  const page = render(() => DeliveryPage({ ...sent, body: JSON.stringify({ attack }) }))
  expect(page).not.toContain("<script>")
  expect(page).toContain("&lt;script&gt;")
  expect(render(() => DeliveryPage({ ...sent, body: null }))).toContain(
    "The body is hidden: it contains a link for its recipient only.",
  )
})

test("a delivery of a disabled endpoint cannot be redelivered, and the page does not wait for it", () => {
  const disabled = { ...endpoint, disabled: { at, reason: disabledReasons[0] } }
  const page = render(() => DeliveryPage({ ...sent, endpoint: disabled }))
  expect(page).not.toMatch(/\/resend|data-refresh/)
  expect(page).toContain('<p class="notice warning">')
})

test("a delivery is read again while its result is expected soon", () => {
  const isRefreshed = (changes: Partial<Delivery>) =>
    render(() => DeliveryPage({ ...sent, delivery: { ...delivery, ...changes } })).includes(
      'data-refresh="/x/ep_1/messages/msg_1"',
    )
  expect(isRefreshed({})).toBe(true)
  expect(isRefreshed({ nextAt: "2026-06-22T08:05:00Z" })).toBe(false)
  expect(isRefreshed({ state: "delivered", nextAt: null })).toBe(false)
})

test("the reason for a missing response is in the language of the reader", () => {
  const attempts = [{ ...attempt, status: null, problem: message("address_not_allowed") }]
  const page = render(() => DeliveryPage({ ...sent, attempts }), "tr")
  expect(page).toContain(text(inLocale("tr", () => translate(message("address_not_allowed")))))
})

test("only operators can choose operator events", () => {
  const typed = { formId: "form-1", url: "", events: ["key.leaked"], problem: null }
  const password = { isRequired: false, problem: null }
  const form = { typed, password, action: "/x", submit: "Add", back: "/x" }
  expect(render(() => EndpointForm({ ...form, accountId: 1 }))).not.toContain("account.invited")
  expect(render(() => EndpointForm({ ...form, accountId: null }))).toContain("account.invited")
  expect(render(() => EndpointForm({ ...form, accountId: 1 }))).toContain(
    'name="form_id" value="form-1"',
  )
})

import { expect, test } from "bun:test"
import { renderIn, viewAt } from "../../tests/harness/http/page-views.ts"
import type { Locale } from "../platform/locale.ts"
import { message, translate } from "../platform/problem.ts"
import { inLocale } from "../platform/t.ts"
import type { Delivery } from "./delivery.ts"
import { DeliveryPage } from "./delivery-pages.tsx"
import { disabledReasons, type Endpoint } from "./webhook.ts"

const viewIn = (locale: Locale) => viewAt("/workspace/ada/settings/webhooks", locale)
const attack = `"><script>alert(1)</script>`
const at = "2026-06-22T08:00:00Z"
const endpoint: Endpoint = {
  id: "ep_1",
  accountId: 1,
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

const render = (page: () => unknown, locale: Locale = "en") => renderIn(viewIn(locale), page)
const sent = { endpoint, delivery, attempts: [attempt], body: "{}", now: new Date(at) }
const text = (each: string) => each.replaceAll("'", "&#39;")

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
      'data-refresh="/workspace/ada/settings/webhooks/ep_1/messages/msg_1"',
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

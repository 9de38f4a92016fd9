import { expect, test } from "bun:test"
import { viewAt } from "../../../../tests/harness/http/page-views.ts"
import { disabledReasons, type Endpoint } from "../../../domain/events/endpoint.ts"
import type { Delivery } from "../../../domain/events/message.ts"
import type { Locale } from "../../../domain/values/locale.ts"
import { en } from "../../../domain/values/problems/en.ts"
import { message } from "../../../domain/values/problems/problem.ts"
import { dictionaries } from "../translations/texts.ts"
import { DeliveryPage } from "./webhook-deliveries.tsx"
import { AuthorEndpoint, EndpointForm, EndpointPage, EndpointTable } from "./webhook-pages.tsx"

const viewIn = (locale: Locale) => viewAt("/workspace/settings/webhooks", locale)
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
}
const delivery: Delivery = {
  id: "msg_1",
  endpointId: "ep_1",
  type: "purchase.created",
  createdAt: at,
  state: "waiting",
  attempts: 2,
  nextAt: at,
  last: { status: 500, problem: null, response: attack, durationMs: 12, at },
}

test.each(disabledReasons)("a disabled endpoint shows the reason: %s", (reason) => {
  for (const locale of ["en", "tr"] as const) {
    const view = viewIn(locale)
    const endpoints = [{ ...endpoint, disabled: { at, reason } }]
    const page = String(EndpointTable({ view, endpoints, linkTo: () => "/" }))
    expect(page).toContain(view.texts.webhooks.reasons[reason].replaceAll("'", "&#39;"))
    expect(page).not.toContain("hidden")
  }
})

test("operators see the endpoint of an author and its deliveries, but no secret and no button", () => {
  const disabled = { at, reason: disabledReasons[0] }
  const props = { view: viewIn("en"), endpoint: { ...endpoint, disabled } }
  const page = String(AuthorEndpoint({ ...props, deliveries: [{ ...delivery, state: "failed" }] }))
  for (const text of ["https://hooks.example/shop<", "1,234", "purchase.created", ">500<"]) {
    expect(page).toContain(text)
  }
  expect(page).toContain(
    dictionaries.en.webhooks.reasons[disabledReasons[0]].replaceAll("'", "&#39;"),
  )
  expect(page).not.toMatch(/whsec|hidden<|token=|<button|<form|href=/)
  expect(String(AuthorEndpoint({ ...props, deliveries: [] }))).toContain('class="empty"')
})

test("the page of an endpoint shows pending messages, and its secret only after it is revealed", () => {
  const props = { view: viewIn("tr"), path: "/x", endpoint, deliveries: [delivery], hasOlder: true }
  const page = String(EndpointPage({ ...props, secret: null }))
  expect(page).toContain("1.234")
  expect(page).toContain("/x/ep_1?before=msg_1")
  expect(page).not.toContain("data-secret")
  expect(String(EndpointPage({ ...props, secret: "whsec_shown" }))).toContain("whsec_shown")
})

test("a response is escaped, and a body with a secret is not shown", () => {
  const props = { view: viewIn("en"), webhookPath: "/x", isDisabled: false, delivery }
  const page = String(DeliveryPage({ ...props, body: JSON.stringify({ attack }) }))
  expect(page).not.toContain("<script>")
  expect(page).toContain("&lt;script&gt;")
  expect(String(DeliveryPage({ ...props, body: null }))).toContain(
    dictionaries.en.webhooks.hiddenBody,
  )
})

test("a delivery of a disabled endpoint cannot be redelivered, and the page warns", () => {
  const props = { view: viewIn("en"), webhookPath: "/x", delivery, body: "{}" }
  const [enabled, disabled] = [false, true].map((isDisabled) =>
    String(DeliveryPage({ ...props, isDisabled })),
  )
  expect(enabled).toContain("/x/messages/msg_1/resend")
  expect(enabled).not.toContain("notice")
  expect(disabled).not.toContain("/resend")
  expect(disabled).toContain('<p class="notice warning">')
})

test("the reason for a missing response is in the language of the reader", () => {
  const last = {
    status: null,
    problem: message("address_not_allowed"),
    response: "",
    durationMs: 12,
    at,
  }
  const page = DeliveryPage({
    view: viewIn("tr"),
    webhookPath: "/x",
    isDisabled: false,
    delivery: { ...delivery, last },
    body: null,
  })
  expect(String(page)).not.toContain(en.address_not_allowed)
})

test("only operators can choose operator events", () => {
  const typed = { formId: "form-1", url: "", events: ["key.leaked"], problem: null }
  const password = { isRequired: false, problem: null }
  const form = { view: viewIn("en"), typed, password, action: "/x", submit: "Add", back: "/x" }
  expect(String(EndpointForm({ ...form, accountId: 1 }))).not.toContain("account.invited")
  expect(String(EndpointForm({ ...form, accountId: null }))).toContain("account.invited")
  expect(String(EndpointForm({ ...form, accountId: 1 }))).toContain('name="form_id" value="form-1"')
})

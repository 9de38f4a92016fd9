import { expect, test } from "bun:test"
import { renderIn, viewAt } from "../../tests/harness/http/page-views.ts"
import { rightsOf } from "../access/actor.ts"
import type { Locale } from "../platform/locale.ts"
import { EndpointPage } from "./endpoint-pages.tsx"
import { disabledReasons, type Endpoint } from "./webhook.ts"

const path = "/workspace/ada/settings/webhooks/ep_1"
const viewIn = (locale: Locale) => viewAt(path, locale)
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
const shown = { endpoint, now: new Date(at) }
const render = (page: () => unknown, locale: Locale = "en") => renderIn(viewIn(locale), page)

test("a disabled endpoint shows the reason", () => {
  const reasons = disabledReasons.flatMap((reason) =>
    (["en", "tr"] as const).map((locale) => {
      const disabled = { ...endpoint, disabled: { at, reason } }
      const page = render(() => EndpointPage({ ...shown, endpoint: disabled }), locale)
      expect(page).not.toContain("/test")
      return /<p class="notice warning">(.*?)<\/p>/.exec(page)?.[1]
    }),
  )
  const [byOwner] = reasons
  expect(byOwner).toStartWith("Disabled manually.")
  expect(new Set(reasons).size).toBe(8)
})

test("an operator can test, disable and remove the endpoint of an author, but sees neither secret nor query", () => {
  const page = renderIn(
    { ...viewIn("en"), rights: rightsOf({ kind: "operator", role: "admin" }) },
    () => EndpointPage(shown),
  )
  const actions = [...page.matchAll(/(?:formaction|href)="([^"]+ep_1)\/([\w-]+)"/g)]
  expect(actions.map(([, base, action]) => [base, action])).toEqual([
    [path, "test"],
    [path, "turn-off"],
    [path, "remove"],
  ])
  expect(page).not.toMatch(/whsec|token=/)
})

test("the page of an endpoint shows pending messages, and its secret only after it is revealed", () => {
  const page = render(() => EndpointPage(shown), "tr")
  expect(page).toContain("1.234")
  expect(page).not.toContain("data-secret")
  expect(render(() => EndpointPage({ ...shown, secret: "whsec_shown" }))).toContain("whsec_shown")
})

test("the previous secret is mentioned until it ends", () => {
  const signs = (until: string) =>
    render(() =>
      EndpointPage({
        ...shown,
        endpoint: { ...endpoint, oldSecret: { encrypted: new Uint8Array(), until } },
      }),
    ).includes("previous secret")
  expect(signs("2026-06-22T08:00:01Z")).toBe(true)
  expect(signs(at)).toBe(false)
})

/** Every operation × outcome × rendering × transport × key transport: complete body, status and error code. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type KeyTransport, sendApiRequest, type Transport } from "../harness/http/api-request.ts"
import {
  accountDetails,
  allItems,
  errorBody,
  type Language,
  languages,
  type Operation,
  oneItem,
  operations,
  purchaseValidation,
} from "../harness/http/contract-messages.ts"
import {
  audio,
  bobs,
  bodies,
  hidden,
  hiddenCode,
  importedSecret,
  type Marketplace,
  openMarketplace,
  plain,
  revoked,
  sold,
  unsupported,
  video,
} from "../harness/marketplace.ts"

let market: Marketplace

type KeyName =
  | keyof Marketplace["keys"]
  | keyof Marketplace["inactiveKeys"]
  | "imported"
  | "unknown"
  | "damaged"
  | "none"

function secretOf(name: KeyName): string | null {
  if (name === "none") return null
  if (name === "imported") return importedSecret
  if (name === "unknown") return "nobody-has-this-key"
  if (name === "damaged") return `${market.keys.secret.slice(0, -1)}-`
  return name === "revoked" || name === "expired" ? market.inactiveKeys[name] : market.keys[name]
}

type Outcome = Readonly<{
  title: string
  key: KeyName
  parameters?: Readonly<Record<string, string>>
  status: number
  reason: string
  /** Defaults to the operation's error body. */
  body?: (language: Language) => string
}>

const ok = (
  title: string,
  key: KeyName,
  body: Outcome["body"] & {},
  value?: [string, unknown],
): Outcome => ({
  title,
  key,
  ...(value === undefined ? {} : { parameters: { [value[0]]: String(value[1]) } }),
  status: 200,
  reason: "ok",
  body,
})

/** Outcomes of every operation. The key is checked first, so these requests have no parameters. */
const keyOutcomes: readonly Outcome[] = [
  { title: "no key", key: "none", status: 401, reason: "missing_key" },
  { title: "an unknown key", key: "unknown", status: 401, reason: "unknown_key" },
  { title: "a key with a typing error", key: "damaged", status: 401, reason: "unknown_key" },
  { title: "a revoked key", key: "revoked", status: 401, reason: "revoked_key" },
  { title: "an expired key", key: "expired", status: 401, reason: "expired_key" },
]
const forbidden: Outcome = {
  title: "a validation key",
  key: "validation",
  status: 403,
  reason: "key_not_allowed",
}
const item = (value: string, title: string, status: number, reason: string): Outcome => ({
  title,
  key: "secret",
  parameters: { item_id: value },
  status,
  reason,
})
const code = (
  value: unknown,
  title: string,
  status: number,
  reason: string,
  key: KeyName = "secret",
) =>
  ({ title, key, parameters: { purchase_code: String(value) }, status, reason }) satisfies Outcome

const outcomes: ReadonlyMap<Operation, readonly Outcome[]> = new Map([
  [
    accountDetails,
    [
      ok("the key's account", "secret", bodies.account),
      ok("an imported key's account", "imported", bodies.account),
      forbidden,
    ],
  ],
  [
    allItems,
    [
      ok("every visible item, newest first", "secret", (to) =>
        bodies.list(to, video, audio, plain),
      ),
      { title: "an account without items", key: "empty", status: 404, reason: "no_items" },
      forbidden,
    ],
  ],
  [
    oneItem,
    [
      ok("a plain item", "secret", (to) => bodies.item(to, plain), ["item_id", 11]),
      ok("an audio item", "secret", (to) => bodies.item(to, audio), ["item_id", " 12 "]),
      ok("a video item", "imported", (to) => bodies.item(to, video), ["item_id", "+13"]),
      { title: "no item id", key: "secret", status: 400, reason: "missing_parameter" },
      item("\u200b \ufeff", "a blank item id", 400, "missing_parameter"),
      item("12.0", "a fraction", 400, "invalid_parameter"),
      item("1e1", "an exponent", 400, "invalid_parameter"),
      item("true", "a word", 400, "invalid_parameter"),
      item("[11]", "a list", 400, "invalid_parameter"),
      item("9007199254740992", "beyond 2^53-1", 400, "invalid_parameter"),
      item("9007199254740991", "2^53-1", 404, "unknown_item"),
      item("0", "zero", 404, "unknown_item"),
      item("-11", "a negative id", 404, "unknown_item"),
      item("99", "an unknown id", 404, "unknown_item"),
      item(String(hidden.id), "a hidden item", 404, "unknown_item"),
      item("21", "another author's item", 404, "unknown_item"),
      forbidden,
    ],
  ],
  [
    purchaseValidation,
    [
      ...(["secret", "validation", "imported"] as const).map((key) =>
        ok(`a sold code, ${key} key`, key, (to) => bodies.purchase(to, sold, plain), [
          "purchase_code",
          sold.purchase_code,
        ]),
      ),
      ok("without support", "secret", (to) => bodies.purchase(to, unsupported, audio), [
        "purchase_code",
        unsupported.purchase_code,
      ]),
      ok("of a hidden item", "secret", (to) => bodies.purchase(to, hiddenCode, hidden), [
        "purchase_code",
        hiddenCode.purchase_code,
      ]),
      ok("an item the key is for", "oneItem", (to) => bodies.purchase(to, unsupported, audio), [
        "purchase_code",
        unsupported.purchase_code,
      ]),
      code(sold.purchase_code, "an item the key is not for", 404, "unknown_code", "oneItem"),
      code(revoked.purchase_code, "a revoked code", 404, "revoked_code"),
      code(
        revoked.purchase_code,
        "a revoked code outside the choice",
        404,
        "unknown_code",
        "oneItem",
      ),
      code(revoked.purchase_code, "another author's revoked code", 404, "unknown_code", "bob"),
      code(bobs.purchase_code, "another author's code", 404, "unknown_code"),
      code("nobody-bought-this", "a code nobody bought", 404, "unknown_code"),
      code("x".repeat(255), "255 characters", 404, "unknown_code"),
      code("x".repeat(256), "256 characters", 400, "invalid_parameter"),
      { title: "no code", key: "secret", status: 400, reason: "missing_parameter" },
      code("\u200b\n\u2003", "a blank code", 400, "missing_parameter"),
    ],
  ],
])

const keyTransports: readonly KeyTransport[] = ["parameter", "X-Api-Key", "Bearer"]
const transports: Readonly<Record<Operation["method"], readonly Transport[]>> = {
  GET: ["query"],
  POST: ["query", "urlencoded", "multipart", "json"],
}
const renderings = languages.flatMap((language) => [
  { language, how: "lang", parameters: { lang: language }, headers: { "Accept-Language": "de" } },
  { language, how: "Accept-Language", parameters: {}, headers: { "Accept-Language": language } },
])

beforeAll(async () => {
  market = await openMarketplace()
})
afterAll(() => market.close())

describe.each(operations)("$name", (operation) => {
  const cases = [...(outcomes.get(operation) ?? []), ...keyOutcomes]
  test.each(cases)(
    "$status: $title ($reason)",
    async ({ key, parameters, status, reason, body }) => {
      for (const { language, how, parameters: lang, headers } of renderings) {
        for (const transport of transports[operation.method]) {
          for (const keyTransport of keyTransports) {
            const sent = { ...parameters, ...lang }
            const secret = secretOf(key)
            const request = {
              operation,
              parameters: sent,
              transport,
              key: secret,
              keyTransport,
              headers,
            }
            const { headers: received, ...response } = await sendApiRequest(market.url, request)
            const where = { language, how, transport, keyTransport }
            expect({
              ...where,
              ...response,
              type: received["content-type"],
              rendering: received["content-language"],
              caching: received["cache-control"],
              challenge: received["www-authenticate"],
              help: received.link,
              redirect: received.location,
              cookie: received["set-cookie"],
            }).toEqual({
              ...where,
              status,
              reason,
              body: body?.(language) ?? errorBody(operation.message[language], language),
              type: "application/json; charset=utf-8",
              rendering: language,
              caching: operation === purchaseValidation ? "no-store" : "private, no-cache",
              challenge: status === 401 ? "Bearer" : undefined,
              help: status === 200 ? undefined : `</docs/errors#${reason}>; rel="help"`,
              redirect: undefined,
              cookie: undefined,
            })
          }
        }
      }
    },
  )
})

import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { accountLine, itemLine, purchaseLine } from "../../tests/harness/feed/arbitraries.ts"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { listProblems } from "../../tests/harness/http/openapi-fetch.ts"
import {
  account,
  audioMedia,
  item,
  type Line,
  plainMedia,
  purchase,
  videoMedia,
} from "../../tests/harness/records.ts"
import { importedKeyRecord } from "../../tests/harness/stores/store-records.ts"
import { InvalidRecord } from "../platform/schema.ts"
import { type FeedRecord, parseRecord, renderPurchaseLine } from "./feed-record.ts"

const prepareKey = (secret: string) => ({ ...importedKeyRecord("key_1"), name: secret, encrypt })
const encrypt = () => new Uint8Array(0)
const parse = (value: unknown) => parseRecord(value, prepareKey)

function rejectionOf(value: unknown): string {
  try {
    parse(value)
    return "accepted"
  } catch (error) {
    if (error instanceof InvalidRecord) return error.message
    throw error
  }
}

/** JSON.parse creates `__proto__` as an own property, not as the prototype. */
const withProto = (line: Line) => JSON.parse(`{"__proto__":{},${JSON.stringify(line).slice(1)}`)
const without = (line: Line, name: string) =>
  Object.fromEntries(Object.entries(line).filter(([key]) => key !== name))
const nameWith = (changes: Line): Line => Object.assign({}, account("x").name, changes)
const profileWith = (changes: Line): Line => Object.assign({}, account("x").profile, changes)

const notString = "not_a_string"
const notNumber = "not_a_number"
const notObject = "not_an_object"
const notUrl = "not_a_url"
const notTimestamp = "not_a_timestamp"
const noTimeZone = "no_time_zone"
const notCurrency = "not_a_currency"
const notInteger = "not_an_integer"
const notUsername = "not_a_username"
const notVersion = "not_a_version"
const unknownField = "unknown_field"
const notCode = "not_a_code"

type Rejected = readonly [rejection: string, value: unknown]

describe("is not a valid record", () => {
  test.each([
    ["record: not_an_object", null],
    ["record: not_an_object", []],
    ["record: not_an_object", "account"],
    ["record: not_an_object", 12],
    ["type: unknown_type", {}],
    ["type: unknown_type", { type: "Account" }],
    ["type: unknown_type", { type: "refund" }],
    ["type: unknown_type", { type: ["item"] }],
    ["type: unknown_type", { type: "toString" }],
    ["type: unknown_type", JSON.parse('{"__proto__":{"type":"item"}}')],
  ] satisfies Rejected[])("%s: %j", (rejection, value) => {
    expect(rejectionOf(value)).toBe(rejection)
  })
})

describe("an account is rejected", () => {
  const rejectedAccounts: readonly (readonly [rejection: string, changes: Line])[] = [
    [`username: ${notString}`, { username: 12 }],
    ["username: missing", { username: null }],
    ["username: missing", { username: "" }],
    [`username: ${notUsername}`, { username: " elif" }],
    [`username: ${notUsername}`, { username: "elif\u200b" }],
    [`username: ${notUsername}`, { username: "a".repeat(256) }],
    ["username: invalid_character", { username: "el\0if" }],
    [`name: ${notObject}`, { name: "Ada" }],
    ["name: missing", { name: null }],
    [`name: ${notObject}`, { name: ["Ada"] }],
    ["name.lastname: missing", { name: { firstname: "A", full_name: "A" } }],
    [`name.middle: ${unknownField}`, { name: nameWith({ middle: "B" }) }],
    ["email: missing", { email: null }],
    ["email: invalid_character", { email: "a\ud800" }],
    [`balance: ${notNumber}`, { balance: "120.5" }],
    ["balance: missing", { balance: null }],
    ["balance: too_many_digits", { balance: Number.POSITIVE_INFINITY }],
    ["balance: too_many_digits", { balance: Number.NaN }],
    [`currency: ${notCurrency}`, { currency: "US" }],
    [`currency: ${notCurrency}`, { currency: "USDT" }],
    [`currency: ${notCurrency}`, { currency: "U$D" }],
    [`currency: ${notCurrency}`, { currency: "TL₺" }],
    [`currency: ${notCurrency}`, { currency: "USD\n" }],
    [`currency: ${notString}`, { currency: 840 }],
    ["profile: missing", { profile: null }],
    ["profile.heading: missing", { profile: profileWith({ heading: null }) }],
    [`profile.contact: ${notObject}`, { profile: profileWith({ contact: "a@b" }) }],
    ["profile.contact.email: missing", { profile: profileWith({ contact: {} }) }],
    [`profile.social_links: ${notObject}`, { profile: profileWith({ social_links: [] }) }],
    [
      `profile.social_links.x: ${notUrl}`,
      { profile: profileWith({ social_links: { x: "javascript:alert(1)" } }) },
    ],
    [`profile.social_links.x: ${notUrl}`, { profile: profileWith({ social_links: { x: "" } }) }],
    [
      `profile.social_links.x: ${notString}`,
      { profile: profileWith({ social_links: { x: null } }) },
    ],
    [
      "profile.social_links (a name): empty",
      { profile: profileWith({ social_links: { "": "https://x.com" } }) },
    ],
    [
      "profile.social_links (a name): invalid_character",
      { profile: profileWith({ social_links: { "\ud800": "https://x.com" } }) },
    ],
    [
      `profile.social_links.${"n".repeat(100)}…: ${notUrl}`,
      { profile: profileWith({ social_links: { ["n".repeat(1_000)]: "" } }) },
    ],
    ["profile.media.cover: missing", { profile: profileWith({ media: { avatar: "https://a" } }) }],
    [
      "profile.media.avatar: missing",
      { profile: profileWith({ media: { avatar: "", cover: "https://a" } }) },
    ],
    [`profile.website: ${unknownField}`, { profile: profileWith({ website: "https://a" }) }],
    [`registered_at: ${noTimeZone}`, { registered_at: "2024-04-27T12:00:00" }],
    ["registered_at: no_such_time", { registered_at: "2024-02-30T12:00:00Z" }],
    [`registered_at: ${notString}`, { registered_at: 1714219200 }],
    ["api_key: empty", { api_key: "" }],
    [`api_key: ${notString}`, { api_key: null }],
    ["deleted: not_a_boolean", { deleted: "yes" }],
    ["deleted: not_a_boolean", { deleted: null }],
    [`id: ${unknownField}`, { id: 1 }],
    [`${"n".repeat(100)}…: ${unknownField}`, { ["n".repeat(100_000)]: 1 }],
    [`constructor: ${unknownField}`, { constructor: 1 }],
  ]
  test.each(rejectedAccounts)("%s", (rejection, changes) => {
    expect(rejectionOf(account("elif", changes))).toBe(rejection)
  })

  test.each(["username", "email", "name", "balance", "currency", "profile", "registered_at"])(
    "without its %s",
    (name) => {
      expect(rejectionOf(without(account("elif"), name))).toBe(`${name}: missing`)
    },
  )

  test("with a field named __proto__", () => {
    expect(rejectionOf(withProto(account("elif")))).toBe(`__proto__: ${unknownField}`)
  })
})

describe("an item is rejected", () => {
  const rejectedItems: readonly (readonly [rejection: string, changes: Line])[] = [
    [`author: ${notString}`, { author: 1 }],
    ["author: missing", { author: "" }],
    ...[0, -1, 1.5, 2 ** 53, "12", true, [12]].map((id) => [`id: ${notInteger}`, { id }] as const),
    ["name: missing", { name: null }],
    ["name: invalid_character", { name: "a\0b" }],
    ["description: invalid_character", { description: "\udc00" }],
    ["options: not_a_list", { options: "a" }],
    ["options: not_a_list", { options: { 0: "a" } }],
    [`options[1]: ${notString}`, { options: ["a", null] }],
    [`tags[0]: ${notString}`, { tags: [["a"]] }],
    ["tags[2]: invalid_character", { tags: ["a", "b", "\ud800"] }],
    ...["1.0", "v1.0.0", "1.0.0.0", "1.0.0-beta", "1..2", "1,0,0", "1.0.1234567890"].map(
      (version) => [`version: ${notVersion}`, { version }] as const,
    ),
    [`version: ${notString}`, { version: 1.4 }],
    ["demo_link: missing", { demo_link: "" }],
    ["version: missing", { version: "" }],
    ["id: missing", { id: null }],
    ...[
      "demo.example.com",
      "//demo.example.com",
      "ftp://demo.example.com",
      "javascript:alert(1)",
      "data:text/html,x",
      "https://",
      "https:///",
      "https:///example.com",
      "http:\\\\example.com",
      " https://example.com",
      "java\nscript://https://example.com",
      "https://[::1",
    ].map((demo_link) => [`demo_link: ${notUrl}`, { demo_link }] as const),
    ["demo_link: not_a_url", { demo_link: "http://exa mple.com" }],
    ["demo_link: not_a_url", { demo_link: "https://example.com\n" }],
    ["demo_link: missing", { demo_link: null }],
    ["name: too_long", { name: "😀".repeat(1_001) }],
    ["demo_link: too_long", { demo_link: `https://a/${"x".repeat(15_991)}` }],
    ["media: missing", { media: null }],
    ["media.thumbnail: missing", { media: without(plainMedia, "thumbnail") }],
    ["media.thumbnail: missing", { media: { ...plainMedia, thumbnail: "" } }],
    ["media.preview_image: missing", { media: without(plainMedia, "preview_image") }],
    ["media.preview_image: missing", { media: without(videoMedia, "preview_image") }],
    [`media.preview_video: ${notString}`, { media: { ...plainMedia, preview_video: null } }],
    ["media.preview_audio: missing", { media: { ...audioMedia, preview_audio: "" } }],
    ["media.screenshots: empty_list", { media: { ...plainMedia, screenshots: [] } }],
    ["media.screenshots: not_a_list", { media: { ...plainMedia, screenshots: null } }],
    [`media.screenshots[0]: ${notUrl}`, { media: { ...plainMedia, screenshots: [""] } }],
    [`media.icon: ${unknownField}`, { media: { ...plainMedia, icon: "https://a" } }],
    [`media.__proto__: ${unknownField}`, { media: withProto(plainMedia) }],
    [`price: ${notObject}`, { price: 19.99 }],
    ["price.extended: missing", { price: { regular: 19 } }],
    [`price.regular: ${notNumber}`, { price: { regular: "19", extended: 199 } }],
    [
      "price.regular: too_many_digits",
      { price: { regular: Number.NEGATIVE_INFINITY, extended: 199 } },
    ],
    ["currency: missing", { currency: "" }],
    ["published_at: missing", { published_at: "" }],
    ["hidden: not_a_boolean", { hidden: 1 }],
    ["hidden: not_a_boolean", { hidden: null }],
    [`api_key: ${unknownField}`, { api_key: "a" }],
    [`updated_at: ${unknownField}`, { updated_at: "2024-04-27T12:00:00Z" }],
  ]
  test.each(rejectedItems)("%s: %j", (rejection, changes) => {
    expect(rejectionOf(item("elif", 1, changes))).toBe(rejection)
  })

  test.each(Object.keys(item("elif", 1)).filter((name) => name !== "type"))(
    "without its %s",
    (name) => {
      expect(rejectionOf(without(item("elif", 1), name))).toBe(`${name}: missing`)
    },
  )
})

describe("a purchase is rejected", () => {
  const rejectedPurchases: readonly (readonly [rejection: string, changes: Line])[] = [
    ["purchase_code: missing", { purchase_code: "" }],
    ...[" a", "a\n", "a\u2013b", "\ufb00", "a\u200bb", "e\u0301", "a".repeat(256), "\ufffd"].map(
      (purchase_code) => [`purchase_code: ${notCode}`, { purchase_code }] as const,
    ),
    [`purchase_code: ${notString}`, { purchase_code: 12 }],
    ["purchase_code: placeholder", { purchase_code: "N/A" }],
    ["purchase_code: invalid_character", { purchase_code: "\ud800" }],
    [`item_id: ${notInteger}`, { item_id: "12" }],
    ["item_id: missing", { item_id: null }],
    ["license_type: missing", { license_type: "" }],
    ["license_type: missing", { license_type: null }],
    [`price: ${notNumber}`, { price: { regular: 19 } }],
    [`currency: ${notCurrency}`, { currency: "US Dollar" }],
    [`supported_until: ${notString}`, { supported_until: null }],
    [`supported_until: ${notTimestamp}`, { supported_until: "" }],
    ["downloaded: not_a_boolean", { downloaded: 0 }],
    ["downloaded: not_a_boolean", { downloaded: "false" }],
    [`date: ${noTimeZone}`, { date: "2025-01-02" }],
    ["revoked: not_a_boolean", { revoked: "no" }],
    [`item: ${unknownField}`, { item: item("elif", 1) }],
    [`author: ${unknownField}`, { author: "elif" }],
  ]
  test.each(rejectedPurchases)("%s: %j", (rejection, changes) => {
    expect(rejectionOf(purchase("code", 1, changes))).toBe(rejection)
  })

  test.each(Object.keys(purchase("code", 1)).filter((name) => name !== "type"))(
    "without its %s",
    (name) => {
      expect(rejectionOf(without(purchase("code", 1), name))).toBe(`${name}: missing`)
    },
  )
})

describe("a deletion", () => {
  const deletions: readonly (readonly [line: Line, record: FeedRecord])[] = [
    [
      { type: "account", username: "elif" },
      { type: "deleted account", username: "elif" },
    ],
    [
      { type: "item", id: 12 },
      { type: "deleted item", id: 12 },
    ],
    [
      { type: "purchase", purchase_code: "N/A" },
      { type: "deleted purchase", code: "N/A" },
    ],
  ]
  test.each(deletions)("has the identity only: %j", (line, record) => {
    expect(parse({ ...line, deleted: true })).toEqual(record)
  })

  const rejectedDeletions: readonly Rejected[] = [
    ["username: missing", { type: "account", deleted: true }],
    ["id: missing", { type: "item", deleted: true }],
    ["purchase_code: missing", { type: "purchase", deleted: true }],
    [`id: ${notInteger}`, { type: "item", id: "12", deleted: true }],
    [`purchase_code: ${notCode}`, { type: "purchase", purchase_code: " a", deleted: true }],
    [`author: ${unknownField}`, { type: "item", id: 12, author: "elif", deleted: true }],
    [
      `item_id: ${unknownField}; price: ${unknownField}`,
      { type: "purchase", purchase_code: "a", item_id: 1, price: 19, deleted: true },
    ],
  ]
  test.each(rejectedDeletions)("is rejected: %s", (rejection, value) => {
    expect(rejectionOf(value)).toBe(rejection)
  })

  test("with deleted false is an ordinary record", () => {
    const line = purchase("a", 1)
    expect(parse({ ...line, deleted: false })).toEqual(parse(line))
  })
})

describe("the stored record", () => {
  const bodyOf = (value: unknown) => storedValue(parse(value))

  test("has timestamps in the format of the contract", () => {
    const line = purchase("a", 1, {
      supported_until: "2026-01-02T03:04:05.678+03:00",
      date: "20250102T030405Z",
    })
    expect(bodyOf(line)).toMatchObject({
      supported_until: "2026-01-02T00:04:05Z",
      date: "2025-01-02T03:04:05Z",
    })
  })

  test("of an item has the fields in the order of the contract", () => {
    const line = item("elif", 7, { hidden: true, media: videoMedia })
    const reversed = Object.fromEntries(Object.entries(line).reverse())
    const { type: _, author: __, hidden: ___, ...fields } = line
    expect(parse(reversed)).toEqual({
      type: "item",
      item: {
        id: 7,
        author: "elif",
        isHidden: true,
        downloadUrl: null,
        body: JSON.stringify(fields),
      },
    })
  })

  test("of a purchase without support omits the field", () => {
    expect(parse(purchase("a", 7))).toEqual({
      type: "purchase",
      purchase: {
        code: "a",
        itemId: 7,
        isRevoked: false,
        buyer: null,
        validUntil: null,
        siteLimit: undefined,
        beforeItem:
          '{"purchase_code":"a","license_type":"Regular","price":19.99,"currency":"USD","item":',
        afterItem: ',"downloaded":false,"date":"2025-01-02T03:04:05Z"}',
      },
    })
  })

  test("has neither the end, nor the site limit, nor the download URL in the body", () => {
    const end = "2027-01-01T00:00:00Z"
    const { purchase: stored } = parsePurchase(
      purchase("a", 7, { valid_until: "2027-01-01T03:00:00+03:00", site_limit: 12 }),
    )
    expect([stored.validUntil, stored.siteLimit]).toEqual([end, 12])
    expect(`${stored.beforeItem}${stored.afterItem}`).not.toMatch(/valid_until|site_limit/)
    const url = "https://files.example.com/7.zip"
    expect(parse(item("elif", 7, { download_url: url }))).toMatchObject({
      item: { downloadUrl: url, body: expect.not.stringContaining("download_url") },
    })
  })

  test.each([
    "http://127.0.0.1:8080/7.zip",
    "https://files.example.com/expires/signature?X-Amz-Expires=9&expires_in=1",
  ])("accepts the download URL %s", (download_url) => {
    expect(parse(item("elif", 7, { download_url })).type).toBe("item")
  })

  test.each<[Line, string]>([
    [purchase("a", 7, { valid_until: "soon" }), "valid_until: not_a_timestamp"],
    [purchase("a", 7, { site_limit: 0 }), "site_limit: not_an_integer"],
    [purchase("a", 7, { site_limit: 10_001 }), "site_limit: not_an_integer"],
    [purchase("a", 7, { site_limit: 1.5 }), "site_limit: not_an_integer"],
    [
      item("elif", 7, { download_url: "http://files.example.com/7.zip" }),
      "download_url: not_an_https_url",
    ],
    [
      item("elif", 7, { download_url: "http://localhost:80@files.example.com/7.zip" }),
      "download_url: not_an_https_url",
    ],
    [item("elif", 7, { download_url: "ftp://files.example.com/7.zip" }), "download_url: not_a_url"],
    ...[
      "?expires=9999999999",
      "?file=7.zip&signature=AAAA",
      "?a=1;expires=9999999999",
      "?%65xpires[]=9999999999",
      "?+Expires%00=9999999999",
    ].map((search): [Line, string] => [
      item("elif", 7, { download_url: `https://files.example.com/7.zip${search}` }),
      "download_url: signed_parameter",
    ]),
    [
      { type: "item", patch: true, id: 7, download_url: "http://files.example.com/7.zip" },
      "download_url: not_an_https_url",
    ],
  ])("rejects %j", (line, problem) => {
    expect(() => parse(line)).toThrow(problem)
  })

  test("has the buyer separately from the body", () => {
    const line = purchase("a", 7, { buyer: "İpek" })
    const { purchase: stored } = parsePurchase(line)
    expect([stored.buyer, `${stored.beforeItem}${stored.afterItem}`.includes("İpek")]).toEqual([
      "İpek",
      false,
    ])
    expect(JSON.parse(renderPurchaseLine(stored))).toEqual({ ...line, revoked: false })
    expect(rejectionOf({ ...line, buyer: "" })).toBe("buyer: empty")
  })

  test("accepts any name of a social link", () => {
    const links = '{"__proto__":"https://a","constructor":"https://b","12":"https://c"}'
    const line = account("elif", { profile: profileWith({ social_links: JSON.parse(links) }) })
    expect(JSON.stringify(bodyOf(line))).toContain(
      '"social_links":{"12":"https://c","__proto__":"https://a","constructor":"https://b"}',
    )
  })

  test("has the key of an account separately from the body", () => {
    const line = account("elif", { api_key: "old key" })
    const { api_key: _, ...plain } = line
    const body = JSON.stringify(bodyOf(plain))
    const stored = { account: { username: "elif", isSuspended: null, body } }
    const key = prepareKey("old key")
    expect(parse(line)).toEqual({ type: "account", ...stored, key })
  })
})

function parsePurchase(line: Line) {
  const record = parse(line)
  if (record.type !== "purchase") throw new Error("not a purchase")
  return record
}

/** The stored body as in a response; a purchase contains the body of a valid item. */
function storedValue(record: FeedRecord): unknown {
  if (record.type === "account") return JSON.parse(record.account.body)
  if (record.type === "item") return JSON.parse(record.item.body)
  if (record.type !== "purchase") throw new Error(`a ${record.type} has no body`)
  const { beforeItem, afterItem } = record.purchase
  const { type: _, author: __, ...sold } = item("elif", 1)
  return JSON.parse(`${beforeItem}${JSON.stringify(sold)}${afterItem}`)
}

const schemas = { account: "Account", item: "Item", purchase: "Purchase" } as const
const problemsOf = (record: FeedRecord) =>
  record.type === "account" || record.type === "item" || record.type === "purchase"
    ? listProblems(schemas[record.type], storedValue(record))
    : []

describe("for any record", () => {
  const line = fc.oneof(accountLine(), itemLine(), purchaseLine())

  test("a valid one is accepted, and its stored body satisfies the contract", () => {
    fc.assert(
      fc.property(line, (valid) => {
        expect(problemsOf(parse(JSON.parse(JSON.stringify(valid))))).toEqual([])
      }),
      { numRuns: propertyRuns(1_000) },
    )
  })

  test("one with any change is rejected, or satisfies the contract", () => {
    fc.assert(
      fc.property(line, fc.nat(), replacement, (valid, at, value) => {
        const changed = JSON.parse(JSON.stringify(valid))
        replaceSomewhere(changed, at, value)
        let record: FeedRecord
        try {
          record = parse(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRecord)
          return
        }
        expect(problemsOf(record)).toEqual([])
      }),
      { numRuns: propertyRuns(5_000) },
    )
  })
})

/** `undefined` removes the field. */
const replacement = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(undefined, null, "", [], {}, 0, -1, 1.5, Number.POSITIVE_INFINITY, true),
  fc.constantFrom(
    "javascript:alert(1)",
    "https://a b",
    "2024-02-30T00:00:00Z",
    "\ud800",
    "\0",
    "1.2",
  ),
  fc.constantFrom([""], ["https://a"], { x: "https://a" }, { preview_audio: "https://a" }),
)

function replaceSomewhere(root: Line, at: number, value: unknown): void {
  const properties: { object: Line; name: string }[] = []
  const visit = (object: Line) => {
    for (const [name, entry] of Object.entries(object)) {
      properties.push({ object, name })
      // Object.entries lists the entries of an array by index.
      if (typeof entry === "object" && entry !== null) visit(entry as Line)
    }
  }
  visit(root)
  const property = properties[at % properties.length]
  if (property === undefined) return
  if (value !== undefined) property.object[property.name] = value
  else if (Array.isArray(property.object)) property.object.splice(Number(property.name), 1)
  else delete property.object[property.name]
}

import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { accountFields } from "../accounts/account.ts"
import { itemFields } from "../items/item.ts"
import { findTimeZone } from "../platform/time.ts"
import { purchaseFields } from "../purchases/purchase.ts"
import {
  checkColumns,
  createRowReader,
  type FieldFormats,
  findRecordField,
  listMissingFields,
  type RecordType,
} from "./row-reader.ts"

const plain: FieldFormats = {
  baseUrl: null,
  timeZone: null,
  html: new Set(),
  lists: new Map(),
}
const based = { ...plain, baseUrl: "https://shop.example.com/store/" }

/** The value of one field, from a row with one column. */
function read(type: RecordType, column: string, value: unknown, readings: FieldFormats = plain) {
  const { type: _, ...record } = createRowReader(type, [column], readings)([value])
  return record
}

const bytes = (text: string) => new TextEncoder().encode(text)

test("common fields without a column are listed", () => {
  expect(listMissingFields("purchase", ["purchase_code", "item_id", "price"])).toEqual([
    ...["license_type", "currency", "supported_until", "downloaded", "date", "buyer", "revoked"],
  ])
  const accounts = listMissingFields("account", [
    "username",
    "profile.social_links.x",
    "name.firstname",
  ])
  expect(accounts).toContain("name.lastname")
  expect(accounts.filter((name) => name.startsWith("profile.social_links"))).toEqual([])
  expect(listMissingFields("item", ["id"])).toContain("media.preview_audio")
})

describe("a column becomes the field with its name", () => {
  test.each<[type: RecordType, column: string, value: unknown, record: unknown]>([
    ["account", "username", "elif", { username: "elif" }],
    ["account", "name.full_name", "Elif", { name: { full_name: "Elif" } }],
    ["account", "profile.contact.email", "a@b", { profile: { contact: { email: "a@b" } } }],
    ["item", "name", 2048, { name: "2048" }],
    ["item", "name", bytes("Ürün"), { name: "Ürün" }],
    ["item", "name", null, {}],
    ["item", "id", "1229", { id: 1229 }],
    ["item", "id", 1229n, { id: 1229 }],
    ["item", "price.regular", "19.990000", { price: { regular: 19.99 } }],
    ["item", "price.regular", 19.99, { price: { regular: 19.99 } }],
    ["item", "price.regular", " 5 ", { price: { regular: 5 } }],
    ["purchase", "downloaded", 1, { downloaded: true }],
    ["purchase", "downloaded", 0n, { downloaded: false }],
    ["purchase", "downloaded", "Yes", { downloaded: true }],
    ["purchase", "downloaded", "f", { downloaded: false }],
    ["purchase", "downloaded", Uint8Array.of(1), { downloaded: true }],
    ["purchase", "downloaded", Uint8Array.of(0), { downloaded: false }],
    ["purchase", "date", "2024-04-27 12:00:00", { date: "2024-04-27 12:00:00" }],
    ["purchase", "date", 1714219200, { date: "2024-04-27T12:00:00Z" }],
    ["purchase", "date", 1714219200n, { date: "2024-04-27T12:00:00Z" }],
    ["purchase", "date", "1714219200", { date: "2024-04-27T12:00:00Z" }],
    ["purchase", "supported_until", 0, {}],
    ["item", "tags", "a, b,,c ", { tags: ["a", "b", "c"] }],
    ["item", "tags", '["a","b"]', { tags: ["a", "b"] }],
    ["item", "tags", ["a", 7], { tags: ["a", "7"] }],
    ["item", "tags", null, { tags: [] }],
    ["item", "tags", "", { tags: [] }],
    ["item", "media.screenshots", null, {}],
    ["item", "media.screenshots", "[]", {}],
    [
      "account",
      "profile.social_links",
      '{"x":"https://x.com/a","y":null}',
      { profile: { social_links: { x: "https://x.com/a" } } },
    ],
    ["account", "profile.social_links", "[]", { profile: { social_links: {} } }],
    ["account", "profile.social_links", null, { profile: { social_links: {} } }],
    ["account", "profile.social_links.x", null, { profile: { social_links: {} } }],
    [
      "account",
      "profile.social_links.my.site",
      "https://a.b",
      { profile: { social_links: { "my.site": "https://a.b" } } },
    ],
  ])("%s %s: %p", (type, column, value, record) => {
    expect<unknown>(read(type, column, value)).toEqual(record)
  })
})

describe("an invalid value stays unchanged and is rejected later", () => {
  test.each<[type: RecordType, column: string, value: unknown]>([
    ["item", "id", "9007199254740993"],
    ["item", "price.regular", "19,99"],
    ["purchase", "downloaded", "maybe"],
    ["purchase", "date", "0000-00-00 00:00:00"],
    ["purchase", "date", "20240427"],
    ["item", "media.thumbnail", "javascript:alert(1)"],
  ])("%s %s: %p", (type, column, value) => {
    const [first = "", second] = column.split(".")
    const record = read(type, column, value, based)
    const field = record[first]
    expect(second === undefined ? field : Object(field)[second]).toBe(value)
  })

  test("bytes that are not text", () => {
    expect(read("item", "name", Uint8Array.of(0xff))).toEqual({ name: { base64: "/w==" } })
  })
})

describe("links", () => {
  test.each([
    ["https://cdn.example.com/a.png", "https://cdn.example.com/a.png"],
    ["/uploads/a.png", "https://shop.example.com/uploads/a.png"],
    ["uploads/a b.png", "https://shop.example.com/store/uploads/a%20b.png"],
    ["//cdn.example.com/a.png", "https://cdn.example.com/a.png"],
    [" /a.png\n", "https://shop.example.com/a.png"],
    ["", ""],
  ])("%j is %s", (value, link) => {
    expect(read("item", "demo_link", value, based)).toEqual({ demo_link: link })
    const screenshots = read("item", "media.screenshots", [value, "/b.png"], based)
    const others = link === "" ? [] : [link]
    expect(screenshots).toEqual({
      media: { screenshots: [...others, "https://shop.example.com/b.png"] },
    })
  })

  test("other texts are not links", () => {
    expect(read("item", "name", "/a", based)).toEqual({ name: "/a" })
  })
})

test("timestamps without a zone get the configured one, others stay unchanged", () => {
  const zoned = { ...plain, timeZone: findTimeZone("Europe/Istanbul") }
  const dateOf = (value: unknown) => read("purchase", "date", value, zoned).date
  expect(dateOf("2024-04-27 15:00:00")).toBe("2024-04-27T12:00:00Z")
  expect(dateOf("2024-04-27")).toBe("2024-04-26T21:00:00Z")
  expect(dateOf("2024-04-27 15:00:00+00:00")).toBe("2024-04-27 15:00:00+00:00")
  expect(dateOf("0000-00-00 00:00:00")).toBe("0000-00-00 00:00:00")
})

test("HTML is removed only from configured fields", () => {
  const readings = { ...plain, html: new Set(["item.description", "item.tags"]) }
  const html = "<p>a &amp; b</p>"
  expect(read("item", "description", html, readings)).toEqual({ description: "a & b" })
  expect(read("item", "tags", html, readings)).toEqual({ tags: ["a & b"] })
  expect(read("item", "name", html, readings)).toEqual({ name: html })
})

test.each<[form: string, text: string, entries: unknown]>([
  ["|", "a,b|c", ["a,b", "c"]],
  ["\n", "a\r\nb\n", ["a", "b"]],
  [",", "[a],[b]", ["[a]", "[b]"]],
  ["json", '["a, b"]', ["a, b"]],
  ["json", "a, b", "a, b"],
])("a list as %j: %j", (form, text, entries) => {
  const readings = { ...plain, lists: new Map([["item.tags", form]]) }
  expect(read("item", "tags", text, readings)).toEqual({ tags: entries })
})

test("any list of words round-trips as JSON and as separated text", () => {
  const word = fc.stringMatching(/^[a-zçğış][a-zçğış ]{0,8}[a-zçğış]$/)
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(read("item", "tags", JSON.stringify(words))).toEqual({ tags: words })
      expect(read("item", "tags", words.join(","))).toEqual({ tags: words })
    }),
  )
})

test("a number with exact digits is accepted, any other stays text", () => {
  const cents = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  fc.assert(
    fc.property(cents, (value) => {
      const text = `${value}.00`
      const { balance } = read("account", "balance", text)
      if (typeof balance === "number") expect(JSON.stringify(balance)).toBe(`${value}`)
      else expect(balance).toBe(text)
    }),
    { examples: [[-1_128_967_856_279_755_100n], [0n]] },
  )
})

describe("columns", () => {
  test("every problem is reported", () => {
    const columns = ["id", "title", "media", "id", "type", "tags", "tags.first"]
    const naming = (...names: readonly string[]) =>
      names.map((name) => expect.stringContaining(` ${name}`))
    expect(checkColumns("item", columns)).toEqual(
      naming("title ", "media ", "type ", "tags.first ", "id", "tags "),
    )
    expect(checkColumns("purchase", ["__proto__", "constructor"])).toEqual(
      naming("__proto__ ", "constructor ", "purchase_code"),
    )
    expect(checkColumns("account", ["username", "profile.social_links.x"])).toEqual([])
  })

  test("every field of the contract can be a column", () => {
    const objects = ["name", "profile", "media", "price"]
    const named: readonly [RecordType, readonly string[]][] = [
      ["account", [...Object.keys(accountFields), "api_key", "deleted"]],
      ["item", [...Object.keys(itemFields), "author", "hidden"]],
      ["purchase", [...Object.keys(purchaseFields), "item_id", "buyer", "revoked"]],
    ]
    const missing = named.flatMap(([type, names]) =>
      names.filter((name) => findRecordField(type, name) === null).map((name) => `${type} ${name}`),
    )
    expect(missing).toEqual(
      objects.map(
        (name) => `${name === "name" || name === "profile" ? "account" : "item"} ${name}`,
      ),
    )
  })
})

test("a deleted row becomes its identity only", () => {
  const columns = ["id", "name", "media.thumbnail", "tags", "deleted", "as_of"]
  const readRow = createRowReader("item", columns, plain)
  const asOf = "2026-01-31T02:00:00Z"
  expect(readRow([7, "Gone", "https://e.com/t.png", "a", 1, asOf])).toEqual({
    type: "item",
    id: 7,
    deleted: true,
    as_of: asOf,
  })
  expect(readRow([7, "There", null, "a", 0, null])).toEqual({
    type: "item",
    id: 7,
    name: "There",
    tags: ["a"],
    deleted: false,
  })
  const readAccount = createRowReader(
    "account",
    ["username", "profile.social_links.x", "deleted"],
    plain,
  )
  expect(readAccount(["elif", null, true])).toEqual({
    type: "account",
    username: "elif",
    deleted: true,
  })
})

test("a picture in a column is truncated, so that only this field is rejected", () => {
  const picture = `data:image/png;base64,${"A".repeat(2_000_000)}`
  const record = createRowReader(
    "item",
    ["description", "media.thumbnail", "tags"],
    plain,
  )([picture, picture, JSON.stringify([picture])])
  expect(JSON.stringify(record).length).toBeLessThan(1_048_576)
  expect(String(record.description).length).toBeGreaterThan(2 * 64_000)
})

test("HTML that is too long to be stripped is rejected, not truncated", () => {
  const stripped = { ...plain, html: new Set(["item.description"]) }
  const markup = (units: number) => "<b></b>".repeat(units / 7)
  expect(read("item", "description", `${markup(4_000_000)}Ege`, stripped)).toEqual({
    description: "Ege",
  })
  const { description } = read("item", "description", `${markup(5_000_000)}Ege`, stripped)
  expect(String(description).length).toBeGreaterThan(2 * 64_000)
})

test("a name or code with replacement characters is rejected; other texts keep them", () => {
  const replaced = "G\uFFFDl"
  expect(read("account", "username", replaced)).toEqual({ username: { unreadable: replaced } })
  expect(read("item", "author", replaced)).toEqual({ author: { unreadable: replaced } })
  expect(read("purchase", "purchase_code", replaced)).toEqual({
    purchase_code: { unreadable: replaced },
  })
  expect(read("account", "name.full_name", replaced)).toEqual({ name: { full_name: replaced } })
})

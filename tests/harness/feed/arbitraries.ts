/**
 * Arbitrary valid records of a feed, as unusual as the contract allows: any characters, any time zone, names with a
 * meaning in JavaScript.
 */
import fc from "fast-check"
import { isPlaceholder } from "../../../src/platform/text.ts"
import type { Line } from "../records.ts"

const character = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom("\u2028", "\u007f", '"', "\\", "\n", "</script>", "İ") },
)
const text = fc.string({ unit: character, maxLength: 12 }).map((any) => any.replaceAll("\0", ""))
const name = fc.oneof(
  text.filter((any) => any !== ""),
  fc.constantFrom("x", "__proto__", "constructor", "toString", "12", "007"),
)

/** Letters at both ends, with any character allowed in a name or code between them. */
const letter = fc.constantFrom(..."abcXYZ019", "é", "ı", "漢", "😀")
const inner = fc.constantFrom(..."abcXYZ019-_. /'\"", "é", "ğ", "漢", "😀")
const word = fc
  .tuple(letter, fc.string({ unit: inner, maxLength: 10 }), letter)
  .map((parts) => parts.join(""))

const url = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    "HTTPS://EXAMPLE.COM/%C3%BC?a=1#b",
    "http://[::1]:8080/",
    "https://xn--mnchen-3ya.example/",
  ),
)
const amount = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const currency = fc.constantFrom("USD", "TRY", "eur")
const version = fc
  .array(fc.nat({ max: 999_999_999 }), { minLength: 3, maxLength: 3 })
  .map((parts) => parts.join("."))

const timestamp = fc
  .tuple(
    fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9998-12-31T00:00:00Z"),
      noInvalidDate: true,
    }),
    fc.constantFrom("Z", "+03:00", "-0930", "+00"),
  )
  .map(([at, zone]) => at.toISOString().replace("Z", zone))

const record = (fields: Record<string, fc.Arbitrary<unknown>>, optional: string[] = []) =>
  fc.record(fields, {
    requiredKeys: Object.keys(fields).filter((key) => !optional.includes(key)),
    noNullPrototype: true,
  })

const username = word
const purchaseCode = fc.oneof(word, fc.uuid()).filter((code) => !isPlaceholder(code))

export const accountLine = (named = username): fc.Arbitrary<Line> =>
  record({
    type: fc.constant("account"),
    username: named,
    email: fc.oneof(fc.emailAddress(), text),
    name: record({ firstname: text, lastname: text, full_name: text }),
    balance: amount,
    currency,
    profile: record({
      heading: text,
      description: text,
      contact: record({ email: text }),
      social_links: fc.dictionary(name, url, { maxKeys: 3, noNullPrototype: true }),
      media: record({ avatar: url, cover: url }),
    }),
    registered_at: timestamp,
  })

const screenshots = fc.array(url, { minLength: 1, maxLength: 3 })
const media = fc.oneof(
  record({ thumbnail: url, preview_image: url, screenshots }, ["screenshots"]),
  record({ thumbnail: url, preview_audio: url, screenshots }, ["screenshots"]),
  record({ thumbnail: url, preview_image: url, preview_video: url, screenshots }, ["screenshots"]),
)

const itemId = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.maxSafeNat().map((id) => id || 1),
)

export const itemLine = (author = username, id = itemId): fc.Arbitrary<Line> =>
  record(
    {
      type: fc.constant("item"),
      author,
      id,
      name: text,
      description: text,
      category: text,
      sub_category: text,
      options: fc.array(text, { maxLength: 3 }),
      version,
      demo_link: url,
      tags: fc.array(text, { maxLength: 3 }),
      media,
      price: record({ regular: amount, extended: amount }),
      currency,
      published_at: timestamp,
      hidden: fc.boolean(),
      download_url: fc.webUrl({ validSchemes: ["https"] }),
    },
    ["hidden", "download_url"],
  )

export const purchaseLine = (code = purchaseCode, id = itemId): fc.Arbitrary<Line> =>
  record(
    {
      type: fc.constant("purchase"),
      purchase_code: code,
      item_id: id,
      license_type: name,
      price: amount,
      currency,
      supported_until: timestamp,
      downloaded: fc.boolean(),
      date: timestamp,
      buyer: name,
      revoked: fc.boolean(),
      valid_until: timestamp,
      site_limit: fc.integer({ min: 1, max: 10_000 }),
    },
    ["supported_until", "buyer", "revoked", "valid_until", "site_limit"],
  )

/** A complete feed with all records it refers to, each id once. */
export const marketplace: fc.Arbitrary<Line[]> = fc
  .record({
    usernames: fc.uniqueArray(username, { minLength: 1, maxLength: 4 }),
    itemIds: fc.uniqueArray(itemId, { minLength: 1, maxLength: 6 }),
    codes: fc.uniqueArray(purchaseCode, { maxLength: 10 }),
  })
  .chain(({ usernames, itemIds, codes }) => {
    const author = fc.constantFrom(...usernames)
    const sold = fc.constantFrom(...itemIds)
    return fc.tuple(
      ...usernames.map((one) => accountLine(fc.constant(one))),
      ...itemIds.map((one) => itemLine(author, fc.constant(one))),
      ...codes.map((one) => purchaseLine(fc.constant(one), sold)),
    )
  })

import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { accountLine, itemLine, purchaseLine } from "../../tests/harness/feed/arbitraries.ts"
import { parseSingleLine } from "../../tests/harness/feed/parse-single-line.ts"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import {
  account,
  audioMedia,
  item,
  type Line,
  plainMedia,
  purchase,
  videoMedia,
} from "../../tests/harness/records.ts"
import { placeholderUrl } from "./normalize-record.ts"

function parseLine(line: Line) {
  const { record, problems, isNormalized, defaulted } = parseSingleLine(line)
  const print = ({ field, code }: { field: string; code: string }) => `${field}: ${code}`
  return {
    record,
    rejections: problems?.map(print) ?? [],
    isNormalized,
    defaults: defaulted.map(print),
  }
}

const profileWith = (changes: Line): Line => ({ ...Object(account("x").profile), ...changes })
const mediaWith = (changes: Line): Line => ({ ...plainMedia, ...changes })
const notUrl = "not_a_url"

type Case = readonly [defaults: string, invalid: Line, valid: Line]
const itemCase = (defaults: string, invalid: Line, valid: Line): Case => [
  defaults,
  item("elif", 7, invalid),
  item("elif", 7, valid),
]
const accountCase = (defaults: string, invalid: Line, valid: Line): Case => [
  defaults,
  account("elif", invalid),
  account("elif", valid),
]
const profileCase = (defaults: string, invalid: Line, valid: Line): Case =>
  accountCase(defaults, { profile: profileWith(invalid) }, { profile: profileWith(valid) })
const mediaCase = (defaults: string, invalid: Line, valid: Line): Case =>
  itemCase(defaults, { media: invalid }, { media: valid })

const cover = "https://a.example/cover.png"

describe("a default replaces an invalid field:", () => {
  test.each<Case>([
    itemCase("demo_link: missing", { demo_link: null }, { demo_link: placeholderUrl }),
    itemCase("demo_link: missing", { demo_link: "" }, { demo_link: placeholderUrl }),
    itemCase("demo_link: missing", { demo_link: undefined }, { demo_link: placeholderUrl }),
    itemCase(`demo_link: ${notUrl}`, { demo_link: "soon" }, { demo_link: placeholderUrl }),
    itemCase("demo_link: not_a_url", { demo_link: "https://a b/" }, { demo_link: placeholderUrl }),
    itemCase("demo_link: not_a_string", { demo_link: 7 }, { demo_link: placeholderUrl }),
    itemCase("name: missing", { name: null }, { name: "Item 7" }),
    itemCase("name: invalid_character", { name: "a\0" }, { name: "Item 7" }),
    itemCase("description: too_long", { description: "x".repeat(64_001) }, { description: "" }),
    itemCase("category: not_a_string", { category: 7 }, { category: "" }),
    itemCase("options: missing", { options: null }, { options: [] }),
    itemCase("options: not_a_list", { options: "a" }, { options: [] }),
    itemCase("tags[1]: not_a_string", { tags: ["a", 1, "b"] }, { tags: ["a", "b"] }),
    itemCase("tags: too_many_entries", { tags: Array(1_001).fill("a") }, { tags: [] }),
    ...["beta", "1.", "1. 0", "1 000", "1234567890", "1.0-ü"].map((version) =>
      itemCase("version: not_a_version", { version }, { version: "0.0.0" }),
    ),
    mediaCase(
      "media.thumbnail: missing",
      mediaWith({ thumbnail: "" }),
      mediaWith({ thumbnail: placeholderUrl }),
    ),
    mediaCase(
      "media.preview_image: missing",
      { ...videoMedia, preview_image: "" },
      { ...videoMedia, preview_image: placeholderUrl },
    ),
    mediaCase(
      `media.preview_audio: ${notUrl}`,
      { ...audioMedia, preview_audio: "sound.mp3" },
      { ...audioMedia, preview_audio: placeholderUrl },
    ),
    mediaCase(
      `media.preview_video: ${notUrl}`,
      { ...videoMedia, preview_video: "film.mp4" },
      { ...videoMedia, preview_video: placeholderUrl },
    ),
    mediaCase(`media.screenshots[0]: ${notUrl}`, mediaWith({ screenshots: [""] }), plainMedia),
    mediaCase(
      `media.screenshots[1]: ${notUrl}`,
      mediaWith({ screenshots: [cover, "1.png"] }),
      mediaWith({ screenshots: [cover] }),
    ),
    accountCase("email: missing", { email: null }, { email: "" }),
    accountCase("balance: missing", { balance: null }, { balance: 0 }),
    accountCase("balance: not_a_number", { balance: "much" }, { balance: 0 }),
    accountCase("currency: not_a_currency", { currency: "Lira" }, { currency: "XXX" }),
    accountCase(
      "name: not_an_object; name.firstname: missing; name.lastname: missing; name.full_name: missing",
      { name: "Elif" },
      { name: { firstname: "", lastname: "", full_name: "elif" } },
    ),
    profileCase("profile.heading: missing", { heading: null }, { heading: "" }),
    profileCase("profile.contact.email: missing", { contact: null }, { contact: { email: "" } }),
    profileCase(
      `profile.media.avatar: ${notUrl}`,
      { media: { avatar: "me.png", cover } },
      { media: { avatar: placeholderUrl, cover } },
    ),
    profileCase(
      `profile.social_links.y: ${notUrl}`,
      { social_links: { x: cover, y: "ada" } },
      { social_links: { x: cover } },
    ),
    profileCase(
      "profile.social_links: not_an_object",
      { social_links: [cover] },
      { social_links: {} },
    ),
    ["buyer: not_a_string", purchase("abc", 1, { buyer: 7 }), purchase("abc", 1)],
  ])("%s", (defaults, invalid, valid) => {
    const expected = parseLine(valid)
    expect(expected).toMatchObject({ record: expect.anything(), isNormalized: false, defaults: [] })
    expect(parseLine(invalid)).toEqual({
      ...expected,
      isNormalized: true,
      defaults: defaults.split("; "),
    })
  })

  test("all of these fields may be absent", () => {
    const { type, author, id, price, currency, published_at } = item("elif", 7)
    const minimalItem = parseLine({ type, author, id, price, currency, published_at })
    expect(minimalItem.rejections).toEqual([])
    expect(minimalItem.defaults).toContain("media.preview_image: missing")
    const { username, balance, registered_at } = account("elif")
    const minimalAccount = parseLine({
      type: "account",
      username,
      balance,
      currency,
      registered_at,
    })
    expect([minimalAccount.rejections, minimalAccount.defaults.length]).toEqual([[], 10])
  })
})

describe("a record is rejected for a field without a default:", () => {
  test.each<[string, Line]>([
    ["id: missing", item("elif", 7, { id: null, demo_link: "" })],
    ["author: missing", item("", 7, { demo_link: "" })],
    ["price.regular: not_a_number", item("elif", 7, { price: { regular: "free", extended: 1 } })],
    ["currency: missing", item("elif", 7, { currency: "", tags: 7 })],
    ["published_at: missing", item("elif", 7, { published_at: null })],
    ["demolink: unknown_field", item("elif", 7, { demolink: cover })],
    ["registered_at: missing", account("elif", { registered_at: null })],
    ["license_type: too_long", purchase("abc", 1, { license_type: "x".repeat(1_001) })],
    ["downloaded: missing", purchase("abc", 1, { downloaded: null })],
    ["date: missing", purchase("abc", 1, { date: "", buyer: 7 })],
    ["author: unknown_field", { ...item("elif", 7), type: "item", deleted: true }],
  ])("%s", (rejection, line) => {
    const { rejections, record, defaults } = parseLine(line)
    expect([rejections[0], record, defaults]).toEqual([rejection, null, []])
  })
})

test("a patch keeps the value of an invalid field", () => {
  const patch = { type: "item", id: 7, patch: true }
  const invalid = {
    demo_link: "soon",
    tags: ["a", 1],
    media: { thumbnail: "", preview_audio: "a.mp3" },
  }
  expect(parseLine({ ...patch, hidden: true, ...invalid })).toEqual({
    ...parseLine({ ...patch, hidden: true, tags: ["a"], media: {} }),
    isNormalized: true,
    defaults: [
      `demo_link: ${notUrl}`,
      "tags[1]: not_a_string",
      `media.thumbnail: ${notUrl}`,
      `media.preview_audio: ${notUrl}`,
    ],
  })
})

test("a record is accepted with any values in fields that have defaults", () => {
  const validLine = fc.oneof(accountLine(), itemLine(), purchaseLine())
  const identifying = [
    "type",
    "username",
    "author",
    "id",
    "purchase_code",
    "item_id",
    "license_type",
  ]
  const required = ["price", "currency", "registered_at", "published_at", "date"]
  const optional = [
    "supported_until",
    "downloaded",
    "revoked",
    "hidden",
    "valid_until",
    "site_limit",
  ]
  const unchanged = new Set([...identifying, ...required, ...optional])
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("\ud800", "\0", "https://a b"),
  )
  fc.assert(
    fc.property(validLine, fc.array(anything, { minLength: 20, maxLength: 20 }), (line, values) => {
      const invalid = Object.fromEntries(
        Object.entries(line).map(([name, value], at) => [
          name,
          unchanged.has(name) ? value : values[at],
        ]),
      )
      const { rejections } = parseLine(invalid)
      // Unknown fields of nested objects are still rejected.
      expect(rejections.filter((each) => !each.endsWith("unknown_field"))).toEqual([])
    }),
    { numRuns: propertyRuns(2_000) },
  )
})

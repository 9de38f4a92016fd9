import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  account,
  audioMedia,
  item,
  type Line,
  plainMedia,
  purchase,
  videoMedia,
} from "../../../tests/contracts/records.ts"
import { accountLine, itemLine, purchaseLine } from "../../../tests/harness/feed/arbitraries.ts"
import { parseSingleLine } from "../../../tests/harness/feed/parse-single-line.ts"
import { propertyRuns } from "../../../tests/harness/full-test-run.ts"
import { placeholderUrl } from "./apply-defaults.ts"

function judge(line: Line) {
  const { record, problems, isNormalized, defaulted } = parseSingleLine(line)
  const print = ({ field, code }: { field: string; code: string }) => `${field}: ${code}`
  return { record, refused: problems?.map(print) ?? [], isNormalized, told: defaulted.map(print) }
}

const profileOf = (changes: Line): Line => ({ ...Object(account("x").profile), ...changes })
const mediaOf = (changes: Line): Line => ({ ...plainMedia, ...changes })
const isUrl = "not_a_url"

type Case = readonly [told: string, messy: Line, clean: Line]
const itemAs = (told: string, messy: Line, clean: Line): Case => [
  told,
  item("elif", 7, messy),
  item("elif", 7, clean),
]
const accountAs = (told: string, messy: Line, clean: Line): Case => [
  told,
  account("elif", messy),
  account("elif", clean),
]
const profileAs = (told: string, messy: Line, clean: Line): Case =>
  accountAs(told, { profile: profileOf(messy) }, { profile: profileOf(clean) })
const mediaAs = (told: string, messy: Line, clean: Line): Case =>
  itemAs(told, { media: messy }, { media: clean })

const cover = "https://a.example/cover.png"

describe("does not reject its record:", () => {
  test.each<Case>([
    itemAs("demo_link: missing", { demo_link: null }, { demo_link: placeholderUrl }),
    itemAs("demo_link: missing", { demo_link: "" }, { demo_link: placeholderUrl }),
    itemAs("demo_link: missing", { demo_link: undefined }, { demo_link: placeholderUrl }),
    itemAs(`demo_link: ${isUrl}`, { demo_link: "soon" }, { demo_link: placeholderUrl }),
    itemAs("demo_link: not_a_url", { demo_link: "https://a b/" }, { demo_link: placeholderUrl }),
    itemAs("demo_link: not_a_string", { demo_link: 7 }, { demo_link: placeholderUrl }),
    itemAs("name: missing", { name: null }, { name: "Item 7" }),
    itemAs("name: invalid_character", { name: "a\0" }, { name: "Item 7" }),
    itemAs("description: too_long", { description: "x".repeat(64_001) }, { description: "" }),
    itemAs("category: not_a_string", { category: 7 }, { category: "" }),
    itemAs("options: missing", { options: null }, { options: [] }),
    itemAs("options: not_a_list", { options: "a" }, { options: [] }),
    itemAs("tags[1]: not_a_string", { tags: ["a", 1, "b"] }, { tags: ["a", "b"] }),
    itemAs("tags: too_many_entries", { tags: Array(1_001).fill("a") }, { tags: [] }),
    ...["beta", "1.", "1. 0", "1 000", "1234567890", "1.0-ü"].map((version) =>
      itemAs("version: not_a_version", { version }, { version: "0.0.0" }),
    ),
    mediaAs(
      "media.thumbnail: missing",
      mediaOf({ thumbnail: "" }),
      mediaOf({ thumbnail: placeholderUrl }),
    ),
    mediaAs(
      "media.preview_image: missing",
      { ...videoMedia, preview_image: "" },
      { ...videoMedia, preview_image: placeholderUrl },
    ),
    mediaAs(
      `media.preview_audio: ${isUrl}`,
      { ...audioMedia, preview_audio: "sound.mp3" },
      { ...audioMedia, preview_audio: placeholderUrl },
    ),
    mediaAs(
      `media.preview_video: ${isUrl}`,
      { ...videoMedia, preview_video: "film.mp4" },
      { ...videoMedia, preview_video: placeholderUrl },
    ),
    mediaAs(`media.screenshots[0]: ${isUrl}`, mediaOf({ screenshots: [""] }), plainMedia),
    mediaAs(
      `media.screenshots[1]: ${isUrl}`,
      mediaOf({ screenshots: [cover, "1.png"] }),
      mediaOf({ screenshots: [cover] }),
    ),
    accountAs("email: missing", { email: null }, { email: "" }),
    accountAs("balance: missing", { balance: null }, { balance: 0 }),
    accountAs("balance: not_a_number", { balance: "much" }, { balance: 0 }),
    accountAs("currency: not_a_currency", { currency: "Lira" }, { currency: "XXX" }),
    accountAs(
      "name: not_an_object; name.firstname: missing; name.lastname: missing; name.full_name: missing",
      { name: "Elif" },
      { name: { firstname: "", lastname: "", full_name: "elif" } },
    ),
    profileAs("profile.heading: missing", { heading: null }, { heading: "" }),
    profileAs("profile.contact.email: missing", { contact: null }, { contact: { email: "" } }),
    profileAs(
      `profile.media.avatar: ${isUrl}`,
      { media: { avatar: "me.png", cover } },
      { media: { avatar: placeholderUrl, cover } },
    ),
    profileAs(
      `profile.social_links.y: ${isUrl}`,
      { social_links: { x: cover, y: "ada" } },
      { social_links: { x: cover } },
    ),
    profileAs(
      "profile.social_links: not_an_object",
      { social_links: [cover] },
      { social_links: {} },
    ),
    ["buyer: not_a_string", purchase("abc", 1, { buyer: 7 }), purchase("abc", 1)],
  ])("%s", (told, messy, clean) => {
    const expected = judge(clean)
    expect(expected).toMatchObject({ record: expect.anything(), isNormalized: false, told: [] })
    expect(judge(messy)).toEqual({ ...expected, isNormalized: true, told: told.split("; ") })
  })

  test("a record without any of these fields", () => {
    const { type, author, id, price, currency, published_at } = item("elif", 7)
    const bare = judge({ type, author, id, price, currency, published_at })
    expect(bare.refused).toEqual([])
    expect(bare.told).toContain("media.preview_image: missing")
    const { username, balance, registered_at } = account("elif")
    const nobody = judge({ type: "account", username, balance, currency, registered_at })
    expect([nobody.refused, nobody.told.length]).toEqual([[], 10])
  })
})

describe("still rejects its record:", () => {
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
  ])("%s", (refusal, line) => {
    const { refused, record, told } = judge(line)
    expect([refused[0], record, told]).toEqual([refusal, null, []])
  })
})

test("a patch keeps the value of an invalid field", () => {
  const patch = { type: "item", id: 7, patch: true }
  const messy = {
    demo_link: "soon",
    tags: ["a", 1],
    media: { thumbnail: "", preview_audio: "a.mp3" },
  }
  expect(judge({ ...patch, hidden: true, ...messy })).toEqual({
    ...judge({ ...patch, hidden: true, tags: ["a"], media: {} }),
    isNormalized: true,
    told: [
      `demo_link: ${isUrl}`,
      "tags[1]: not_a_string",
      `media.thumbnail: ${isUrl}`,
      `media.preview_audio: ${isUrl}`,
    ],
  })
})

test("a record is accepted with any problem of these fields", () => {
  const line = fc.oneof(accountLine(), itemLine(), purchaseLine())
  const identifying = [
    "type",
    "username",
    "author",
    "id",
    "purchase_code",
    "item_id",
    "license_type",
  ]
  const deciding = ["price", "currency", "registered_at", "published_at", "date"]
  const optional = ["supported_until", "downloaded", "revoked", "hidden"]
  const kept = new Set([...identifying, ...deciding, ...optional])
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("\ud800", "\0", "https://a b"),
  )
  fc.assert(
    fc.property(line, fc.array(anything, { minLength: 20, maxLength: 20 }), (valid, values) => {
      const messy = Object.fromEntries(
        Object.entries(valid).map(([name, value], at) => [
          name,
          kept.has(name) ? value : values[at],
        ]),
      )
      const { refused } = judge(messy)
      // An unknown field of an object is rejected.
      expect(refused.filter((each) => !each.endsWith("unknown_field"))).toEqual([])
    }),
    { numRuns: propertyRuns(2_000) },
  )
})

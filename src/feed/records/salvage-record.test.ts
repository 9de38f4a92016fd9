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
import { judgeAlone } from "../../../tests/harness/feed/judge.ts"
import { runs } from "../../../tests/harness/tier.ts"
import { type FeedDefaults, noDefaults } from "./fill-record.ts"
import { createAdjust, nowhere } from "./salvage-record.ts"

function judge(line: Line, defaults: Partial<FeedDefaults> = {}) {
  const adjust = createAdjust({ ...noDefaults, ...defaults }, null)
  const { record, problems, isAdjusted, defaulted } = judgeAlone(line, adjust)
  const print = ({ member, reason }: { member: string; reason: string }) => `${member}: ${reason}`
  return { record, refused: problems?.map(print) ?? [], isAdjusted, told: defaulted.map(print) }
}

const profileOf = (changes: Line): Line => ({ ...Object(account("x").profile), ...changes })
const mediaOf = (changes: Line): Line => ({ ...plainMedia, ...changes })
const isUrl = "must be an http or https URL"

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

describe("does not refuse its record:", () => {
  test.each<Case>([
    itemAs("demo_link: is missing", { demo_link: null }, { demo_link: nowhere }),
    itemAs("demo_link: is missing", { demo_link: "" }, { demo_link: nowhere }),
    itemAs("demo_link: is missing", { demo_link: undefined }, { demo_link: nowhere }),
    itemAs(`demo_link: ${isUrl}`, { demo_link: "soon" }, { demo_link: nowhere }),
    itemAs("demo_link: holds a blank", { demo_link: "https://a b/" }, { demo_link: nowhere }),
    itemAs("demo_link: must be a string", { demo_link: 7 }, { demo_link: nowhere }),
    itemAs("name: is missing", { name: null }, { name: "Item 7" }),
    itemAs("name: holds a NUL character", { name: "a\0" }, { name: "Item 7" }),
    itemAs(
      "description: is longer than 64,000 characters",
      { description: "x".repeat(64_001) },
      { description: "" },
    ),
    itemAs("category: must be a string", { category: 7 }, { category: "" }),
    itemAs("options: is missing", { options: null }, { options: [] }),
    itemAs("options: must be a list", { options: "a" }, { options: [] }),
    itemAs("tags[1]: must be a string", { tags: ["a", 1, "b"] }, { tags: ["a", "b"] }),
    itemAs("tags: has more than 1,000 entries", { tags: Array(1_001).fill("a") }, { tags: [] }),
    ...["beta", "1.", "1. 0", "1 000", "1234567890", "1.0-ü"].map((version) =>
      itemAs(
        "version: must be a dotted version number, major.minor.patch",
        { version },
        { version: "0.0.0" },
      ),
    ),
    mediaAs(
      "media.thumbnail: is missing",
      mediaOf({ thumbnail: "" }),
      mediaOf({ thumbnail: nowhere }),
    ),
    mediaAs(
      "media.preview_image: is missing",
      { ...videoMedia, preview_image: "" },
      { ...videoMedia, preview_image: nowhere },
    ),
    mediaAs(
      `media.preview_audio: ${isUrl}`,
      { ...audioMedia, preview_audio: "sound.mp3" },
      { ...audioMedia, preview_audio: nowhere },
    ),
    mediaAs(
      `media.preview_video: ${isUrl}`,
      { ...videoMedia, preview_video: "film.mp4" },
      { ...videoMedia, preview_video: nowhere },
    ),
    mediaAs(`media.screenshots[0]: ${isUrl}`, mediaOf({ screenshots: [""] }), plainMedia),
    mediaAs(
      `media.screenshots[1]: ${isUrl}`,
      mediaOf({ screenshots: [cover, "1.png"] }),
      mediaOf({ screenshots: [cover] }),
    ),
    accountAs("email: is missing", { email: null }, { email: "" }),
    accountAs("balance: is missing", { balance: null }, { balance: 0 }),
    accountAs("balance: must be a number", { balance: "much" }, { balance: 0 }),
    accountAs("currency: must be three letters", { currency: "Lira" }, { currency: "XXX" }),
    accountAs(
      "name: must be an object; name.firstname: is missing; name.lastname: is missing; name.full_name: is missing",
      { name: "Elif" },
      { name: { firstname: "", lastname: "", full_name: "elif" } },
    ),
    profileAs("profile.heading: is missing", { heading: null }, { heading: "" }),
    profileAs("profile.contact.email: is missing", { contact: null }, { contact: { email: "" } }),
    profileAs(
      `profile.media.avatar: ${isUrl}`,
      { media: { avatar: "me.png", cover } },
      { media: { avatar: nowhere, cover } },
    ),
    profileAs(
      `profile.social_links.y: ${isUrl}`,
      { social_links: { x: cover, y: "ada" } },
      { social_links: { x: cover } },
    ),
    profileAs(
      "profile.social_links: must be an object",
      { social_links: [cover] },
      { social_links: {} },
    ),
    ["buyer: must be a string", purchase("abc", 1, { buyer: 7 }), purchase("abc", 1)],
  ])("%s", (told, messy, clean) => {
    const expected = judge(clean)
    expect(expected).toMatchObject({ record: expect.anything(), isAdjusted: false, told: [] })
    expect(judge(messy)).toEqual({ ...expected, isAdjusted: true, told: told.split("; ") })
  })

  test("not even without any of these members", () => {
    const { type, author, id, price, currency, published_at } = item("elif", 7)
    const bare = judge({ type, author, id, price, currency, published_at })
    expect(bare.refused).toEqual([])
    expect(bare.told).toContain("media.preview_image: is missing")
    const { username, balance, registered_at } = account("elif")
    const nobody = judge({ type: "account", username, balance, currency, registered_at })
    expect([nobody.refused, nobody.told.length]).toEqual([[], 10])
  })
})

describe("the operator's defaults", () => {
  const demo_link = "https://shop.example.com/items/{id}"
  const thumbnail = "https://shop.example.com/none.png"
  const defaults = { item: { demo_link, "media.thumbnail": thumbnail } }

  test("replace a value that cannot be taken, which is told", () => {
    const line = item("elif", 7, { demo_link: "soon", media: "none" })
    const media = { thumbnail, preview_image: nowhere }
    const clean = item("elif", 7, { demo_link: "https://shop.example.com/items/7", media })
    expect(judge(line, defaults)).toEqual({
      ...judge(clean),
      isAdjusted: true,
      told: [`demo_link: ${isUrl}`, "media: must be an object", "media.preview_image: is missing"],
    })
  })

  test("fill in a member that is missing, which is not told", () => {
    const { told, isAdjusted } = judge(item("elif", 7, { demo_link: "" }), defaults)
    expect([told, isAdjusted]).toEqual([[], true])
  })
})

describe("still refuses its record:", () => {
  test.each<[string, Line]>([
    ["id: is missing", item("elif", 7, { id: null, demo_link: "" })],
    ["author: is missing", item("", 7, { demo_link: "" })],
    [
      "price.regular: must be a number",
      item("elif", 7, { price: { regular: "free", extended: 1 } }),
    ],
    ["currency: is missing", item("elif", 7, { currency: "", tags: 7 })],
    ["published_at: is missing", item("elif", 7, { published_at: null })],
    ["demolink: is an unknown field", item("elif", 7, { demolink: cover })],
    ["registered_at: is missing", account("elif", { registered_at: null })],
    [
      "license_type: is longer than 1,000 characters",
      purchase("abc", 1, { license_type: "x".repeat(1_001) }),
    ],
    ["downloaded: is missing", purchase("abc", 1, { downloaded: null })],
    ["date: is missing", purchase("abc", 1, { date: "", buyer: 7 })],
    ["author: is an unknown field", { ...item("elif", 7), type: "item", deleted: true }],
  ])("%s", (refusal, line) => {
    const { refused, record, told } = judge(line)
    expect([refused[0], record, told]).toEqual([refusal, null, []])
  })
})

test("a patch leaves as it is what it cannot change", () => {
  const patch = { type: "item", id: 7, patch: true }
  const messy = {
    demo_link: "soon",
    tags: ["a", 1],
    media: { thumbnail: "", preview_audio: "a.mp3" },
  }
  expect(judge({ ...patch, hidden: true, ...messy })).toEqual({
    ...judge({ ...patch, hidden: true, tags: ["a"], media: {} }),
    isAdjusted: true,
    told: [
      `demo_link: ${isUrl}`,
      "tags[1]: must be a string",
      `media.thumbnail: ${isUrl}`,
      `media.preview_audio: ${isUrl}`,
    ],
  })
})

test("whatever is wrong with these members, a record is taken", () => {
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
      // A member of an object that nobody knows is refused, wherever it is.
      expect(refused.filter((each) => !each.endsWith("is an unknown field"))).toEqual([])
    }),
    { numRuns: runs(2_000) },
  )
})

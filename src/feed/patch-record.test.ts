import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { accountLine, itemLine, purchaseLine } from "../../tests/harness/feed/arbitraries.ts"
import { parseSingleLine } from "../../tests/harness/feed/parse-single-line.ts"
import {
  account,
  audioMedia,
  item,
  type Line,
  plainMedia,
  purchase,
  videoMedia,
} from "../../tests/harness/records.ts"
import { patchAccount, patchItem, patchPurchase } from "./batch-rules.ts"
import {
  type FeedRecord,
  renderAccountLine,
  renderItemLine,
  renderPurchaseLine,
} from "./feed-record.ts"

const problemsOf = (line: Line) =>
  parseSingleLine(line).problems?.map(({ field, code }) => `${field}: ${code}`) ?? null
const recordOf = (line: Line): FeedRecord => {
  const { record, problems } = parseSingleLine(line)
  if (record === null) throw new Error(JSON.stringify(problems))
  return record
}

/** The exported line after `patch` was applied to `whole`. */
function patched(whole: Line, patch: Line): string {
  const [before, change] = [recordOf(whole), recordOf({ ...patch, patch: true })]
  if (before.type === "account" && change.type === "patched account") {
    const whole = { ...before.account, isSuspended: before.account.isSuspended === true }
    const { isSuspended, ...account } = patchAccount(whole, change)
    return renderAccountLine({ id: 1, ...account, isSuspended: isSuspended === true })
  }
  if (before.type === "item" && change.type === "patched item") {
    return renderItemLine(patchItem(before.item, change))
  }
  if (before.type === "purchase" && change.type === "patched purchase") {
    return renderPurchaseLine(patchPurchase(before.purchase, change))
  }
  throw new Error(`${change.type} for ${before.type}`)
}
/** The exported line of `whole`. */
const exported = (whole: Line) => patched(whole, identifyPending(whole))
const identifyPending = ({ type, username, id, purchase_code }: Line): Line =>
  JSON.parse(JSON.stringify({ type, username, id, purchase_code }))

describe("a patch changes", () => {
  const sale = purchase("abc", 1, { buyer: "Deniz", supported_until: "2026-01-01T00:00:00Z" })
  const film = item("elif", 1, { media: videoMedia })
  const sound = item("elif", 1, { media: audioMedia })
  const plain = item("elif", 1)
  const { profile, ...rest } = account("elif")
  const elif = (changes: Line = {}): Line => ({
    ...rest,
    profile: { ...Object(profile), ...changes },
  })
  const { buyer: _, supported_until: __, ...bare } = sale

  const changes: readonly (readonly [what: string, whole: Line, patch: Line, becomes: Line])[] = [
    ["nothing if it contains only the identity", sale, {}, sale],
    ["a refund", sale, { revoked: true }, { ...sale, revoked: true }],
    ["its item, to the same one", sale, { item_id: 1, price: 5 }, { ...sale, price: 5 }],
    ["an optional field to absent, by null", sale, { buyer: null, supported_until: null }, bare],
    ["an optional field to absent, by empty", sale, { buyer: "", supported_until: "" }, bare],
    ["a flag to false, by null", { ...sale, revoked: true }, { revoked: null }, sale],
    [
      "an absent field",
      bare,
      { supported_until: "2026-01-01T03:00:00+03:00", buyer: "Deniz" },
      sale,
    ],
    ["a price in a string", sale, { price: "5.50" }, { ...sale, price: 5.5 }],
    [
      "one of two prices",
      plain,
      { price: { regular: 5 } },
      { ...plain, price: { regular: 5, extended: 199 } },
    ],
    ["a loose version", plain, { version: "v2" }, { ...plain, version: "2.0.0" }],
    ["a list, whole", plain, { tags: ["new"] }, { ...plain, tags: ["new"] }],
    ["a list to an empty one", plain, { tags: [] }, { ...plain, tags: [] }],
    ["whether it is suspended", elif(), { suspended: true }, { ...elif(), suspended: true }],
    ["whether it is hidden", plain, { hidden: true }, { ...plain, hidden: true }],
    [
      "one picture",
      plain,
      { media: { thumbnail: "https://a.example/t" } },
      { ...plain, media: { ...plainMedia, thumbnail: "https://a.example/t" } },
    ],
    ["screenshots to absent", film, { media: { screenshots: [], preview_video: null } }, plain],
    [
      "a plain item to an audio item",
      plain,
      { media: { preview_audio: audioMedia.preview_audio } },
      sound,
    ],
    [
      "an audio item to a plain item",
      sound,
      { media: { preview_audio: null, preview_image: plainMedia.preview_image } },
      plain,
    ],
    [
      "nothing by an image of an audio item",
      sound,
      { media: { preview_image: "https://a.example/i" } },
      sound,
    ],
    [
      "one text of the profile",
      elif(),
      { profile: { heading: "Yeni" } },
      elif({ heading: "Yeni" }),
    ],
    [
      "one social link",
      elif(),
      { profile: { social_links: { x: null, y: "https://y.example/" } } },
      elif({ social_links: { facebook: "https://facebook.com/ada", y: "https://y.example/" } }),
    ],
    [
      "a social link named __proto__",
      elif(),
      { profile: { social_links: JSON.parse('{"__proto__":"https://y.example/"}') } },
      elif({
        social_links: JSON.parse(
          '{"facebook":"https://facebook.com/ada","x":"https://x.com/ada","__proto__":"https://y.example/"}',
        ),
      }),
    ],
    [
      "a name",
      elif(),
      { name: { firstname: "Elif" } },
      { ...elif(), name: { firstname: "Elif", lastname: "Yılmaz", full_name: "Ada Yılmaz" } },
    ],
  ]
  test.each(changes)("%s", (_, whole, patch, becomes) => {
    expect(patched(whole, { ...identifyPending(whole), ...patch })).toBe(exported(becomes))
  })
})

test("a patch counts as normalized if one of its values was changed", () => {
  const sale = { type: "purchase", purchase_code: "abc", patch: true }
  const lines: readonly Line[] = [
    sale,
    { ...sale, buyer: null },
    { ...sale, buyer: "" },
    { ...sale, price: "5" },
    { ...sale, deleted: null },
    { type: "account", username: "elif", patch: true, api_key: "" },
    { type: "item", id: 1, patch: true, media: { screenshots: [] } },
    { type: "item", id: 1, patch: true, media: { screenshots: null } },
    { type: "item", id: 1, patch: true, media: videoMedia },
    { type: "item", id: 1, patch: true, media: { ...videoMedia, ...audioMedia } },
  ]
  expect(lines.map((line) => parseSingleLine(line).isNormalized)).toEqual([
    ...[false, false, true, true, true, true, true, false, false, true],
  ])
})

test("a patch can identify a code that earlier versions accepted", () => {
  expect(
    problemsOf({ type: "purchase", purchase_code: "N/A", patch: true, revoked: true }),
  ).toBeNull()
})

describe("a patch is rejected", () => {
  const rejections: readonly (readonly [what: string, line: Line, problems: readonly string[]])[] =
    [
      ["without an identity", { type: "purchase" }, ["purchase_code: missing"]],
      [
        "that removes required fields",
        {
          type: "item",
          id: 1,
          name: null,
          media: { thumbnail: "", preview_image: null },
          price: null,
        },
        ["name: not_removable", "price: not_removable"],
      ],
      [
        "that removes its identity or its item",
        { type: "purchase", purchase_code: null, item_id: null },
        ["purchase_code: not_removable", "item_id: not_removable"],
      ],
      [
        "with all of its problems",
        {
          type: "account",
          balance: "much",
          profile: { heading: 7, age: 8, social_links: { "": "x", x: 1 } },
        },
        ["username: missing", "profile.age: unknown_field"],
      ],
      [
        "that moves an item without the new author",
        { type: "item", id: 1, was_author: "ada" },
        ["author: missing"],
      ],
      ["that deletes", { type: "item", id: 1, deleted: true }, ["patch: patch_of_deleted"]],
    ]
  test.each(rejections)("%s", (_, line, problems) => {
    expect(problemsOf({ ...line, patch: true })).toEqual([...problems])
  })
})

test("a line with patch false or empty is a whole record", () => {
  for (const patch of [false, null, "", []]) {
    expect(recordOf(purchase("abc", 1, { patch }))).toEqual(recordOf(purchase("abc", 1)))
  }
})

describe("a patch with all fields of a record results in that record", () => {
  const withNulls = (names: readonly string[], fields: Line): Line => ({
    ...Object.fromEntries(names.map((name) => [name, null])),
    ...fields,
  })

  test("of any purchase", () => {
    fc.assert(
      fc.property(
        purchaseLine(fc.constant("abc")),
        purchaseLine(fc.constant("abc")),
        (one, other) => {
          const optional = ["supported_until", "buyer", "revoked", "valid_until", "site_limit"]
          const patch = withNulls(optional, other)
          expect(patched(one, patch)).toBe(exported(other))
        },
      ),
    )
  })

  test("of any item", () => {
    const any = itemLine(fc.constant("elif"), fc.constant(1))
    const media = ["preview_audio", "preview_image", "preview_video", "screenshots"]
    fc.assert(
      fc.property(any, any, (one, other) => {
        const patch = { ...other, media: withNulls(media, Object(other.media)) }
        expect(patched(one, withNulls(["hidden", "download_url"], patch))).toBe(exported(other))
      }),
    )
  })

  test("of any account, except social links that it does not contain", () => {
    const any = accountLine(fc.constant("elif"))
    fc.assert(
      fc.property(any, any, (one, other) => {
        const merged = structuredClone(one)
        Object.assign(merged, other)
        const bodyOf = (line: string) => JSON.parse(line)
        const [actual, expected] = [bodyOf(patched(one, other)), bodyOf(exported(merged))]
        const linksOf = (line: Line) => JSON.parse(exported(line)).profile.social_links
        expected.profile.social_links = Object.fromEntries([
          ...Object.entries(linksOf(one)),
          ...Object.entries(linksOf(other)),
        ])
        expect(actual).toEqual(expected)
      }),
    )
  })
})

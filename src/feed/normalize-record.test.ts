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
import { accountFields } from "../accounts/account.ts"
import { itemFields } from "../items/item.ts"
import { isPlaceholder } from "../platform/text.ts"
import { findTimeZone, type TimeZone } from "../platform/time.ts"
import { normalizePurchaseCode, purchaseFields } from "../purchases/purchase.ts"

function parseLine(line: Line, timeZone: TimeZone | null = null) {
  const { record, problems, isNormalized } = parseSingleLine(line, timeZone)
  const rejection = problems?.map(({ field, code }) => `${field}: ${code}`).join("; ")
  return { record, rejection, isNormalized }
}

const profileWith = (changes: Line) => ({ ...Object(account("x").profile), ...changes })
const links = { x: "https://x.com/ada" }
const files = "https://files.example.com"
const pictures = (avatar: string) => ({ avatar, cover: `${files}/cover.png` })

type FormatCase = readonly [what: string, unusual: Line, normalized: Line]

const itemWith = (unusual: Line, normalized: Line): [Line, Line] => [
  item("elif", 1, unusual),
  item("elif", 1, normalized),
]
const purchaseWith = (unusual: Line, normalized: Line): [Line, Line] => [
  purchase("abc", 1, unusual),
  purchase("abc", 1, normalized),
]
const accountWith = (unusual: Line, normalized: Line): [Line, Line] => [
  account("elif", unusual),
  account("elif", normalized),
]
const versionCase = (version: string, normalized: string): FormatCase => [
  `version ${JSON.stringify(version)}`,
  ...itemWith({ version }, { version: normalized }),
]

describe("is normalized to the contract", () => {
  const empties: readonly unknown[] = [null, "", []]
  const formats: readonly FormatCase[] = [
    ...empties.flatMap((empty): FormatCase[] => [
      [`api_key ${JSON.stringify(empty)}`, ...accountWith({ api_key: empty }, {})],
      [`deleted ${JSON.stringify(empty)}`, ...accountWith({ deleted: empty }, {})],
      [
        `a social link ${JSON.stringify(empty)}`,
        ...accountWith(
          { profile: profileWith({ social_links: { facebook: empty, ...links } }) },
          { profile: profileWith({ social_links: links }) },
        ),
      ],
      [`hidden ${JSON.stringify(empty)}`, ...itemWith({ hidden: empty }, {})],
      [`supported_until ${JSON.stringify(empty)}`, ...purchaseWith({ supported_until: empty }, {})],
      [`revoked ${JSON.stringify(empty)}`, ...purchaseWith({ revoked: empty }, {})],
      [
        `other previews and screenshots ${JSON.stringify(empty)}`,
        ...itemWith(
          {
            media: {
              ...plainMedia,
              preview_video: empty,
              preview_audio: empty,
              screenshots: empty,
            },
          },
          { media: plainMedia },
        ),
      ],
      [
        `an audio item's image ${JSON.stringify(empty)}`,
        ...itemWith({ media: { ...audioMedia, preview_image: empty } }, { media: audioMedia }),
      ],
    ]),
    ...["0000-00-00", "0000-00-00 00:00:00"].map(
      (none): FormatCase => [
        `supported_until ${none}`,
        ...purchaseWith({ supported_until: none }, {}),
      ],
    ),
    [
      "social_links as PHP writes an empty map",
      ...accountWith(
        { profile: profileWith({ social_links: [] }) },
        { profile: profileWith({ social_links: {} }) },
      ),
    ],
    [
      "spaces and other characters that a browser encodes in links",
      ...itemWith(
        {
          demo_link: " https://demo.example.com/my theme\n",
          media: {
            ...videoMedia,
            thumbnail: `${files}/küçük.png`,
            screenshots: [`${files}/1 (2).png`],
          },
        },
        {
          demo_link: "https://demo.example.com/my%20theme",
          media: {
            ...videoMedia,
            thumbnail: `${files}/k%C3%BC%C3%A7%C3%BCk.png`,
            screenshots: [`${files}/1%20(2).png`],
          },
        },
      ),
    ],
    [
      "a space in an avatar and a social link",
      ...accountWith(
        {
          profile: profileWith({
            social_links: { x: "https://x.com/a b" },
            media: pictures(`${files}/a b.png`),
          }),
        },
        {
          profile: profileWith({
            social_links: { x: "https://x.com/a%20b" },
            media: pictures(`${files}/a%20b.png`),
          }),
        },
      ),
    ],
    ["a code with typographic dashes", purchase("ab–12—c", 1), purchase("ab-12-c", 1)],
    [
      "a code with whitespace and a ligature",
      purchase(" \u200bo\ufb00er-1\n", 1),
      purchase("offer-1", 1),
    ],
    [
      "the code of a deleted purchase",
      { type: "purchase", purchase_code: "ab‐12", deleted: true },
      { type: "purchase", purchase_code: "ab-12", deleted: true },
    ],
    ["a price in a string", ...purchaseWith({ price: "19.99" }, {})],
    ["a negative price in a string", ...purchaseWith({ price: "-19.990" }, { price: -19.99 })],
    ["a whole price in a string", ...purchaseWith({ price: "019" }, { price: 19 })],
    ["a balance in a string", ...accountWith({ balance: "-0.00" }, { balance: 0 })],
    [
      "both prices in strings",
      ...itemWith({ price: { regular: "19.99", extended: "199.00" } }, {}),
    ],
    versionCase("1", "1.0.0"),
    versionCase("1.4", "1.4.0"),
    versionCase("v2.0.1", "2.0.1"),
    versionCase("V2", "2.0.0"),
    versionCase(" 1.2.3\n", "1.2.3"),
    versionCase("1.0.0-beta", "1.0.0"),
    versionCase("1.0-rc.1", "1.0.0"),
    versionCase("1.2.3.4", "1.2.3"),
    versionCase("v1.2.3.4.5-beta+7", "1.2.3"),
    versionCase("1.4b2", "1.4.0"),
    versionCase("1.4 beta", "1.4.0"),
    versionCase("1.4.x", "1.4.0"),
    versionCase("1.4.2-1", "1.4.2"),
    [
      "an audio item with an image and a video",
      ...itemWith(
        { media: { ...videoMedia, ...audioMedia } },
        { media: { ...audioMedia, screenshots: videoMedia.screenshots } },
      ),
    ],
    [
      "an audio item with an image that is not a URL",
      ...itemWith(
        { media: { ...audioMedia, preview_image: "preview.png", preview_video: 7 } },
        { media: audioMedia },
      ),
    ],
  ]
  test.each(formats)("%s", (_, unusual, normalized) => {
    const expected = parseLine(normalized)
    expect(expected).toEqual({
      record: expect.anything(),
      rejection: undefined,
      isNormalized: false,
    })
    expect(parseLine(unusual)).toEqual({ ...expected, isNormalized: true })
  })
})

describe("is left unchanged", () => {
  test.each<[string, Line]>([
    ["three numbers", item("elif", 1, { version: "2024.01.10" })],
    ["empty text that the contract allows", item("elif", 1, { name: "", options: [], tags: [] })],
    ["another format of a timestamp", purchase("abc", 1, { date: "20250102T030405+0300" })],
    ["a map without entries", account("elif", { profile: profileWith({ social_links: {} }) })],
  ])("%s", (_, line) => {
    expect(parseLine(line)).toMatchObject({ rejection: undefined, isNormalized: false })
  })
})

describe("is still rejected", () => {
  test.each<[string, Line]>([
    ["date: missing", purchase("abc", 1, { date: "0000-00-00 00:00:00" })],
    ...["2024-04-27 12:00:00", "2024-04-27T12:00:00", "2024-04-27"].map((date): [string, Line] => [
      "date: no_time_zone",
      purchase("abc", 1, { date }),
    ]),
    ["price: missing", purchase("abc", 1, { price: "" })],
    ["purchase_code: missing", purchase("\u200b ", 1)],
    ...[
      "19,99",
      "1.999,00",
      "19.99 USD",
      " 19",
      "1e3",
      ".5",
      "0x10",
      "NaN",
      "Infinity",
      "1".repeat(20),
    ].map((price): [string, Line] => ["price: not_a_number", purchase("abc", 1, { price })]),
    ["item_id: not_an_integer", purchase("abc", 1, { item_id: "1" })],
    ["downloaded: missing", purchase("abc", 1, { downloaded: "" })],
  ])("%s: %j", (rejection, line) => {
    expect(parseLine(line)).toEqual({ record: null, rejection, isNormalized: false })
  })
})

describe("in the operator's time zone", () => {
  const istanbul = findTimeZone("Europe/Istanbul")
  const at = "2024-04-27T09:00:00Z"
  test.each<[string, Line, Line]>([
    ["an account", account("elif"), { registered_at: "2024-04-27 12:00:00" }],
    ["an item", item("elif", 1), { published_at: "2024-04-27T12:00:00.5" }],
    ["a purchase", purchase("abc", 1), { date: "2024-04-27 12:00" }],
    ["the support period", purchase("abc", 1), { supported_until: "2024-04-27 12:00:00" }],
  ])("the times of %s are read", (_, line, local) => {
    const [name = ""] = Object.keys(local)
    const expected = parseLine({ ...line, [name]: at })
    expect(parseLine({ ...line, ...local }, istanbul)).toEqual({ ...expected, isNormalized: true })
  })

  test("a timestamp with a zone keeps its instant", () => {
    const line = purchase("abc", 1, { date: "2024-04-27T12:00:00+01:00" })
    expect(parseLine(line, istanbul)).toEqual(parseLine(line))
  })

  test("an invalid time is rejected with the same error as without a time zone", () => {
    const line = purchase("abc", 1, { date: "2024-02-30 12:00:00" })
    expect(parseLine(line, istanbul)).toEqual(parseLine(line))
    const none = purchase("abc", 1, { date: "0000-00-00", supported_until: "0000-00-00" })
    expect(parseLine(none, istanbul).rejection).toBe("date: missing")
  })
})

/** Rewrites a valid line in random equivalent formats. */
function reformat(line: Line, roll: () => number): Line {
  const unusual = structuredClone(line)
  const isChosen = () => roll() < 0.5
  const addEmpty = (fields: Line, names: readonly string[]) => {
    for (const name of names) {
      if (fields[name] === undefined && isChosen())
        fields[name] = [null, "", []][Math.floor(roll() * 3)]
    }
  }
  const quote = (fields: Line, name: string) => {
    const amount = String(fields[name])
    if (/^-?\d+(\.\d+)?$/.test(amount) && isChosen()) fields[name] = amount
  }
  // The generated lines have these fields, and they are objects.
  const media = unusual.media as Line | undefined
  if (line.type === "account") {
    const profile = unusual.profile as { social_links: Line }
    addEmpty(unusual, ["api_key", "deleted"])
    addEmpty(profile.social_links, ["facebook", "mastodon"])
    quote(unusual, "balance")
  }
  if (line.type === "purchase") {
    addEmpty(unusual, ["supported_until", "revoked", "deleted"])
    quote(unusual, "price")
  }
  if (media !== undefined) {
    addEmpty(unusual, ["hidden", "deleted"])
    addEmpty(media, ["screenshots", "preview_video", "preview_audio", "preview_image"])
    if (typeof media.preview_audio === "string" && media.preview_audio !== "" && isChosen())
      media.preview_image = "https://example.com/cover.png"
    quote(unusual.price as Line, "regular")
    quote(unusual.price as Line, "extended")
    const version = String(unusual.version)
    unusual.version = `${isChosen() ? "v" : ""}${version.replace(/(\.0){1,2}$/, (zeros) => (isChosen() ? "" : zeros))}`
    if (unusual.version === version && isChosen()) unusual.version += "-beta.1"
  }
  return unusual
}

test("any record in an equivalent format is stored like the normalized record, and counts as normalized", () => {
  const line = fc.oneof(accountLine(), itemLine(), purchaseLine())
  let normalizedCount = 0
  fc.assert(
    fc.property(
      line,
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      (normalized, rolls) => {
        const unusual = reformat(normalized, () => rolls.next().value ?? 0)
        const isNormalized = JSON.stringify(unusual) !== JSON.stringify(normalized)
        if (isNormalized) normalizedCount += 1
        expect(parseLine(unusual)).toEqual({ ...parseLine(normalized), isNormalized })
      },
    ),
    { numRuns: propertyRuns(2_000) },
  )
  expect(normalizedCount).toBeGreaterThan(propertyRuns(1_000))
})

describe("every optional field may be empty", () => {
  /** All fields of a type, including those that the sample omits. */
  const fieldNames = {
    account: ["api_key", "deleted", ...Object.keys(accountFields)],
    item: ["author", "hidden", "deleted", ...Object.keys(itemFields)],
    purchase: ["item_id", "revoked", "deleted", ...Object.keys(purchaseFields)],
  }
  // The samples below have these three types.
  const fieldNamesOf = ({ type }: Line) => fieldNames[type as keyof typeof fieldNames]
  const samples = [account("elif"), item("elif", 1), purchase("abc", 1)]
  const cases = samples.flatMap((sample) =>
    fieldNamesOf(sample).map((field) => [sample.type, field, sample] as const),
  )
  test.each(cases)("%s: %s", (_, field, sample) => {
    const { [field]: __, ...without } = sample
    const { rejection, isNormalized: isDefaulted } = parseLine(without)
    const mayBeAbsent = rejection === undefined && !isDefaulted
    for (const empty of [null, "", []]) {
      const { record, isNormalized } = parseLine({ ...without, [field]: empty })
      if (mayBeAbsent) expect([record, isNormalized]).toEqual([parseLine(without).record, true])
    }
  })
})

test("a code in any format is stored as the code that a request in this format finds", () => {
  const unit = fc.oneof(
    fc.constantFrom(..."aB1-\u2013\uff0d\u200b\ufeff \n\ufb00\u0301e\u00a0😀"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (pasted) => {
      const code = normalizePurchaseCode(pasted)
      const { record, rejection, isNormalized } = parseLine(purchase(pasted, 1))
      if (record === null) {
        expect(rejection).toStartWith("purchase_code: ")
        const isCode = code !== null && code !== "" && !isPlaceholder(code)
        expect(isCode && !pasted.includes("\ufffd")).toBe(false)
      } else {
        expect(record).toMatchObject({ purchase: Object({ code }) })
        expect(isNormalized).toBe(code !== pasted)
      }
    }),
    { numRuns: propertyRuns(3_000) },
  )
})

import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../../tests/harness/tier.ts"
import { record } from "../../domain/values/shape.ts"
import { parseDefaults } from "./defaults-file.ts"
import { createFill, sampleRecords } from "./fill-record.ts"
import { accountLineMembers, itemLineMembers, purchaseLineMembers } from "./record.ts"

function parse(file: unknown) {
  const problems: string[] = []
  const defaults = parseDefaults(JSON.stringify(file), problems)
  return { defaults, problems }
}
const problemsOf = (file: unknown) => parse(file).problems

test("good defaults are taken as they are, in their order", () => {
  const file = {
    item: {
      demo_link: "https://shop.example.com/items/{id}",
      "media.thumbnail": "https://shop.example.com/none.png",
      "media.preview_image": "{media.thumbnail}",
      "media.screenshots": ["https://shop.example.com/{author}/{id}.png"],
      author: "house",
      tags: [],
      options: ["{category}"],
      hidden: true,
      version: "1.0.0",
      "price.extended": "{price.regular}",
      published_at: "2020-01-01T00:00:00+03:00",
    },
    account: { "profile.social_links": {}, "profile.contact.email": "{email}", balance: 0 },
    purchase: { license_type: "Regular", buyer: "unknown", supported_until: "{date}" },
  }
  expect(parse(file)).toEqual({ defaults: file, problems: [] })
  expect(problemsOf({})).toEqual([])
})

describe("what is wrong is told, all of it at once", () => {
  test.each<[unknown, readonly string[]]>([
    [[], ["it must be an object"]],
    [
      { author: {}, item: [] },
      ["author is not a type of record (account, item or purchase)", "item must be an object"],
    ],
    [
      { item: { demo_linx: "x", "media.thumb": "x", "media.__proto__": {}, __proto: 1 } },
      [
        "item: demo_linx is not a member of this type",
        "item: media.thumb cannot have a default",
        "item: media.__proto__ cannot have a default",
        "item: __proto is not a member of this type",
      ],
    ],
    [
      {
        item: { id: 7, type: "item", deleted: true },
        account: { username: "x", api_key: "{email}" },
      },
      [
        "item: id cannot have a default",
        "item: type cannot have a default",
        "item: deleted cannot have a default",
        "account: username cannot have a default",
        "account: api_key cannot have a default",
      ],
    ],
    [
      { item: { media: {}, price: 5 }, account: { profile: null } },
      [
        "item: media has members of its own: name one of them, as in media.thumbnail",
        "item: price has members of its own: name one of them, as in price.regular",
        "account: profile has members of its own: name one of them, as in profile.heading",
      ],
    ],
    [
      { item: { "media.preview_audio": "https://a", "media.preview_video": "https://a" } },
      [
        "item: media.preview_audio says of which kind an item is: it cannot have a default",
        "item: media.preview_video says of which kind an item is: it cannot have a default",
      ],
    ],
    [
      { item: { demo_link: "https://a/{slug}/{media}/{}/{ id }", description: "{revoked}" } },
      [
        "item: demo_link has {slug}, which is not a member",
        "item: demo_link has {media}, which is not a member",
        "item: demo_link has {}, which is not a member",
        "item: demo_link has { id }, which is not a member",
        "item: description has {revoked}, which is not a member",
      ],
    ],
    [
      {
        item: { demo_link: "/items/{id}", version: "1", currency: "{name}", tags: "x" },
        purchase: { date: "2020-01-01", price: "5", license_type: "", downloaded: null },
      },
      [
        "item: demo_link must be an http or https URL",
        "item: version must be a dotted version number, major.minor.patch",
        "item: currency must be three letters",
        "item: tags must be a list",
        "purchase: date has no time zone (--timezone of an import, or timezone in a pull file, names one)",
        "purchase: price must be a number",
        "purchase: license_type must not be empty",
        "purchase: downloaded must not be empty",
      ],
    ],
  ])("%j", (file, problems) => {
    expect(problemsOf(file)).toEqual([...problems])
  })

  test("also a member that refers to itself", () => {
    expect(parse({ item: { name: "New: {name}" } }).problems).toEqual([
      "item: name has {name}, which is the member itself",
    ])
  })

  test("also what is no JSON, or says a thing twice", () => {
    for (const [text, problem] of [
      ["{", "it is not valid JSON"],
      ['{"item":{"name":"a","name":"b"}}', "item.name is given twice"],
    ] as const) {
      const problems: string[] = []
      parseDefaults(text, problems)
      expect(problems).toEqual([problem])
    }
  })
})

test("property: any JSON is taken or explained, and what is taken completes a record", () => {
  const shapes = {
    account: record(accountLineMembers),
    item: record(itemLineMembers),
    purchase: record(purchaseLineMembers),
  }
  const names = ["name", "demo_link", "tags", "media.thumbnail", "price.regular", "hidden", "date"]
  const name = fc.oneof(fc.constantFrom(...names, "currency", "__proto__"), fc.string())
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("https://a.example/{id}", "USD", "{name}"))
  const file = fc.dictionary(
    fc.constantFrom("account", "item", "purchase", "x"),
    fc.dictionary(name, value, { maxKeys: 3 }),
  )
  fc.assert(
    fc.property(file, (file) => {
      const { defaults, problems } = parse(file)
      if (problems.length > 0) return
      const fill = createFill(defaults)
      for (const type of ["account", "item", "purchase"] as const) {
        const line: Record<string, unknown> = structuredClone(sampleRecords[type])
        for (const dotted of Object.keys(defaults[type]))
          if (!dotted.includes(".")) delete line[dotted]
        fill(line)
        expect(() => shapes[type](line, "")).not.toThrow()
      }
    }),
    { numRuns: runs(200) },
  )
})

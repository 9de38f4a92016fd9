import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  account,
  audioMedia,
  item,
  type Line,
  plainMedia,
  purchase,
} from "../../../tests/contracts/records.ts"
import { accountLine, itemLine, purchaseLine } from "../../../tests/harness/feed/arbitraries.ts"
import { runs } from "../../../tests/harness/tier.ts"
import { createFill, type FeedDefaults, noDefaults } from "./fill-record.ts"

function fill(line: Line, defaults: Partial<FeedDefaults>) {
  const filled = structuredClone(line)
  const isFilled = createFill({ ...noDefaults, ...defaults })(filled)
  return isFilled ? filled : null
}
const without = (line: Line, name: string): Line =>
  Object.fromEntries(Object.entries(line).filter(([member]) => member !== name))

describe("a member that is missing is filled in", () => {
  const demo = { item: { demo_link: "https://shop.example.com/demo" } }
  test.each<[string, Line]>([
    ["absent", without(item("elif", 1), "demo_link")],
    ["null", item("elif", 1, { demo_link: null })],
    ["empty", item("elif", 1, { demo_link: "" })],
    ["an empty list, as PHP may write it", item("elif", 1, { demo_link: [] })],
  ])("%s", (_, line) => {
    expect(fill(line, demo)).toEqual({ ...line, demo_link: "https://shop.example.com/demo" })
  })

  test("as MySQL's zero date", () => {
    const date = "2020-01-01T00:00:00Z"
    const line = purchase("abc", 1, { date: "0000-00-00 00:00:00", license_type: "0000-00-00" })
    const defaults = { purchase: { date, license_type: "Regular" } }
    expect(fill(line, defaults)).toEqual({ ...line, date })
  })

  test("inside an object, which is made if it is missing too", () => {
    const thumbnail = "https://shop.example.com/none.png"
    const defaults = { item: { "media.thumbnail": thumbnail } }
    for (const media of [undefined, null, "", []]) {
      expect(fill(item("elif", 1, { media }), defaults)).toMatchObject({ media: { thumbnail } })
    }
    const line = item("elif", 1, { media: { ...plainMedia, thumbnail: "" } })
    expect(fill(line, defaults)).toEqual({ ...line, media: { ...plainMedia, thumbnail } })
    expect(fill(item("elif", 1, { media: "none" }), defaults)).toBeNull()
    const avatar = { account: { "profile.media.avatar": thumbnail } }
    expect(fill(account("elif", { profile: "none" }), avatar)).toBeNull()
    expect(fill(account("elif", { profile: null }), avatar)).toMatchObject({
      profile: { media: { avatar: thumbnail } },
    })
  })

  test("with a value of any type", () => {
    const defaults = {
      item: { options: [], tags: ["other"], "price.extended": 0, hidden: true },
      account: { "profile.social_links": {} },
    }
    const line = item("elif", 1, { options: null, tags: null, price: { regular: 5 }, hidden: null })
    expect(fill(line, defaults)).toEqual({
      ...line,
      options: [],
      tags: ["other"],
      price: { regular: 5, extended: 0 },
      hidden: true,
    })
    const profile = without(Object(account("elif").profile), "social_links")
    expect(fill(account("elif", { profile }), defaults)).toMatchObject({
      profile: { ...profile, social_links: {} },
    })
  })
})

describe("a value stays", () => {
  test("also an empty list where a list is meant", () => {
    expect(fill(item("elif", 1, { tags: [] }), { item: { tags: ["other"] } })).toBeNull()
  })

  test("also if it is wrong: it is refused later", () => {
    const line = item("elif", 1, { demo_link: "none", price: 5, version: 0, hidden: false })
    const item_ = {
      demo_link: "https://a.example",
      "price.regular": 1,
      version: "1.0.0",
      hidden: true,
    }
    expect(fill(line, { item: item_ })).toBeNull()
  })

  test("in records of other types, in patches and in deletions", () => {
    const defaults = { item: { demo_link: "https://a.example" } }
    expect(fill(purchase("abc", 1), defaults)).toBeNull()
    expect(fill({ type: "item", id: 1, patch: true }, defaults)).toBeNull()
    expect(fill({ type: "item", id: 1, deleted: true }, defaults)).toBeNull()
    expect(fill({ type: "__proto__" }, defaults)).toBeNull()
  })

  test("in the media of an audio item, which has no picture as preview", () => {
    const defaults = { item: { "media.preview_image": "https://a.example/none.png" } }
    expect(fill(item("elif", 1, { media: audioMedia }), defaults)).toBeNull()
    const { thumbnail } = plainMedia
    expect(fill(item("elif", 1, { media: { thumbnail } }), defaults)).not.toBeNull()
  })
})

describe("a placeholder", () => {
  const filledBy = (value: unknown, line: Line = item("elif", 7, { demo_link: null })) =>
    fill(line, { item: { demo_link: value } })?.demo_link

  test("is a member of the record", () => {
    expect(filledBy("https://a.example/{id}/{author}")).toBe("https://a.example/7/elif")
    expect(filledBy("{media.thumbnail}")).toBe(plainMedia.thumbnail)
    const line = account("elif", { name: { firstname: "Ada", lastname: "Y", full_name: null } })
    const defaults = { account: { "name.full_name": "{name.firstname} {name.lastname}" } }
    expect(fill(line, defaults)).toMatchObject({ name: { full_name: "Ada Y" } })
  })

  test("is encoded inside a URL, and nowhere else", () => {
    const line = item("a/b?ü #&", 7, { demo_link: null, description: null })
    expect(filledBy("https://a.example/{author}", line)).toBe(
      "https://a.example/a%2Fb%3F%C3%BC%20%23%26",
    )
    expect(fill(line, { item: { description: "By {author}" } })).toMatchObject({
      description: "By a/b?ü #&",
    })
    expect(filledBy("https://a.example/{name}", { ...line, name: "\ud800" })).toBe(
      "https://a.example/%EF%BF%BD",
    )
  })

  test("alone keeps the type of what it copies", () => {
    const line = item("elif", 7, { price: { regular: 19.99 } })
    expect(fill(line, { item: { "price.extended": "{price.regular}" } })).toMatchObject({
      price: { regular: 19.99, extended: 19.99 },
    })
  })

  test("in a list or a map is filled in too", () => {
    const media = { ...plainMedia, screenshots: null }
    const screenshots = ["https://a.example/{id}.png"]
    expect(
      fill(item("elif", 7, { media }), { item: { "media.screenshots": screenshots } }),
    ).toMatchObject({ media: { screenshots: ["https://a.example/7.png"] } })
  })

  test("of a member that is missing fills in nothing", () => {
    for (const name of [null, "", {}, undefined]) {
      const line = item("elif", 7, { demo_link: null, name })
      expect(filledBy("https://a.example/{name}", line) ?? null).toBeNull()
      expect(filledBy(["{name} x"], line) ?? null).toBeNull()
    }
  })

  test("sees what was filled in before it in the file", () => {
    const defaults = { item: { category: "Other", description: "In {category}" } }
    expect(fill(item("elif", 7, { category: "", description: "" }), defaults)).toMatchObject({
      category: "Other",
      description: "In Other",
    })
  })
})

test("property: a record that has all its members is never changed", () => {
  const defaults: FeedDefaults = {
    account: {
      email: "none@example.com",
      balance: 0,
      currency: "USD",
      "name.firstname": "{username}",
      "profile.heading": "x",
      "profile.social_links": {},
      "profile.media.avatar": "https://a",
      registered_at: "2020-01-01T00:00:00Z",
    },
    item: {
      name: "x",
      description: "x",
      tags: ["x"],
      options: [],
      version: "1.0.0",
      hidden: true,
      demo_link: "https://a.example/{id}",
      "media.preview_image": "https://a.example/x.png",
      "media.thumbnail": "https://a",
      "price.extended": 1,
      published_at: "2020-01-01T00:00:00Z",
    },
    purchase: {
      license_type: "Regular",
      price: 0,
      downloaded: false,
      date: "2020-01-01T00:00:00Z",
    },
  }
  const fillAll = createFill(defaults)
  const isComplete = (line: Line) => !JSON.stringify(line).includes('""')
  const line = fc
    .oneof(accountLine(), itemLine(), purchaseLine())
    .map((line): Line => (line.type === "item" ? { hidden: false, ...line } : line))
    .filter(isComplete)
  fc.assert(
    fc.property(line, (line) => {
      const before = structuredClone(line)
      expect([fillAll(line), line]).toEqual([false, before])
    }),
    { numRuns: runs(150) },
  )
})

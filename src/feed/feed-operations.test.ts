import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { type Loaded, type Program, startProgram } from "../../tests/harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../../tests/harness/records.ts"
import { lineBytesMax } from "./parse-line.ts"

let program: Program
beforeEach(async () => {
  program = await startProgram()
})
afterEach(() => program.close())

const elif = account("elif")
const theme = item("elif", 1)
const sale = purchase("code-1", 1)
const print = (line: Line) => JSON.stringify(line)
const allAccepted = (accepted: number): Loaded => ({
  accepted,
  rejected: 0,
  rejectedLines: [],
  rejectedText: "",
})

/** The export of a database with only these lines. */
async function dumpOf(lines: readonly Line[]): Promise<string> {
  const other = await startProgram()
  try {
    await other.load(lines)
    return await other.dump()
  } finally {
    await other.close()
  }
}

describe("an invalid line between valid ones is the only one rejected:", () => {
  const notJson = "invalid_json"
  const nested = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`

  type InvalidLine = readonly [
    what: string,
    line: string | Uint8Array,
    field: string,
    reason: string,
  ]
  const invalidLines: readonly InvalidLine[] = [
    ["invalid UTF-8", latin1('{"type":"item","name":"\xff"}'), "record", "invalid_utf8"],
    ["Latin-1", latin1('{"type":"item","name":"\xdcr\xfcn"}'), "record", "invalid_utf8"],
    ["UTF-8 with a surrogate", latin1('{"a":"\xed\xa0\x80"}'), "record", "invalid_utf8"],
    ["overlong UTF-8", latin1('{"a":"\xc0\xaf"}'), "record", "invalid_utf8"],
    ["a byte order mark inside the feed", `\ufeff${print(theme)}`, "record", notJson],
    ["a NUL", print(theme).replace("Bir tema", "Bir\0tema"), "record", notJson],
    [
      "an escaped NUL",
      print(purchase("code-9", 1, { license_type: "a\0b" })),
      "license_type",
      "invalid_character",
    ],
    [
      "half of a surrogate pair",
      print(sale).replace("code-1", "\\ud83d"),
      "purchase_code",
      "invalid_character",
    ],
    ["a truncated line", print(theme).slice(0, 100), "record", notJson],
    ["two records", print(theme) + print(theme), "record", notJson],
    ["a duplicate field", print(theme).replace('"id":1', '"id":1,"id":2'), "id", "duplicate_field"],
    [
      "a duplicate nested field, the second one escaped",
      print(theme).replace('"regular":', '"regular":1,"r\\u0065gular":'),
      "price.regular",
      "duplicate_field",
    ],
    ["deep nesting", nested, "record", "too_deep"],
    [
      "a time without a zone",
      print(purchase("code-9", 1, { date: "2025-01-02" })),
      "date",
      "no_time_zone",
    ],
    ["deep nesting in a field", print(theme).replace('"Bir tema"', nested), "record", "too_deep"],
    [
      "an id beyond double precision",
      print(theme).replace('"id":1', '"id":9007199254740993'),
      "id",
      "too_many_digits",
    ],
    [
      "a price out of range",
      print(theme).replace("19.99", "1e400"),
      "price.regular",
      "too_many_digits",
    ],
    [
      "a patch of an unknown item",
      print({ type: "item", id: 9, patch: true, name: "New" }),
      "id",
      "unknown_item",
    ],
    ["a record of an unknown type", print({ ...theme, type: "refund" }), "type", "unknown_type"],
    ["a record of the wrong type", print({ ...theme, type: "purchase" }), "item_id", "missing"],
    ["a list", `[${print(theme)}]`, "record", "not_an_object"],
    ["null", "null", "record", "not_an_object"],
    [
      "a deletion with more than the identity",
      print({ ...theme, deleted: true }),
      "author",
      "unknown_field",
    ],
    [
      "a line of 3 MB",
      print(item("elif", 9, { description: "x".repeat(3 * 1024 ** 2) })),
      "record",
      "line_too_long",
    ],
    ["3 MB of whitespace", " ".repeat(3 * 1024 ** 2), "record", "line_too_long"],
  ]

  test.each(invalidLines.map(([what, line, field, code]) => [what, field, code, line] as const))(
    "%s (%s: %s)",
    async (_, field, code, line) => {
      const feed = Buffer.concat([
        Buffer.from(`${print(elif)}\n`),
        Buffer.from(line),
        Buffer.from(`\n${print(theme)}\n${print(sale)}\n`),
      ])
      const loaded = await program.load(feed)
      expect({ ...loaded, rejectedText: "" }).toMatchObject({
        accepted: 3,
        rejected: 1,
        rejectedLines: [{ line: 2, field, code }],
        rejectedText: "",
      })
      const text = code === "line_too_long" ? "" : new TextDecoder().decode(Buffer.from(line))
      expect(loaded.rejectedText === `${text}\n`).toBe(true)
      expect(await program.dump()).toBe(await dumpOf([elif, theme, sale]))
    },
  )
})

describe("is accepted:", () => {
  const lines = [elif, theme, sale].map(print)
  const validFeeds: readonly (readonly [what: string, feed: string])[] = [
    ["a byte order mark at the start", `\ufeff${lines.join("\n")}\n`],
    ["CRLF", `${lines.join("\r\n")}\r\n`],
    ["a last line without a line break", lines.join("\n")],
    ["empty lines", `\n\n${lines.join("\n \t\n\r\n")}\n\n\n`],
    ["a byte order mark alone on the first line", `\ufeff\n${lines.join("\n")}`],
    ["spaces around", lines.map((line) => ` ${line} `).join("\n")],
    ["slashes and letters escaped as PHP does", lines.map(escapeLikePhp).join("\n")],
  ]
  test.each(validFeeds)("%s", async (_, feed) => {
    expect(await program.load(feed)).toEqual(allAccepted(3))
    expect(await program.dump()).toBe(await dumpOf([elif, theme, sale]))
  })

  test("an empty feed, which changes nothing", async () => {
    expect(await program.load("")).toEqual(allAccepted(0))
    expect(await program.dump()).toBe("")
  })

  test("a line of exactly the limit", async () => {
    const padded = print(theme) + " ".repeat(lineBytesMax - Buffer.byteLength(print(theme)))
    expect(await program.load(`${print(elif)}\n${padded}\n`)).toEqual(allAccepted(2))
  })
})

test("a truncated last line is rejected, and the lines before it are saved", async () => {
  const feed = toFeed([elif, theme, sale]).slice(0, -20)
  expect(await program.load(feed)).toEqual({
    accepted: 2,
    rejected: 1,
    rejectedLines: [{ line: 3, field: "record", code: "invalid_json" }],
    rejectedText: `${feed.split("\n")[2]}\n`,
  })
  expect(await program.dump()).toBe(await dumpOf([elif, theme]))
})

describe("a line that conflicts with the database is rejected and changes nothing:", () => {
  const stored = [elif, account("ada"), theme, item("elif", 2), item("ada", 3), sale]
  const conflicts: readonly (readonly [what: string, line: Line, rejection: string])[] = [
    ["an item moved to another author", item("ada", 1), "author: item_of_other_author"],
    [
      "a code sold for an item of another author",
      purchase("code-1", 3),
      "item_id: code_of_other_author",
    ],
    ["an existing code with an unknown item", purchase("code-1", 9), "item_id: unknown_item"],
    [
      "the deletion of an item with purchases",
      { type: "item", id: 1, deleted: true },
      "id: has_purchases",
    ],
    [
      "the deletion of an account with items",
      { type: "account", username: "elif", deleted: true },
      "username: has_items",
    ],
    [
      "a key of another account",
      account("ada", { api_key: "key of elif", balance: 1 }),
      "api_key: key_of_other_account",
    ],
    [
      "a new account with a key of another one",
      account("new", { api_key: "key of elif" }),
      "api_key: key_of_other_account",
    ],
  ]
  test.each(conflicts)("%s", async (_, line, rejection) => {
    await program.load([...stored, { ...elif, api_key: "key of elif" }])
    const before = await program.dump()
    const [field = "", code = ""] = rejection.split(": ")
    expect(await program.load([line])).toMatchObject({
      accepted: 0,
      rejected: 1,
      rejectedLines: [{ line: 1, field, code }],
      rejectedText: toFeed([line]),
    })
    expect(await program.dump()).toBe(before)
  })

  test("but deletions in the right order delete everything", async () => {
    await program.load(stored)
    const deletions = [
      { type: "purchase", purchase_code: "code-1", deleted: true },
      { type: "item", id: 1, deleted: true },
      { type: "item", id: 2, deleted: true },
      { type: "item", id: 3, deleted: true },
      { type: "account", username: "elif", deleted: true },
      { type: "account", username: "ada", deleted: true },
    ]
    expect(await program.load(deletions)).toEqual(allAccepted(6))
    expect(await program.dump()).toBe("")
    expect(await program.load(deletions)).toEqual(allAccepted(6))
  })

  test("and codes that differ only in case are two codes", async () => {
    await program.load(stored)
    const other = purchase("CODE-1", 2)
    expect(await program.load([other])).toEqual(allAccepted(1))
    expect(await program.dump()).toBe(await dumpOf([...stored, other]))
  })
})

test("a later line of the same record replaces the earlier, in one batch or two", async () => {
  const renamed = item("elif", 1, { name: "New", hidden: true })
  const refunded = purchase("code-1", 1, { revoked: true })
  const richer = account("elif", { balance: 999 })
  await program.load([elif, theme, sale, renamed, refunded])
  await program.load([richer])
  expect(await program.dump()).toBe(await dumpOf([richer, renamed, refunded]))
})

describe("rejected lines", () => {
  const unreadable = '{"type":'
  const orphan = { type: "purchase", purchase_code: "code-9", patch: true, revoked: true }
  const misspelled = item("elif", 3, { pricing: 1 })
  const feed = `${print(elif)}\n${unreadable}\n\n${print(orphan)}\n${print(theme)}\n${print(misspelled)}`

  test("are reported in order, with their text", async () => {
    expect(await program.load(feed)).toEqual({
      accepted: 2,
      rejected: 3,
      rejectedLines: [
        { line: 2, field: "record", code: "invalid_json" },
        { line: 4, field: "purchase_code", code: "unknown_purchase" },
        { line: 6, field: "pricing", code: "unknown_field" },
      ],
      rejectedText: `${unreadable}\n${print(orphan)}\n${print(misspelled)}\n`,
    })
  })

  test("can be fixed and imported again", async () => {
    const { rejectedText } = await program.load(feed)
    const fixed = rejectedText
      .replace(unreadable, `${print(item("elif", 9))}\n${print(purchase("code-9", 9))}`)
      .replace(',"pricing":1', "")
    expect(await program.load(fixed)).toEqual(allAccepted(4))
    const refunded = purchase("code-9", 9, { revoked: true })
    expect(await program.dump()).toBe(
      await dumpOf([elif, theme, item("elif", 3), item("elif", 9), refunded]),
    )
  })
})

describe("a strict import", () => {
  test("saves nothing if one line is invalid", async () => {
    const bad = purchase("x", 1, { currency: "EURO" })
    expect(await program.load([elif, theme, bad, sale], "strict")).toEqual({
      accepted: 0,
      rejected: 1,
      rejectedLines: [{ line: 3, field: "currency", code: "not_a_currency" }],
      rejectedText: toFeed([bad]),
    })
    expect(await program.dump()).toBe("")
  })

  test("saves a valid feed", async () => {
    expect(await program.load([elif, theme, sale], "strict")).toEqual(allAccepted(3))
    expect(await program.dump()).toBe(await dumpOf([elif, theme, sale]))
  })
})

describe("a dry run", () => {
  const orphan = purchase("x", 9)

  test("validates like an import and saves nothing", async () => {
    const dry = await program.load([elif, theme, orphan, sale], "dry run")
    expect(await program.dump()).toBe("")
    expect(dry).toEqual(await program.load([elif, theme, orphan, sale]))
  })

  test("does not change existing records", async () => {
    await program.load([elif, theme, sale])
    const before = await everything()
    expect(
      await program.load([item("elif", 1, { name: "New" }), item("elif", 2)], "dry run"),
    ).toEqual(allAccepted(2))
    expect(await everything()).toEqual(before)
  })
})

async function everything() {
  const { accounts, items, keys } = program.app.store
  const owner = await accounts.findByUsername("elif")
  const id = owner?.id ?? 0
  return {
    dump: await program.dump(),
    owner,
    listVersion: (await items.findList(id))?.version,
    keys: await keys.list(id),
  }
}

describe("importing the same feed twice", () => {
  const withKey = { ...elif, api_key: "an old key" }
  const feed = [withKey, theme, item("elif", 2, { hidden: true }), sale]

  test.each(["batches", "strict"] as const)("changes nothing (%s)", async (mode) => {
    await program.load(feed)
    const before = await everything()
    expect(await program.load(feed, mode)).toEqual(allAccepted(4))
    expect(await everything()).toEqual(before)
    expect(await program.load(await program.dump(), mode)).toEqual(allAccepted(4))
    expect(await everything()).toEqual(before)
  })

  test("but a changed, hidden or deleted item changes the version of the list", async () => {
    await program.load(feed)
    const versions = [(await everything()).listVersion]
    for (const change of [
      item("elif", 1, { name: "New" }),
      item("elif", 1, { name: "New", hidden: true }),
      { type: "item", id: 2, deleted: true },
      item("elif", 3),
    ]) {
      expect(await program.load([change])).toEqual(allAccepted(1))
      versions.push((await everything()).listVersion)
    }
    expect(new Set(versions).size).toBe(5)
  })
})

function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1")
}

function escapeLikePhp(line: string): string {
  return line
    .replaceAll("/", "\\/")
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

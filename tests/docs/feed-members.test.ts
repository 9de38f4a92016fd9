/** The tables of members in docs/feed.md, held against the shapes that check a feed. */
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { FeedSecrets } from "../../src/domain/feed/feed.ts"
import {
  currency,
  type JsonSchema,
  record,
  type Shape,
  timestamp,
  url,
} from "../../src/domain/values/shape.ts"
import { findTimeZone } from "../../src/domain/values/time/local-time.ts"
import { judgeLine, whenWritten } from "../../src/feed/judge-line.ts"
import { noDefaults } from "../../src/feed/records/fill-record.ts"
import {
  accountLineMembers,
  itemLineMembers,
  purchaseLineMembers,
} from "../../src/feed/records/record.ts"
import { createAdjust } from "../../src/feed/records/salvage-record.ts"

type Members = Record<string, unknown>
type Row = Readonly<{
  member: string
  type: string
  required: string
  readAs: string
  example: string
}>

const unquote = (cell: string) => cell.replace(/^`(.*)`$/, "$1")

const page = readFileSync(join(import.meta.dir, "../../docs/feed.md"), "utf8")
const section = /^## Members\n(.*?)^## /ms.exec(page)?.[1] ?? ""
const tables = section
  .split(/^An? (?=account|item|purchase)/m)
  .slice(1)
  .map(rowsOf)

function rowsOf(text: string): readonly Row[] {
  const lines = text.split("\n").filter((line) => line.startsWith("| `"))
  return lines.map((line) => {
    const [member = "", type = "", required = "", readAs = "", example = ""] = line
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.trim())
    return { member: unquote(member), type, required, readAs, example: unquote(example) }
  })
}

/** One row of the table for each member that has no members of its own. */
function describeMembers(
  schema: JsonSchema,
  place = "",
): readonly Omit<Row, "readAs" | "example">[] {
  const variants = (schema.oneOf ?? [schema]) as readonly Readonly<{
    properties: Record<string, JsonSchema>
    required: readonly string[]
  }>[]
  const properties = Object.assign({}, ...variants.map((variant) => variant.properties))
  return Object.entries<JsonSchema>(properties).flatMap(([name, inner]) => {
    if ("properties" in inner || "oneOf" in inner) return describeMembers(inner, `${place}${name}.`)
    const needing = variants.filter(({ required }) => required.includes(name)).length
    const required = needing === variants.length ? "yes" : needing > 0 ? "by kind" : "no"
    return [{ member: `${place}${name}`, type: typeOf(inner), required }]
  })
}

function typeOf(schema: JsonSchema): string {
  const named = new Map([
    [url.schema, "URL"],
    [currency.schema, "currency"],
    [timestamp.schema, "time"],
  ])
  const known = named.get(schema)
  if (known !== undefined) return known
  // The schemas of lists and maps hold that of their entries.
  if (schema.type === "array") return `list of ${typeOf(schema.items as JsonSchema)}`
  if (schema.type === "object") return `map of ${typeOf(schema.additionalProperties as JsonSchema)}`
  return { integer: "integer", number: "number", boolean: "flag" }[`${schema.type}`] ?? "text"
}

const shapes: readonly (readonly [string, Shape<unknown>])[] = [
  ["account", record(accountLineMembers)],
  ["item", record(itemLineMembers)],
  ["purchase", record(purchaseLineMembers)],
]

const nothing = () => {
  throw new Error("nothing is sealed here")
}
const secrets: FeedSecrets = {
  prepareKey: (_, secret) => ({ secret }) as never,
  keys: { seal: nothing, unseal: nothing },
}
const adjust = createAdjust(noDefaults, findTimeZone("UTC"))

function judge(line: Members) {
  const bytes = Buffer.from(JSON.stringify(line))
  const judged = judgeLine(
    { number: 1, bytes, isOversize: false, isEnd: true },
    { secrets, adjust, momentOf: whenWritten, onEnd: () => {} },
  )
  // As text: each record with `was` has its own function for sealing keys.
  const record = JSON.stringify(judged?.record)
  const { problems, isAdjusted, defaulted } = judged ?? {}
  return { record, problems, isAdjusted, defaulted }
}

/** Undefined leaves the member out: JSON has no such value. */
function change(line: Members, member: string, value: unknown): Members {
  const copy = structuredClone(line)
  const path = member.split(".")
  let around = copy
  for (const name of path.slice(0, -1)) {
    around[name] ??= {}
    // The examples hold objects there.
    around = around[name] as Members
  }
  around[path.at(-1) ?? ""] = value
  return copy
}

/** `"1.4"` → `"1.4.0"`, and `empty → absent` as each of the empty values. */
function* spellingsOf(readAs: string): Generator<readonly [messy: unknown, clean: unknown]> {
  const pairs = readAs === "" ? [] : readAs.split(/, (?=`|empty)/)
  for (const pair of pairs) {
    const [messy = "", clean = ""] = pair.split(" → ").map(unquote)
    const value = clean === "absent" ? undefined : JSON.parse(clean)
    if (messy === "empty") for (const empty of [null, "", []]) yield [empty, value]
    else yield [JSON.parse(messy), value]
  }
}

test("the defaults that are shown are those of the example", () => {
  const [, shown = ""] = /^## Defaults\n.*?^```\n(.*?)^```$/ms.exec(page) ?? []
  const example = readFileSync(join(import.meta.dir, "../../examples/defaults.json"), "utf8")
  expect(shown).toBe(example)
})

describe.each(shapes.map(([type, shape], at) => [type, shape, tables[at] ?? []] as const))(
  "%s",
  (type, shape, rows) => {
    const isOfOtherKind = ({ member }: Row) => member === "media.preview_audio"
    const sample = rows
      .filter((row) => !isOfOtherKind(row))
      .reduce((line: Members, { member, example }) => change(line, member, JSON.parse(example)), {})

    test("has a row for each member, with its type and whether it is required", () => {
      const documented = rows.map(({ member, type, required }) => ({ member, type, required }))
      const byName = (one: { member: string }, other: { member: string }) =>
        one.member < other.member ? -1 : 1
      expect(documented.toSorted(byName)).toEqual(describeMembers(shape.schema).toSorted(byName))
    })

    test("has examples that make a record", () => {
      expect(sample.type).toBe(type)
      expect(judge(sample)).toMatchObject({ problems: null, isAdjusted: false })
      for (const row of rows.filter(isOfOtherKind)) {
        const value = JSON.parse(row.example)
        const { media: _, ...rest } = sample
        const audio = change({ ...rest, media: { thumbnail: value } }, row.member, value)
        expect(judge(audio)).toMatchObject({ problems: null, isAdjusted: false })
      }
    })

    test.each(rows.filter(({ readAs }) => readAs !== ""))("$member is read as $readAs", (row) => {
      for (const [messy, clean] of spellingsOf(row.readAs)) {
        const expected = judge(change(sample, row.member, clean))
        expect(expected.problems).toBeNull()
        expect(judge(change(sample, row.member, messy))).toEqual({ ...expected, isAdjusted: true })
      }
    })

    test("lists every member that may be empty", () => {
      const isRead = ({ member }: Row, empty: unknown) => {
        const { problems, isAdjusted, defaulted } = judge(change(sample, member, empty))
        return problems === null && isAdjusted === true && defaulted?.length === 0
      }
      const mayBeEmpty = rows.filter((row) => isRead(row, null)).map(({ member }) => member)
      const listed = rows.filter(({ readAs }) => readAs.startsWith("empty → absent"))
      expect(mayBeEmpty).toEqual(listed.map(({ member }) => member))
    })
  },
)

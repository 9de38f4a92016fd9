/** The published schemas against the contract's tables, which were written without them. */
import { expect, test } from "bun:test"
import Ajv2020 from "ajv/dist/2020.js"
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
import {
  accountTable,
  checkMembers,
  itemTable,
  purchaseTable,
} from "../../../tests/harness/feed/contract-tables.ts"
import { runs } from "../../../tests/harness/tier.ts"
import { nouns } from "./schemas.ts"

const ajv = new Ajv2020({ strict: false, formats: { int64: true, "date-time": true } })
ajv.addSchema({ components: { schemas: nouns } }, "api")
const fits = (noun: keyof typeof nouns, value: unknown) =>
  ajv.getSchema(`api#/components/schemas/${noun}`)?.(value)

const { type: _, ...accountBody } = account("elif")
const { type: __, author: ___, hidden: ____, ...itemBody } = item("elif", 1)
const { type: _____, item_id: ______, revoked: _______, ...purchaseBody } = purchase("code", 1)
const sold = { ...purchaseBody, item: itemBody, supported_until: "2026-01-02T03:04:05Z" }
const good = [
  ["Account", accountTable, accountBody],
  ...[plainMedia, audioMedia, videoMedia].map(
    (media) => ["Item", itemTable, { ...itemBody, media }] as const,
  ),
  ["Purchase", purchaseTable, sold],
] as const

test.each(good)("%s as the contract shows it", (noun, table, body) => {
  expect([fits(noun, body), checkMembers(table, body)]).toEqual([true, []])
})

/** The record with the value at one of its places replaced, or the member there removed. */
function change(value: unknown, place: number, replacement: unknown): unknown {
  let at = -1
  const walk = (each: unknown): unknown => {
    at += 1
    if (at === place) return replacement
    if (Array.isArray(each)) return each.map(walk)
    if (typeof each !== "object" || each === null) return each
    return Object.fromEntries(
      Object.entries(each)
        .map(([name, member]) => [name, walk(member)])
        .filter(([, member]) => member !== undefined),
    )
  }
  return walk(value)
}

test("a changed record fits the schema if and only if it fits the contract", () => {
  const replacement = fc.constantFrom<unknown>(undefined, null, {}, [], "x", true, "1.2", [null])
  const record = fc.constantFrom(...good)
  fc.assert(
    fc.property(record, fc.nat({ max: 40 }), replacement, ([noun, table, body], place, value) => {
      const changed = change(body, place, value)
      expect(fits(noun, changed)).toBe(checkMembers(table, changed).length === 0)
    }),
    { numRuns: runs(500) },
  )
})

test("a member that the contract does not have fits no schema", () => {
  for (const [noun, , body] of good) {
    const stranger: Line = { ...body, buyer: "x" }
    expect(fits(noun, stranger)).toBe(false)
  }
})

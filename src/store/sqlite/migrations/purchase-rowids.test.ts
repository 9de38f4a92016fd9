import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import {
  accountId,
  accountRecord,
  itemRecord,
  purchaseRecord,
  put,
} from "../../../../tests/contracts/store-records.ts"
import { temporaryFolder } from "../../../../tests/harness/program.ts"
import { createSqlite } from "../../../../tests/harness/stores/new-stores.ts"
import { runs } from "../../../../tests/harness/tier.ts"
import { lowerAscii } from "../../../domain/catalogue/purchase-code.ts"
import type { FeedRecord } from "../../../domain/feed/feed.ts"
import type { Store } from "../../../domain/store.ts"
import { rowidsOf } from "./purchase-rowids.ts"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))
let stores = 0

/** Well known for having the same CRC-32. */
const [one, other] = ["plumless", "buckeroo"]
const codes = [one, other, "PLUMLESS", "Buckeroo", "bUCKEROO", "elsewhere", "é"]

async function withStore(use: (store: Store, path: string) => Promise<void>): Promise<void> {
  const path = join(folder, `${++stores}.db`)
  const store = await createSqlite(path)
  try {
    await put(store, accountRecord("ada"), itemRecord("ada", 1), itemRecord("ada", 2))
    await use(store, path)
  } finally {
    await store.close()
  }
}

test("places are what they were when stores were written", () => {
  const checksum = 0xcbf43926
  expect(rowidsOf("123456789")).toEqual({
    first: checksum * 2_097_152,
    last: checksum * 2_097_152 + 2_097_151,
  })
  expect(rowidsOf("ı").first).toBe(rowidsOf("1").first)
})

test("places are whole numbers that a double holds exactly, none of two checksums", () => {
  expect(rowidsOf(one)).toEqual(rowidsOf(other))
  expect(rowidsOf(one)).toEqual(rowidsOf("PlumLess"))
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      const [ofA, ofB] = [rowidsOf(a), rowidsOf(b)]
      expect(Number.isSafeInteger(ofA.first) && Number.isSafeInteger(ofA.last)).toBe(true)
      const isApart = ofA.last < ofB.first || ofB.last < ofA.first
      expect(isApart || ofA.first === ofB.first).toBe(true)
    }),
  )
})

describe("codes with the same checksum", () => {
  const action = fc.record({
    code: fc.constantFrom(...codes),
    itemId: fc.constantFrom(1, 1, 1, 2, 404),
    isRevoked: fc.boolean(),
    isDeleted: fc.boolean(),
  })

  test("are put, changed, refused and deleted each for itself, whatever came before", () =>
    fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), (actions) =>
        withStore(async (store) => {
          const ada = await accountId(store, "ada")
          const kept = new Map<string, { itemId: number; isRevoked: boolean }>()
          const records = actions.map(({ code, itemId, isRevoked, isDeleted }): FeedRecord => {
            if (isDeleted) kept.delete(code)
            else if (itemId !== 404) kept.set(code, { itemId, isRevoked })
            return isDeleted
              ? { type: "deleted purchase", code }
              : purchaseRecord(code, itemId, isRevoked)
          })
          await put(store, ...records)
          for (const code of codes) {
            const found = await store.purchases.listByCode(ada, code)
            const expected = [...kept].filter(([each]) => lowerAscii(each) === lowerAscii(code))
            const brief = found.map(({ code, itemId, isRevoked }) => [code, { itemId, isRevoked }])
            expect(brief.sort()).toEqual(expected.sort())
          }
        }),
      ),
      { numRuns: runs(60) },
    ))

  test("stay one each when the one that came first is gone", () =>
    withStore(async (store) => {
      await put(store, purchaseRecord(one, 1), purchaseRecord(other, 1))
      await put(store, { type: "deleted purchase", code: one }, purchaseRecord(other, 1, true))
      const found = await store.purchases.listByCode(await accountId(store, "ada"), other)
      expect(found.map(({ code, isRevoked }) => [code, isRevoked])).toEqual([[other, true]])
    }))

  test("are refused once there is no place left, and nothing else is overwritten", () =>
    withStore(async (store, path) => {
      const { first, last } = rowidsOf(one)
      const db = new Database(path)
      const stand = db.query(
        "INSERT INTO purchases VALUES (?, ?, 1, 0, '{\"item\":', '}', NULL, 0, NULL)",
      )
      stand.run(last, "the last")
      stand.run(last + 1, "of another checksum")
      db.close()
      expect(await put(store, purchaseRecord(one, 1))).toEqual([
        { member: "purchase_code", reason: expect.any(String) },
      ])
      const seen = new Database(path)
      expect(
        seen.query("SELECT place, code FROM purchases WHERE place >= ?").values(first),
      ).toEqual([
        [last, "the last"],
        [last + 1, "of another checksum"],
      ])
      seen.close()
    }))
})

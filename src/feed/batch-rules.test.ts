import { describe, expect, test } from "bun:test"
import {
  accountRecord,
  importedKeyRecord,
  itemBody,
  itemRecord,
  purchaseRecord,
  purchaseText,
} from "../../tests/harness/stores/store-records.ts"
import { problem } from "../platform/problem.ts"
import { type Changes, type ExistingRecords, hex } from "./batch.ts"
import { findMentions } from "./batch-reads-store.ts"
import { decideBatch } from "./batch-rules.ts"
import type { FeedRecord } from "./feed-record.ts"

const nothing: ExistingRecords = {
  accounts: new Map(),
  items: new Map(),
  purchases: new Map(),
  tombstones: new Map(),
  pending: new Map(),
  hasPending: false,
  oldestEndpointAt: null,
  keyOwners: new Map(),
  accountsInUse: new Set(),
  itemsInUse: new Set(),
}
const unchanged = { removed: [], inserted: [], updated: [], touched: [] }
const none: Changes = {
  accounts: unchanged,
  items: unchanged,
  purchases: unchanged,
  tombstones: unchanged,
  pending: unchanged,
  newKeys: [],
  renamedAccounts: [],
  nameChanges: [],
  movedItems: [],
  changedLists: new Set(),
}

const ada = {
  id: 1,
  username: "ada",
  isSuspended: false,
  isSuspendedByOperator: false,
  body: `{"username":"ada"}`,
  asOf: 20,
}
const theme = { id: 7, author: "ada", isHidden: false, body: itemBody(7), asOf: 20 }
const sale = {
  code: "abc",
  itemId: 7,
  isRevoked: false,
  isRevokedByOperator: false,
  buyer: null,
  ...purchaseText("abc"),
  asOf: 20,
}
const stocked: ExistingRecords = {
  ...nothing,
  accounts: new Map([["ada", ada]]),
  items: new Map([[7, theme]]),
  purchases: new Map([["abc", sale]]),
}
const key = importedKeyRecord("key_1")
const nowMs = 100
const decide = (records: readonly FeedRecord[], found: ExistingRecords) =>
  decideBatch(records, found, nowMs)

test("a batch mentions the identities of its records and those they refer to", () => {
  const records: FeedRecord[] = [
    { type: "account", account: { username: "ada", isSuspended: false, body: "" }, key },
    itemRecord("bob", 1),
    purchaseRecord("abc", 2),
    { type: "deleted account", username: "eve" },
    { type: "deleted item", id: 3 },
    { type: "deleted purchase", code: "def" },
  ]
  expect(findMentions(records)).toEqual({
    usernames: new Set(["ada", "bob", "eve"]),
    itemIds: new Set([1, 2, 3]),
    broughtUsernames: new Set(["ada"]),
    broughtItemIds: new Set([1]),
    codes: new Set(["abc", "def"]),
    lookups: [key.lookup],
    deletedUsernames: new Set(["eve"]),
    deletedItemIds: new Set([3]),
  })
})

test("unchanged records change nothing", () => {
  const records = [accountRecord("ada"), itemRecord("ada", 7), purchaseRecord("abc", 7)]
  expect(decide(records, stocked)).toMatchObject({ verdicts: [null, null, null], changes: none })
})

test("an identity is written once, in its last state", () => {
  const hidden = { ...theme, isHidden: true, asOf: nowMs }
  const records = [itemRecord("ada", 7, true), itemRecord("ada", 7), itemRecord("ada", 7, true)]
  expect(decide(records, stocked).changes).toEqual({
    ...none,
    items: { ...unchanged, updated: [hidden] },
    changedLists: new Set(["ada"]),
  })
})

describe("deletions", () => {
  test("are rejected for records that the batch or the store still uses", () => {
    const records: FeedRecord[] = [
      { type: "deleted item", id: 7 },
      { type: "deleted account", username: "ada" },
    ]
    const rejections = [problem("id", "has_purchases"), problem("username", "has_items")]
    expect(decide(records, stocked)).toMatchObject({ verdicts: rejections, changes: none })
    const elsewhere = { accountsInUse: new Set(["ada"]), itemsInUse: new Set([7]) }
    const found = { ...stocked, purchases: new Map(), ...elsewhere }
    expect(decide(records, found)).toMatchObject({ verdicts: rejections, changes: none })
  })

  test("let a record with the same identity be inserted again", () => {
    const found = { ...stocked, keyOwners: new Map([[hex(key.lookup), "ada"]]) }
    const records: FeedRecord[] = [
      { type: "deleted purchase", code: "abc" },
      { type: "deleted item", id: 7 },
      { type: "deleted account", username: "ada" },
      itemRecord("ada", 7),
      accountRecord("ada", undefined, false, key),
      accountRecord("bob"),
      itemRecord("bob", 7),
      purchaseRecord("abc", 7),
    ]
    const { verdicts, changes } = decide(records, found)
    expect(verdicts).toEqual([...[null, null, null], "pending", ...[null, null, null, null]])
    expect(changes).toEqual({
      accounts: {
        ...unchanged,
        removed: [ada],
        inserted: [
          { ...ada, id: null, asOf: nowMs },
          {
            id: null,
            username: "bob",
            isSuspended: false,
            isSuspendedByOperator: false,
            body: `{"username":"bob"}`,
            asOf: nowMs,
          },
        ],
      },
      items: {
        ...unchanged,
        removed: [theme],
        inserted: [{ ...theme, author: "bob", asOf: nowMs }],
      },
      purchases: { ...unchanged, removed: [sale], inserted: [{ ...sale, asOf: nowMs }] },
      tombstones: unchanged,
      pending: unchanged,
      newKeys: [{ username: "ada", key }],
      renamedAccounts: [],
      nameChanges: [{ from: "ada", to: null }],
      movedItems: [],
      changedLists: new Set(["ada", "bob"]),
    })
  })
})

test("beyond the limit of pending records, a new one is rejected and existing ones stay pending", () => {
  const found = decideBatch([purchaseRecord("old", 8)], nothing, nowMs).changes.pending.inserted
  const pending = new Map(found.map((each) => ["purchase old", each]))
  const records = [purchaseRecord("old", 9), purchaseRecord("new", 8), purchaseRecord("next", 8)]
  const { verdicts } = decideBatch(records, { ...nothing, pending, hasPending: true }, nowMs, 1)
  expect(verdicts).toEqual([
    "pending",
    "pending",
    { field: "item_id", code: "too_many_pending", params: { max: 1_000_000 } },
  ])
})

/**
 * Random records that fit the state of a database, so that most are accepted: renamed accounts and moved items with
 * their keys, passwords and purchases, patches and deletions.
 */
import fc from "fast-check"
import { accountFields } from "../../../src/accounts/account.ts"
import type { FeedRecord } from "../../../src/feed/feed-record.ts"
import { record } from "../../../src/platform/schema.ts"
import { type PurchaseFields, renderPurchaseText } from "../../../src/purchases/purchase.ts"
import { account, audioMedia, plainMedia, purchase } from "../records.ts"
import { importedKeyRecord, itemBody } from "../stores/store-records.ts"

export const names = ["ada", "Ada", "ADA", "bob", "Bob", "cyd", "dan", "eve"]
const ids = Array.from({ length: 12 }, (_, index) => index + 1)
const codes = Array.from({ length: 12 }, (_, index) =>
  index % 2 ? `code-${index}` : `CODE-${index}`,
)
const keyNumbers = [1, 2, 3, 4, 5]

/** The authors of all items by their ids, and the items of all purchases by their codes. */
export type FeedState = Readonly<{
  names: Set<string>
  items: Map<number, string>
  sales: Map<string, number>
}>

export function readFeedState(dump: string): FeedState {
  const world: FeedState = { names: new Set(), items: new Map(), sales: new Map() }
  for (const text of dump.split("\n")) {
    const line = text === "" ? {} : JSON.parse(text)
    if (line.type === "account") world.names.add(line.username)
    if (line.type === "item") world.items.set(line.id, line.author)
    if (line.type === "purchase") world.sales.set(line.purchase_code, line.item_id)
  }
  return world
}

type Roll = Readonly<{ one: number; other: number; isOdd: boolean }>

const pick = <T>(list: Iterable<T>, roll: number): T | undefined => {
  const all = [...list]
  return all[roll % all.length]
}
const without = <T>(list: readonly T[], taken: { has(entry: T): boolean }) =>
  list.filter((entry) => !taken.has(entry))

const accountShape = record(accountFields)
const wholeAccount = (username: string, isOdd: boolean) => {
  const { type: _, ...fields } = account(username, { balance: isOdd ? 1 : 2 })
  return { username, isSuspended: null, body: JSON.stringify(accountShape(fields, "")) }
}
const wholePurchase = (code: string, itemId: number, { other, isOdd }: Roll) => {
  const changes = {
    price: (other % 7) / 4,
    currency: isOdd ? "USD" : "TRY",
    date: `2026-06-0${1 + (other % 3)}T10:00:00Z`,
  }
  const { type: _, item_id: __, ...fields } = purchase(code, itemId, changes)
  // The harness creates a valid line, and these are all its fields.
  const text = renderPurchaseText(fields as PurchaseFields)
  return { code, itemId, isRevoked: false, buyer: null, ...text }
}
const mediaOf = (isOdd: boolean) => (isOdd ? plainMedia : audioMedia)

type Make = (world: FeedState, roll: Roll) => FeedRecord | null

/** Each changes the state as if its record were accepted. */
const kinds = {
  create({ names: known }, { one, isOdd }) {
    const username = pick(without(names, known), one)
    if (username === undefined) return null
    known.add(username)
    return { type: "account", account: wholeAccount(username, isOdd), key: null }
  },
  change({ names: known }, { one, isOdd }) {
    const username = pick(known, one)
    if (username === undefined) return null
    if (!isOdd) return { type: "patched account", username, fields: { balance: one }, key: null }
    return { type: "account", account: wholeAccount(username, isOdd), key: null }
  },
  rename({ names: known, items }, { one, other, isOdd }) {
    const from = pick(known, one)
    const username = pick(other % 8 === 0 ? names : without(names, known), other)
    if (from === undefined || username === undefined) return null
    known.delete(from)
    known.add(username)
    for (const [id, author] of items) if (author === from) items.set(id, username)
    const record = { username, key: null, was: from }
    if (isOdd) return { type: "patched account", ...record, fields: { username } }
    return { type: "account", ...record, account: wholeAccount(username, isOdd) }
  },
  publish({ names: known, items }, { one, other, isOdd }) {
    const [id, author] = [pick(without(ids, items), one), pick(known, other)]
    if (id === undefined || author === undefined) return null
    items.set(id, author)
    const body = itemBody(id, mediaOf(isOdd))
    return { type: "item", item: { id, author, isHidden: isOdd, body } }
  },
  move({ names: known, items }, { one, other, isOdd }) {
    const [id, author] = [pick(items.keys(), one), pick(known, other)]
    if (id === undefined || author === undefined) return null
    const wasAuthor = other % 8 === 0 ? pick(names, one) : items.get(id)
    items.set(id, author)
    if (isOdd) return { type: "patched item", id, author, wasAuthor, fields: {} }
    const body = itemBody(id, mediaOf(isOdd))
    return { type: "item", item: { id, author, isHidden: false, body }, wasAuthor }
  },
  illustrate({ items }, { one, isOdd }) {
    const media = isOdd ? { preview_audio: null } : audioMedia
    return { type: "patched item", id: pick(items.keys(), one) ?? 99, fields: { media } }
  },
  sell({ items, sales }, roll) {
    const { one, other } = roll
    const [code, itemId] = [pick(without(codes, sales), one), pick(items.keys(), other)]
    if (code === undefined || itemId === undefined) return null
    sales.set(code, itemId)
    return { type: "purchase", purchase: wholePurchase(code, itemId, roll) }
  },
  correct({ items, sales }, roll) {
    const { one, other } = roll
    const [code, itemId] = [pick(sales.keys(), one), pick(items.keys(), other)]
    if (code === undefined || itemId === undefined) return null
    if (items.get(itemId) === items.get(sales.get(code) ?? 0)) sales.set(code, itemId)
    return { type: "purchase", purchase: wholePurchase(code, itemId, roll) }
  },
  refund: ({ sales }, { one, isOdd }) => ({
    type: "patched purchase",
    code: pick(sales.keys(), one) ?? "never-sold",
    isRevoked: isOdd,
    fields: { price: one },
  }),
  issue({ names: known }, { one, other }) {
    const [username, number] = [pick(known, one), pick(keyNumbers, other)]
    if (username === undefined) return null
    return {
      type: "patched account",
      username,
      fields: {},
      key: importedKeyRecord(`key_${number}`),
    }
  },
  close({ names: known }, { one }) {
    const username = pick(known, one) ?? "nobody"
    known.delete(username)
    return { type: "deleted account", username }
  },
  withdraw({ items }, { one }) {
    const id = pick(items.keys(), one) ?? 99
    items.delete(id)
    return { type: "deleted item", id }
  },
  forget({ sales }, { one }) {
    const code = pick(sales.keys(), one) ?? "never-sold"
    sales.delete(code)
    return { type: "deleted purchase", code }
  },
} satisfies Readonly<Record<string, Make>>

const frequent: readonly (keyof typeof kinds)[] = [
  "rename",
  "rename",
  "rename",
  "move",
  "close",
  "correct",
]
const kind = fc.constantFrom(...frequent, ...(Object.keys(kinds) as (keyof typeof kinds)[]))

export const rolls = fc.array(
  fc.record({ kind, one: fc.nat(), other: fc.nat(), isOdd: fc.boolean() }),
  { minLength: 25, maxLength: 40 },
)

export function createChanges(
  world: FeedState,
  all: readonly (Roll & Readonly<{ kind: string }>)[],
): readonly FeedRecord[] {
  const makes: Readonly<Record<string, Make>> = kinds
  return all.flatMap((roll) => makes[roll.kind]?.(world, roll) ?? [])
}

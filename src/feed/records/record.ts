/** A line of the feed as a record of the store, and back. */
import { accountMembers, username } from "../../domain/catalogue/account.ts"
import { type ItemRecord, itemMembers } from "../../domain/catalogue/item.ts"
import {
  type PurchaseRecord,
  purchaseMembers,
  renderPurchaseText,
  storedCode,
} from "../../domain/catalogue/purchase.ts"
import { asOfAt } from "../../domain/feed/as-of.ts"
import type { FeedRecord, FeedSecrets, Rename, SnapshotAccount } from "../../domain/feed/feed.ts"
import { importedKey } from "../../domain/keys/api-key.ts"
import { SealBroken } from "../../domain/values/error.ts"
import {
  anything,
  checkPatch,
  createShape,
  flag,
  InvalidRecord,
  identifier,
  optional,
  type Patched,
  type Problem,
  Problems,
  record,
  type Shape,
  type Shaped,
  shortNonEmpty,
  text,
  timestamp,
} from "../../domain/values/shape.ts"
import { parseMoment } from "../../domain/values/time/timestamp.ts"

const hints = new Map([
  ["has no time zone", "--timezone of an import, or timezone in a pull file, names one"],
])

/** Adds to the reason what the operator can do about it. */
export function withHint<Found extends Problem>(problem: Found): Found {
  const hint = hints.get(problem.reason)
  return hint === undefined ? problem : { ...problem, reason: `${problem.reason} (${hint})` }
}

/** The member `as_of`, in milliseconds since 1970. */
export const asOfMember = createShape<number>(timestamp.schema, (value, member) => {
  timestamp(value, member)
  const ms = parseMoment(text(value, member))
  if (ms === null || ms < 0) throw new InvalidRecord(member, "is before 1970")
  return ms
})

/** Members of every record. `patch` is true only in lines that `parsePatch` reads. */
const common = {
  patch: optional(flag),
  deleted: optional(flag),
  as_of: optional(asOfMember),
}

export const accountLineMembers = {
  type: anything,
  ...accountMembers,
  api_key: optional(importedKey),
  suspended: optional(flag),
  suspended_by_operator: optional(flag),
  was: optional(username),
  ...common,
}
export const itemLineMembers = {
  type: anything,
  author: username,
  ...itemMembers,
  hidden: optional(flag),
  was_author: optional(username),
  ...common,
}
export const purchaseLineMembers = {
  type: anything,
  item_id: identifier,
  ...purchaseMembers,
  buyer: optional(shortNonEmpty),
  revoked: optional(flag),
  revoked_by_operator: optional(flag),
  ...common,
}
const accountLine = record(accountLineMembers)
const itemLine = record(itemLineMembers)
const purchaseLine = record(purchaseLineMembers)
const deletedAccountLine = record({ type: anything, username, ...common })
const deletedItemLine = record({ type: anything, id: identifier, ...common })
const deletedPurchaseLine = record({
  type: anything,
  purchase_code: storedCode,
  ...common,
})

/** The moment is left out where the line names none. */
const datedBy = (as_of: number | null | undefined) =>
  as_of === undefined || as_of === null ? {} : { asOf: asOfAt(as_of, Date.now()) }

/** Throws InvalidRecord for what the contract does not allow. */
export function parseRecord(value: unknown, secrets: FeedSecrets): FeedRecord {
  const type = memberOf(value, "type")
  const isDeletion = memberOf(value, "deleted") === true
  if (type === "account") {
    return isDeletion ? parseDeletedAccount(value) : parseAccount(value, secrets)
  }
  if (type === "item") return isDeletion ? parseDeletedItem(value) : parseItem(value)
  if (type === "purchase") return isDeletion ? parseDeletedPurchase(value) : parsePurchase(value)
  throw new InvalidRecord("type", "must be account, item or purchase")
}

function memberOf(value: unknown, name: "type" | "deleted"): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidRecord("record", "must be an object")
  }
  return name in value && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function parseAccount(value: unknown, { prepareKey, keys }: FeedSecrets): FeedRecord {
  const {
    type: _,
    patch: __,
    deleted: ___,
    as_of,
    api_key,
    suspended: isSuspended = null,
    suspended_by_operator: isSuspendedByOperator,
    was,
    ...account
  } = accountLine(value, "")
  const key = api_key === undefined ? null : prepareKey(account.username, api_key)
  return {
    type: "account",
    account: {
      username: account.username,
      isSuspended,
      isSuspendedByOperator,
      body: JSON.stringify(account),
    },
    key,
    was: was === undefined ? undefined : createRename(was, keys),
    ...datedBy(as_of),
  }
}

function createRename(from: string, keys: FeedSecrets["keys"]): Rename {
  return {
    from,
    reseal(key, username) {
      try {
        return keys.seal(keys.unseal(key.sealed, key), { ...key, username })
      } catch (error) {
        // A damaged copy must not stop the renaming: requests with the key work without it.
        if (error instanceof SealBroken) return key.sealed
        throw error
      }
    },
  }
}

function parseItem(value: unknown): FeedRecord {
  const line = itemLine(value, "")
  const { type: _, patch: __, deleted: ___, as_of, author, was_author, hidden, ...item } = line
  return {
    type: "item",
    item: { id: item.id, author, isHidden: hidden ?? false, body: JSON.stringify(item) },
    wasAuthor: was_author,
    ...datedBy(as_of),
  }
}

function parsePurchase(value: unknown): FeedRecord {
  const line = purchaseLine(value, "")
  const { as_of, item_id, buyer = null, revoked = false, revoked_by_operator, ...purchase } = line
  const words = { isRevoked: revoked, isRevokedByOperator: revoked_by_operator }
  const facts = { code: purchase.purchase_code, itemId: item_id, ...words, buyer }
  return {
    type: "purchase",
    purchase: { ...facts, ...renderPurchaseText(purchase) },
    ...datedBy(as_of),
  }
}

function parseDeletedAccount(value: unknown): FeedRecord {
  const { username, as_of } = deletedAccountLine(value, "")
  return { type: "deleted account", username, ...datedBy(as_of) }
}

function parseDeletedItem(value: unknown): FeedRecord {
  const { id, as_of } = deletedItemLine(value, "")
  return { type: "deleted item", id, ...datedBy(as_of) }
}

function parseDeletedPurchase(value: unknown): FeedRecord {
  const { purchase_code: code, as_of } = deletedPurchaseLine(value, "")
  return { type: "deleted purchase", code, ...datedBy(as_of) }
}

// The renderers take stored text apart at known places: it was written by the functions above.

/** These members are written only where they are true: earlier releases refuse them. */
export function renderAccountLine(account: SnapshotAccount): string {
  const { body, isSuspended, isSuspendedByOperator } = account
  const byFeed = isSuspended ? ',"suspended":true' : ""
  const byOperator = isSuspendedByOperator ? ',"suspended_by_operator":true' : ""
  return `{"type":"account",${body.slice(1, -1)}${byFeed}${byOperator}}`
}

export function renderItemLine({ author, isHidden, body }: Omit<ItemRecord, "id">): string {
  const opening = `{"type":"item","author":${JSON.stringify(author)},`
  return `${opening}${body.slice(1, -1)},"hidden":${isHidden}}`
}

export function renderPurchaseLine(purchase: PurchaseRecord): string {
  const { beforeItem, itemId, afterItem, isRevoked, isRevokedByOperator, buyer } = purchase
  const members = beforeItem.slice(1, -'"item":'.length)
  const byOperator = isRevokedByOperator ? ',"revoked_by_operator":true' : ""
  const buyerMember = buyer === null ? "" : `,"buyer":${JSON.stringify(buyer)}`
  return `{"type":"purchase",${members}"item_id":${itemId}${afterItem.slice(0, -1)}${buyerMember},"revoked":${isRevoked}${byOperator}}`
}

/** Lines with `"patch":true`: the identity of a record and the members that change. */
type Parse = (value: object, secrets: FeedSecrets) => FeedRecord

const parsers: Readonly<Record<string, Parse>> = {
  account: parseAccountPatch,
  item: parseItemPatch,
  purchase: parsePurchasePatch,
}

/** Null for a line that is no patch. Throws InvalidRecord for what the contract does not allow. */
export function parsePatch(value: unknown, secrets: FeedSecrets): FeedRecord | null {
  if (typeof value !== "object" || value === null) return null
  // JSON.parse made it: an inherited member is neither true nor the name of a type.
  const { type, patch, deleted } = value as Record<string, unknown>
  const parse = typeof type === "string" && Object.hasOwn(parsers, type) ? parsers[type] : undefined
  if (parse === undefined || patch !== true) return null
  if (deleted === true) {
    throw new InvalidRecord("patch", "must be left out of a record that is deleted")
  }
  return parse(value, secrets)
}

function parseAccountPatch(value: object, { prepareKey, keys }: FeedSecrets): FeedRecord {
  const line = checkLine(accountLineMembers, "username", value)
  const { type: _, patch: __, deleted: ___, as_of, api_key, was, ...rest } = line
  const { suspended, suspended_by_operator, ...members } = rest
  const { username } = members
  const key = typeof api_key === "string" ? prepareKey(username, api_key) : null
  const rename = typeof was === "string" ? createRename(was, keys) : undefined
  const words = {
    isSuspended: orFalse(suspended),
    isSuspendedByOperator: orFalse(suspended_by_operator),
  }
  const facts = { ...words, members, key, was: rename }
  return { type: "patched account", username, ...facts, ...datedBy(as_of) }
}

function parseItemPatch(value: object): FeedRecord {
  const line = checkLine(itemLineMembers, "id", value)
  const { type: _, patch: __, deleted: ___, as_of, author, was_author, hidden, ...members } = line
  if (typeof was_author === "string" && author === undefined) {
    throw new InvalidRecord("author", "is missing (was_author needs it)")
  }
  const owner = { author: author ?? undefined, wasAuthor: was_author ?? undefined }
  const facts = { ...owner, isHidden: orFalse(hidden) }
  return { type: "patched item", id: members.id, ...facts, members, ...datedBy(as_of) }
}

function parsePurchasePatch(value: object): FeedRecord {
  const line = checkLine(purchaseLineMembers, "purchase_code", value)
  const { type: _, patch: __, deleted: ___, as_of, item_id, buyer, ...rest } = line
  const { revoked, revoked_by_operator, ...members } = rest
  const words = {
    isRevoked: orFalse(revoked),
    // `false` is no word: only an operator takes a refund back.
    isRevokedByOperator: revoked_by_operator === true ? true : undefined,
  }
  const facts = { itemId: item_id ?? undefined, ...words, buyer }
  const code = members.purchase_code
  return { type: "patched purchase", code, ...facts, members, ...datedBy(as_of) }
}

/** A flag that is removed is false, as in a whole record without it. */
const orFalse = (flag: boolean | null | undefined) => (flag === null ? false : flag)

type Members = Readonly<Record<string, Shape<unknown>>>

function checkLine<M extends Members, Identity extends keyof M & string>(
  members: M,
  identity: Identity,
  value: object,
): Patched<M> & Pick<Shaped<M>, Identity> {
  const problems = new Problems()
  if (!Object.hasOwn(value, identity)) problems.add(identity, "is missing")
  try {
    const changes = checkPatch(members, value, "")
    problems.refuse()
    // The identity is there, and as a required member it is not null.
    return changes as Patched<M> & Pick<Shaped<M>, Identity>
  } catch (error) {
    problems.addFrom(error)
    problems.refuse()
    throw error
  }
}

/** A line with `"patch":true`: the identity of a record and the members that change. */
import type { FeedRecord, FeedSecrets } from "../../domain/feed/feed.ts"
import {
  checkPatch,
  InvalidRecord,
  type Patched,
  Problems,
  type Shape,
  type Shaped,
} from "../../domain/values/shape.ts"
import {
  accountLineMembers,
  createRename,
  datedBy,
  itemLineMembers,
  purchaseLineMembers,
} from "./record.ts"

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

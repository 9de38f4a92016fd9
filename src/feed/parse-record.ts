import { type Account, accountFields, username } from "../accounts/account.ts"
import {
  checkDownloadUrl,
  checkItemSize,
  type ItemRecord,
  itemFields,
  siteLimitField,
} from "../items/item.ts"
import { importedKey } from "../keys/key.ts"
import { problem } from "../platform/problem.ts"
import {
  anything,
  checkPatch,
  createSchema,
  flag,
  identifier,
  invalid,
  isObject,
  optional,
  type ParsedFields,
  type PatchedFields,
  Problems,
  record,
  type Schemas,
  shortNonEmpty,
  text,
  timestamp,
  url,
} from "../platform/schema.ts"
import { parseTimestampMs } from "../platform/time.ts"
import {
  type PurchaseRecord,
  purchaseFields,
  renderPurchaseText,
  storedCode,
} from "../purchases/purchase.ts"
import { asOfAt, type FeedRecord, type PrepareKey } from "./feed-record.ts"

export const asOfField = createSchema<number>(timestamp.jsonSchema, (value, field) => {
  timestamp(value, field)
  const ms = parseTimestampMs(text(value, field))
  if (ms === null || ms < 0) throw invalid(field, "before_1970")
  return ms
})

const common = { patch: optional(flag), deleted: optional(flag), as_of: optional(asOfField) }

export const accountLineFields = {
  type: anything,
  ...accountFields,
  api_key: optional(importedKey),
  suspended: optional(flag),
  was: optional(username),
  ...common,
}
export const itemLineFields = {
  type: anything,
  author: username,
  ...itemFields,
  hidden: optional(flag),
  download_url: optional(url),
  was_author: optional(username),
  ...common,
}
export const purchaseLineFields = {
  type: anything,
  item_id: identifier,
  ...purchaseFields,
  buyer: optional(shortNonEmpty),
  revoked: optional(flag),
  valid_until: optional(timestamp),
  site_limit: optional(siteLimitField),
  ...common,
}
const accountLine = record(accountLineFields)
const itemLine = record(itemLineFields)
const purchaseLine = record(purchaseLineFields)
const deletedAccountLine = record({ type: anything, username, ...common })
const deletedItemLine = record({ type: anything, id: identifier, ...common })
const deletedPurchaseLine = record({ type: anything, purchase_code: storedCode, ...common })

const asOfFrom = (as_of: number | null | undefined) =>
  as_of === undefined || as_of === null ? {} : { asOf: asOfAt(as_of, Date.now()) }

type Parse = (value: object, prepareKey: PrepareKey) => FeedRecord

/** Parsers of whole records, of deletions, and of patches, which have the identity and the fields to change. */
const parsers: Readonly<Record<string, Readonly<Record<"whole" | "deletion" | "patch", Parse>>>> = {
  account: {
    whole(value, prepareKey) {
      const line = accountLine(value, "")
      const { type: _, patch: __, deleted: ___, as_of, api_key, was, ...rest } = line
      const { suspended: isSuspended = null, ...fields } = rest
      const { username } = fields
      const account = { username, isSuspended, body: JSON.stringify(fields) }
      const key = api_key === undefined ? null : prepareKey(api_key)
      return { type: "account", account, key, was, ...asOfFrom(as_of) }
    },
    deletion(value) {
      const { username, as_of } = deletedAccountLine(value, "")
      return { type: "deleted account", username, ...asOfFrom(as_of) }
    },
    patch(value, prepareKey) {
      const line = checkLine(accountLineFields, "username", value)
      const { type: _, patch: __, deleted: ___, as_of, api_key, was, ...rest } = line
      const { suspended, ...fields } = rest
      const { username } = fields
      const key = typeof api_key === "string" ? prepareKey(api_key) : null
      const facts = { isSuspended: orFalse(suspended), fields, key, was: was ?? undefined }
      return { type: "patched account", username, ...facts, ...asOfFrom(as_of) }
    },
  },
  item: {
    whole(value) {
      const line = itemLine(value, "")
      const { type: _, patch: __, deleted: ___, as_of, author, was_author, ...rest } = line
      const { hidden: isHidden = false, download_url = null, ...fields } = rest
      const downloadUrl = checkDownloadUrl(download_url)
      const facts = { id: fields.id, author, isHidden, downloadUrl }
      const item = checkItemSize({ ...facts, body: JSON.stringify(fields) })
      return { type: "item", item, wasAuthor: was_author, ...asOfFrom(as_of) }
    },
    deletion(value) {
      const { id, as_of } = deletedItemLine(value, "")
      return { type: "deleted item", id, ...asOfFrom(as_of) }
    },
    patch(value) {
      const line = checkLine(itemLineFields, "id", value)
      const { type: _, patch: __, deleted: ___, as_of, author, was_author, ...rest } = line
      const { hidden, download_url, ...fields } = rest
      const downloadUrl = checkDownloadUrl(download_url)
      if (typeof was_author === "string" && author === undefined) throw invalid("author", "missing")
      const owner = { author: author ?? undefined, wasAuthor: was_author ?? undefined }
      const facts = { ...owner, isHidden: orFalse(hidden), downloadUrl }
      return { type: "patched item", id: fields.id, ...facts, fields, ...asOfFrom(as_of) }
    },
  },
  purchase: {
    whole(value) {
      const { as_of, item_id, buyer = null, revoked = false, ...line } = purchaseLine(value, "")
      const { valid_until: validUntil = null, site_limit: siteLimit } = line
      const sold = { code: line.purchase_code, itemId: item_id, isRevoked: revoked, buyer }
      const purchase = { ...sold, validUntil, siteLimit, ...renderPurchaseText(line) }
      return { type: "purchase", purchase, ...asOfFrom(as_of) }
    },
    deletion(value) {
      const { purchase_code: code, as_of } = deletedPurchaseLine(value, "")
      return { type: "deleted purchase", code, ...asOfFrom(as_of) }
    },
    patch(value) {
      const line = checkLine(purchaseLineFields, "purchase_code", value)
      const { type: _, patch: __, deleted: ___, as_of, item_id, buyer, ...rest } = line
      const { revoked, valid_until: validUntil, site_limit: siteLimit, ...fields } = rest
      const isRevoked = orFalse(revoked)
      const facts = { itemId: item_id ?? undefined, isRevoked, buyer, validUntil, siteLimit }
      const code = fields.purchase_code
      return { type: "patched purchase", code, ...facts, fields, ...asOfFrom(as_of) }
    },
  },
}

/** Throws InvalidRecord. */
export function parseRecord(value: unknown, prepareKey: PrepareKey): FeedRecord {
  if (!isObject(value)) throw invalid("record", "not_an_object")
  // JSON.parse returns objects that inherit none of these names.
  const { type, patch, deleted } = value
  const parse = typeof type === "string" && Object.hasOwn(parsers, type) ? parsers[type] : undefined
  if (parse === undefined) throw invalid("type", "unknown_type")
  if (patch === true && deleted === true) throw invalid("patch", "patch_of_deleted")
  if (patch === true) return parse.patch(value, prepareKey)
  return deleted === true ? parse.deletion(value, prepareKey) : parse.whole(value, prepareKey)
}

/** A removed flag is false, as in a whole record without it. */
const orFalse = (flag: boolean | null | undefined) => (flag === null ? false : flag)

function checkLine<M extends Schemas, Identity extends keyof M & string>(
  fields: M,
  identity: Identity,
  value: object,
): PatchedFields<M> & Pick<ParsedFields<M>, Identity> {
  const problems = new Problems()
  if (!Object.hasOwn(value, identity)) problems.add(problem(identity, "missing"))
  try {
    const changes = checkPatch(fields, value, "")
    problems.throwIfAny()
    // The identity exists, and as a required field it is not null.
    return changes as PatchedFields<M> & Pick<ParsedFields<M>, Identity>
  } catch (error) {
    problems.addFrom(error)
    problems.throwIfAny()
    throw error
  }
}

// The renderers can slice the stored JSON at fixed positions, because the parsers above wrote it.

export function renderAccountLine({ body, isSuspended }: Account): string {
  return `{"type":"account",${body.slice(1, -1)}${isSuspended ? ',"suspended":true' : ""}}`
}

export function renderItemLine(item: Omit<ItemRecord, "id">): string {
  const { author, isHidden, body, downloadUrl = null } = item
  const opening = `{"type":"item","author":${JSON.stringify(author)},`
  const download = renderField("download_url", downloadUrl)
  return `${opening}${body.slice(1, -1)}${download},"hidden":${isHidden}}`
}

const renderField = (name: string, value: string | number | null) =>
  value === null ? "" : `,"${name}":${JSON.stringify(value)}`

export function renderPurchaseLine(purchase: PurchaseRecord): string {
  const { beforeItem, itemId, afterItem, isRevoked, buyer } = purchase
  const { validUntil = null, siteLimit = null } = purchase
  const fields = beforeItem.slice(1, -'"item":'.length)
  const others = [
    renderField("buyer", buyer),
    renderField("valid_until", validUntil),
    renderField("site_limit", siteLimit),
  ].join("")
  return `{"type":"purchase",${fields}"item_id":${itemId}${afterItem.slice(0, -1)}${others},"revoked":${isRevoked}}`
}

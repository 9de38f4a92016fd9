import { type Account, type AccountRecord, accountFields, username } from "../accounts/account.ts"
import {
  checkDownloadUrl,
  checkItemSize,
  type ItemRecord,
  itemFields,
  siteLimitField,
} from "../items/item.ts"

import { type ImportedKey, importedKey } from "../keys/key.ts"
import { type Problem, problem } from "../platform/problem.ts"
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
  type PatchFields,
  Problems,
  record,
  type Schemas,
  shortNonEmpty,
  text,
  timestamp,
  url,
} from "../platform/schema.ts"
import { daySeconds, parseTimestampMs, type Timestamp } from "../platform/time.ts"
import {
  type PurchaseRecord,
  purchaseFields,
  renderPurchaseText,
  storedCode,
} from "../purchases/purchase.ts"

/** The feed itself has no master key. */
export type PrepareKey = (secret: string) => ImportedKey

export type FeedRecord = Readonly<{ asOf?: AsOf }> & RecordContent

type RecordContent =
  | Readonly<{ type: "account"; account: FeedAccount; key: ImportedKey | null; was?: PreviousName }>
  | Readonly<{ type: "item"; item: ItemRecord; wasAuthor?: PreviousName }>
  | Readonly<{ type: "purchase"; purchase: PurchaseRecord }>
  | AccountPatch
  | ItemPatch
  | PurchasePatch
  | Readonly<{ type: "deleted account"; username: string }>
  | Readonly<{ type: "deleted item"; id: number }>
  | Readonly<{ type: "deleted purchase"; code: string }>
  /** The source has this record, but its line was rejected: only its timestamp changes. */
  | (Readonly<{ type: "mentioned" }> & DatedIdentity)

export function identifyRecord(record: FeedRecord): DatedIdentity {
  if ("identity" in record) return { kind: record.kind, identity: record.identity }
  if ("account" in record) return { kind: "account", identity: record.account.username }
  if ("item" in record) return { kind: "item", identity: `${record.item.id}` }
  if ("purchase" in record) return { kind: "purchase", identity: record.purchase.code }
  if ("username" in record) return { kind: "account", identity: record.username }
  if ("id" in record) return { kind: "item", identity: `${record.id}` }
  return { kind: "purchase", identity: record.code }
}

/** Null keeps the suspension: a source without this field must not lift it. */
export type FeedAccount = Omit<AccountRecord, "isSuspended"> &
  Readonly<{ isSuspended: boolean | null }>

type PreviousName = string | undefined

/** A patch changes only the fields it contains. */
export type AccountPatch = Readonly<{
  type: "patched account"
  username: string
  isSuspended?: boolean | undefined
  fields: PatchFields
  key: ImportedKey | null
  was?: PreviousName
}>
export type ItemPatch = Readonly<{
  type: "patched item"
  id: number
  author?: string | undefined
  wasAuthor?: PreviousName
  isHidden?: boolean | undefined
  downloadUrl?: string | null | undefined
  fields: PatchFields
}>
export type PurchasePatch = Readonly<{
  type: "patched purchase"
  code: string
  itemId?: number | undefined
  isRevoked?: boolean | undefined
  buyer?: string | null | undefined
  validUntil?: Timestamp | null | undefined
  siteLimit?: number | null | undefined
  fields: PatchFields
}>

export const unknownAccount = (username: string, field = "username") =>
  problem(field, "unknown_account", { username })

export const unknownItem = (id: number, field = "item_id") =>
  problem(field, "unknown_item", { id: `${id}` })

/**
 * Null: accepted. `outdated`: the stored state is newer. `repeated`: an earlier row of the pull has the identity.
 * `deferred`: not decided before the end of the run.
 */
export type Verdict = Problem | "outdated" | "pending" | "repeated" | "deferred" | null

/** A record without it counts as of now and replaces any state. */
export type AsOf = Readonly<{
  ms: number
  /** A push replaces any state: the clocks of nodes may differ, and the later push must win. */
  isArrival: boolean
  /** How far the source's timestamp is ahead of this clock; absent if it is not. */
  aheadMs?: number
  /** The timestamp of a pull or full sync, which no other run has: a stored state with it is from an earlier row. */
  isOfRun?: boolean
}>

/** A timestamp later than now counts as now, so that no record waits for a clock. */
export function asOfAt(ms: number, nowMs: number): AsOf {
  if (ms <= nowMs) return { ms, isArrival: false }
  return { ms: nowMs, isArrival: false, aheadMs: ms - nowMs }
}

export type Ahead = Readonly<{ records: number; ms: number }>

/** 0 is older than everything: the row was written before the column existed. */
export type Dated = Readonly<{ asOf: number }>

/** Stored timestamps further ahead are from a wrong clock. Clocks of nodes differ by less, and a pull rereads more. */
export const aheadMsMax = 60_000
const isAhead = ({ asOf }: Dated, nowMs: number) => asOf > nowMs + aheadMsMax

/** If timestamps are equal, the later record wins. A stored timestamp that is ahead outdates nothing. */
export const isOutdated = (
  stored: Dated | null,
  incoming: AsOf | undefined,
  nowMs: number,
): boolean =>
  stored !== null &&
  incoming !== undefined &&
  !incoming.isArrival &&
  Math.min(stored.asOf, nowMs) > incoming.ms &&
  !isAhead(stored, nowMs)

/** Never earlier than the stored timestamp, unless that is ahead; never later than now. */
export function replaceAsOf(
  stored: Dated | null,
  incoming: AsOf | undefined,
  nowMs: number,
): number {
  const before = stored === null || isAhead(stored, nowMs) ? 0 : stored.asOf
  return Math.min(Math.max(before, incoming?.ms ?? nowMs), nowMs)
}

const reportedMsMin = 1_000

export function measureAheadMs(
  stored: Dated | null,
  incoming: AsOf | undefined,
  nowMs: number,
): number {
  const storedAheadMs = stored !== null && isAhead(stored, nowMs) ? stored.asOf - nowMs : 0
  const ms = Math.max(storedAheadMs, incoming?.aheadMs ?? 0)
  return ms < reportedMsMin ? 0 : ms
}

export type DatedKind = "account" | "item" | "purchase"
export type DatedIdentity = Readonly<{ kind: DatedKind; identity: string }>

/** A deleted record, so that an older feed does not restore it. */
export type Tombstone = Dated &
  DatedIdentity &
  Readonly<{
    /** The operator override applies again if the record returns. */
    isByOperator: boolean
  }>

export const tombstoneName = (kind: DatedKind, identity: string | number) => `${kind} ${identity}`

/** After this time an older feed can restore a deleted record. */
export const tombstoneMs = 30 * daySeconds * 1000

/** A record is stored or pending, never both. It is stored in the transaction that inserts what it needs. */

export type PendingKind = "item" | "purchase"

export type PendingContent =
  | Readonly<{ kind: "item"; record: ItemRecord }>
  | Readonly<{ kind: "purchase"; record: PurchaseRecord }>

export type PendingRecord = Dated & PendingContent & Readonly<{ sinceMs: number }>
export type Need = Readonly<{ kind: PendingKind; needs: string }>

export type PendingRow = Dated &
  Need &
  Readonly<{ identity: string; record: string; sinceMs: number }>

export const pendingRecordsMax = 1_000_000

export function toPendingRow(pending: PendingRecord): PendingRow {
  const needs = pending.kind === "item" ? pending.record.author : `${pending.record.itemId}`
  return {
    ...pending,
    identity: identifyPending(pending),
    needs,
    record: JSON.stringify(pending.record),
  }
}

export const fromPendingRow = ({ kind, record, asOf, sinceMs }: PendingRow): PendingRecord => ({
  kind,
  record: JSON.parse(record),
  asOf,
  sinceMs,
})

export const namePending = (pending: PendingRecord) =>
  tombstoneName(pending.kind, identifyPending(pending))

export const identifyPending = (pending: PendingContent) =>
  pending.kind === "item" ? `${pending.record.id}` : pending.record.code

export type Needed = Readonly<{ type: "account" | "item"; identity: string; records: number }>
export type PendingGroup = Needed & Readonly<{ sinceMs: number }>

export type PendingSummary = Readonly<{
  items: number
  purchases: number
  /** Since when the oldest record is pending; null if none is. */
  sinceMs: number | null
  groups: readonly PendingGroup[]
}>

const pendingMsMax = daySeconds * 1000

export const isPendingTooLong = ({ sinceMs }: Pick<PendingSummary, "sinceMs">, nowMs: number) =>
  sinceMs !== null && nowMs - sinceMs >= pendingMsMax

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

import type { Account, AccountRecord } from "../catalog/account.ts"
import type { Item, ItemRecord } from "../catalog/item.ts"
import type { PurchaseRecord } from "../catalog/purchase.ts"
import type { KeyCipher, StoredKey } from "../keys/api-key.ts"
import { type Message, type Problem, problem } from "../values/problems/problem.ts"
import type { PatchFields } from "../values/schema.ts"
import type { Timestamp } from "../values/time/timestamp.ts"
import type { AsOf, DatedIdentity } from "./as-of.ts"
import type {
  FailedRun,
  FeedOrigin,
  ImportRun,
  LastFinish,
  RunCounts,
  RunOutcome,
} from "./import-run.ts"
import type { MassGuardOptions } from "./mass-changes.ts"
import type { Needed, PendingRecord, PendingSummary } from "./pending-record.ts"
import type { KindCounts, MassCounts, Tally } from "./tally.ts"

/** A key in the line of an account, without the account's id, which may be new. */
export type ImportedKey = Omit<StoredKey, "accountId" | "replacedBy" | "isSiteRequired"> &
  /** The look-up values under which the key may be stored already. */
  Readonly<{ lookups?: readonly Uint8Array[] }>

export type FeedRecord = Readonly<{ asOf?: AsOf }> & RecordContent

export type RecordOf<Type extends FeedRecord["type"]> = Extract<FeedRecord, { type: Type }>

type RecordContent =
  | Readonly<{ type: "account"; account: FeedAccount; key: ImportedKey | null; was?: Was }>
  | Readonly<{ type: "item"; item: ItemRecord; wasAuthor?: WasAuthor }>
  | Readonly<{ type: "purchase"; purchase: PurchaseRecord }>
  | AccountPatch
  | ItemPatch
  | PurchasePatch
  | Readonly<{ type: "deleted account"; username: string }>
  | Readonly<{ type: "deleted item"; id: number }>
  | Readonly<{ type: "deleted purchase"; code: string }>
  /** The source has this record, but its line was rejected: only its timestamp changes. */
  | Readonly<{ type: "mentioned account"; username: string }>
  | Readonly<{ type: "mentioned item"; id: number }>
  | Readonly<{ type: "mentioned purchase"; code: string }>

export function datedIdentityOf(record: FeedRecord): DatedIdentity {
  if ("account" in record) return { kind: "account", identity: record.account.username }
  if ("item" in record) return { kind: "item", identity: `${record.item.id}` }
  if ("purchase" in record) return { kind: "purchase", identity: record.purchase.code }
  if ("username" in record) return { kind: "account", identity: record.username }
  if ("id" in record) return { kind: "item", identity: `${record.id}` }
  return { kind: "purchase", identity: record.code }
}

export function mentionOf({ kind, identity }: DatedIdentity): FeedRecord {
  if (kind === "account") return { type: "mentioned account", username: identity }
  if (kind === "item") return { type: "mentioned item", id: Number(identity) }
  return { type: "mentioned purchase", code: identity }
}

/** Null keeps the suspension: a source without this field must not lift it. */
export type FeedAccount = Omit<AccountRecord, "isSuspended"> &
  Readonly<{ isSuspended: boolean | null }>

export type Rename = Readonly<{
  from: string
  /** Encrypts a key for the new name of its account; an unreadable one stays unchanged. */
  reencrypt(key: ImportedKey, username: string): Uint8Array
}>
type Was = Rename | undefined
type WasAuthor = string | undefined

/** A patch changes only the fields it contains. */
export type AccountPatch = Readonly<{
  type: "patched account"
  username: string
  isSuspended?: boolean | undefined
  fields: PatchFields
  key: ImportedKey | null
  was?: Was
}>
export type ItemPatch = Readonly<{
  type: "patched item"
  id: number
  author?: string | undefined
  wasAuthor?: WasAuthor
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

/** Encrypts and decrypts the secrets of a feed. The feed itself has no master key. */
export type FeedSecrets = Readonly<{
  prepareKey(username: string, secret: string): ImportedKey
  keys: Pick<KeyCipher, "encrypt" | "decrypt">
}>

export type RecordName = Readonly<{ type: "account" | "item" | "purchase"; identity: string }>

export type Rejection = Problem &
  Readonly<{
    missing?: RecordName
  }>

export const unknownAccount = (username: string, field = "username"): Rejection => ({
  ...problem(field, "unknown_account", { username }),
  missing: { type: "account", identity: username },
})

export const unknownItem = (id: number, field = "item_id"): Rejection => ({
  ...problem(field, "unknown_item", { id: `${id}` }),
  missing: { type: "item", identity: `${id}` },
})

export const unknownPurchase = (code: string): Rejection => ({
  ...problem("purchase_code", "unknown_purchase", { code }),
  missing: { type: "purchase", identity: code },
})

/** Null: accepted. `outdated`: the stored state is newer. `repeated`: an earlier row of the pull has the code. */
export type Verdict = Rejection | "outdated" | "pending" | "repeated" | null

/** Stored and pending records by type, and how many of them are older than a full sync. */
export type OlderCounts = Readonly<{ totals: KindCounts; older: KindCounts }>

/** A record that a full sync does not contain and that others refer to. */
export type RetainedRecord = DatedIdentity & Readonly<{ why: Message }>

export type Removal = Readonly<{ removed: number; retained: readonly RetainedRecord[] }>

export interface FeedWriter {
  /**
   * Rejected and outdated records change nothing; unchanged ones update at most their timestamp. A suspension ends
   * the account's sessions. Pending records that need one of these are stored with it. The batch and `line`, its last
   * line, are committed together. Throws TooManyChanges.
   */
  put(records: readonly FeedRecord[], line: number): Promise<readonly Verdict[]>
  /** How many records of this run are pending now. */
  countPending(): Promise<number>
  /** Missing accounts and items, the most needed first. */
  listNeeded(max: number): Promise<readonly Needed[]>
  countKeys(): number
  countChanges(): Tally
  /** Deletions and revocations so far. If this run is stopped, they count against the source's next run. */
  countAgainstLimits(): MassCounts
  /** Without this call, as after a crash, the batches stay stored. */
  finish(outcome: RunOutcome, problem?: Message | null): Promise<void>
  /** Counts records with an earlier timestamp. Takes no lock. */
  countOlder(beforeMs: number): Promise<OlderCounts>
  /** Deletes them in one transaction, except those that others refer to. */
  removeOlder(beforeMs: number): Promise<Removal>
}

/** An import whose changes are discarded by `close`. It records no run. */
export type DryRun = FeedWriter & Readonly<{ close(): Promise<void> }>

/** A quiet feed triggers no webhooks. */
export type Quiet = Readonly<{ isQuiet?: boolean | undefined }>

export interface FeedStore {
  /** A batch is committed when `put` returns; a crash leaves whole batches, in order. */
  openBatches(run: FeedOrigin & Quiet & MassGuardOptions): Promise<FeedWriter>
  openDryRun(run?: MassGuardOptions): Promise<DryRun>
  findLastRun(source: string): Promise<ImportRun | null>
  findRun(id: number): Promise<ImportRun | null>
  /** Newest first, of one method or of all. `before` is the last id of the previous page. */
  listRuns(
    rowsMax: number,
    via?: FeedOrigin["via"] | null,
    before?: number | null,
  ): Promise<readonly ImportRun[]>
  /**
   * The latest run of each source, if it began within `troubledSeconds` and was interrupted, failed, rejected more
   * lines than allowed or could not delete. Newest first.
   */
  listTroubledRuns(now: Date, rowsMax: number): Promise<readonly ImportRun[]>
  /** Ends the run begun since `runBefore` with the problem, or records a run if none was begun. */
  recordFailure(run: FailedRun): Promise<void>
  listLastFinishes(): Promise<readonly LastFinish[]>
  /** Files, pulls and failed pushes, the latest to finish first. */
  listImportCounts(rowsMax: number): Promise<readonly RunCounts[]>
  readPending(groupsMax: number): Promise<PendingSummary>
  openSnapshot(): Promise<Snapshot>
  deleteOldTombstones(beforeMs: number, rowsMax: number): Promise<number>
}

export type SnapshotKey = Omit<ImportedKey, "lookup" | "lookups">

/** A consistent state in pages, whatever is written concurrently. */
export interface Snapshot {
  /** By username (code points). `isSuspended` is the feed's value. */
  readAccounts(): AsyncIterable<readonly Account[]>
  /** By username, then by creation, then by id. */
  readKeys(): AsyncIterable<readonly SnapshotKey[]>
  /** By id. */
  readItems(): AsyncIterable<readonly (Item & Readonly<{ author: string }>)[]>
  /** By item, then by code. */
  readPurchases(): AsyncIterable<readonly PurchaseRecord[]>
  /** Items, then purchases, each by what they need. */
  readPending(): AsyncIterable<readonly PendingRecord[]>
  close(): Promise<void>
}

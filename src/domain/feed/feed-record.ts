/** Feed records, and the ports that write them to a store and read them out. */
import type { Account, AccountRecord } from "../catalog/account.ts"
import type { Item, ItemRecord } from "../catalog/item.ts"
import type { PurchaseRecord } from "../catalog/purchase.ts"
import type { KeyCipher, StoredKey } from "../keys/api-key.ts"
import { type Message, type Problem, problem } from "../values/problems/problem.ts"
import type { PatchFields } from "../values/schema.ts"
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

/** A key that came with the line of an account: all of a stored key but the account's id, which may be new. */
export type ImportedKey = Omit<StoredKey, "accountId" | "replacedBy" | "isSiteRequired"> &
  /** The values that the same key may be stored by already. */
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
  /** The source has this record, but the line could not be taken: only its moment changes. */
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

/** A suspension stays as it is where `isSuspended` is null: a store that knows of none must not lift it. */
export type FeedAccount = Omit<AccountRecord, "isSuspended"> &
  Readonly<{ isSuspended: boolean | null }>

export type Rename = Readonly<{
  from: string
  /** The sealed copy of a key for an account of another name; an unreadable one stays as it is. */
  reencrypt(key: ImportedKey, username: string): Uint8Array
}>
type Was = Rename | undefined
type WasAuthor = string | undefined

/** A patch changes only what it holds; the rules make a whole record of it. */
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
  fields: PatchFields
}>
export type PurchasePatch = Readonly<{
  type: "patched purchase"
  code: string
  itemId?: number | undefined
  isRevoked?: boolean | undefined
  /** Null removes it. */
  buyer?: string | null | undefined
  fields: PatchFields
}>

/** Seals and opens the secrets of a feed. The feed itself has no master key. */
export type FeedSecrets = Readonly<{
  /** Seals a key that came in clear text, with an account. */
  prepareKey(username: string, secret: string): ImportedKey
  keys: Pick<KeyCipher, "encrypt" | "decrypt">
}>

/** A record that another one refers to or changes. */
export type RecordName = Readonly<{ type: "account" | "item" | "purchase"; identity: string }>

export type Rejection = Problem &
  Readonly<{
    /** The record that this one needs and that is not there. */
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

/**
 * Null for a record that was taken; `outdated` for one that the store has a newer state of; `waiting` for
 * one that will be taken when what it needs arrives; `repeated` for one with the code of an earlier row of its pull.
 */
export type Verdict = Rejection | "outdated" | "waiting" | "repeated" | null

/** The stored and pending records of each type, and how many of them are older than a full feed. */
export type OlderCounts = Readonly<{ totals: KindCounts; older: KindCounts }>

/** A record that the feed does not name and that stays, because others refer to it. */
export type RetainedRecord = DatedIdentity & Readonly<{ why: Message }>

export type Removal = Readonly<{ removed: number; retained: readonly RetainedRecord[] }>

export interface FeedWriter {
  /**
   * Takes the records in order and answers each with its verdict; a refused or outdated record changes
   * nothing, and one that is already so changes its moment at most. A suspension ends the account's sessions. Records that waited for one of these are taken with it. The batch and `line`, the last line
   * it decides, are recorded together or not at all. Throws TooManyChanges for a batch that exceeds a limit of the run.
   */
  put(records: readonly FeedRecord[], line: number): Promise<readonly Verdict[]>
  /** How many of the records that it put wait by now. */
  countPending(): Promise<number>
  /** Lists at most `max` missing accounts and items, the most needed first. */
  listNeeded(max: number): Promise<readonly Needed[]>
  /** How many API keys all batches so far have added. */
  countKeys(): number
  /** The changes of all batches so far. A dry run counts them without writing. */
  countChanges(): Tally
  /** Counts against the limits of the next run of this source if this run is stopped. */
  countAgainstLimits(): MassCounts
  /**
   * Records the import as finished, or as failed if there is a problem. After a crash before it, all batches are kept
   * all the same.
   */
  finish(outcome: RunOutcome, problem?: Message | null): Promise<void>
  /** How many records have an earlier moment. Holds no lock. */
  countOlder(beforeMs: number): Promise<OlderCounts>
  /** Removes them all in one transaction, but for those that others refer to. */
  removeOlder(beforeMs: number): Promise<Removal>
}

/** An import whose changes are gone after `close`. It records no run. */
export type DryRun = FeedWriter & Readonly<{ close(): Promise<void> }>

/** A quiet feed makes no events. */
export type Quiet = Readonly<{ isQuiet?: boolean | undefined }>

export interface FeedStore {
  /** Every batch is kept as soon as `put` returns; a crash leaves whole batches, in order. */
  openBatches(run: FeedOrigin & Quiet & MassGuardOptions): Promise<FeedWriter>
  openDryRun(run?: MassGuardOptions): Promise<DryRun>
  /** The newest import of this source; null when there was none. */
  findLastRun(source: string): Promise<ImportRun | null>
  /** Null when there is no such run, or it is no longer kept. */
  findRun(id: number): Promise<ImportRun | null>
  /** The newest first, of all ways or of one. */
  listRuns(rowsMax: number, via?: FeedOrigin["via"]): Promise<readonly ImportRun[]>
  /**
   * Of each source the latest run that has finished or was interrupted, if it began in the last `troubledSeconds` and was
   * interrupted, failed, refused more lines than allowed or removed nothing although it was to. The newest first.
   */
  listTroubledRuns(now: Date, rowsMax: number): Promise<readonly ImportRun[]>
  /** Ends the run that was begun since `runBefore` with the problem, or records one if it has not come so far. */
  recordFailure(run: FailedRun): Promise<void>
  /** For each way by which a feed came: when its latest run finished. */
  listLastFinishes(): Promise<readonly LastFinish[]>
  /** Of files and pulls, and of pushes that failed; the latest to finish first. */
  listImportCounts(rowsMax: number): Promise<readonly RunCounts[]>
  /** Counts the waiting records and lists at most `groupsMax` accounts and items that they need. */
  readPending(groupsMax: number): Promise<PendingSummary>
  openSnapshot(): Promise<Snapshot>
  /** Removes up to `rowsMax` tombstones with an earlier moment, and returns how many it removed. */
  deleteOldTombstones(beforeMs: number, rowsMax: number): Promise<number>
}

export type SnapshotKey = Omit<ImportedKey, "lookup" | "lookups">

/** Everything as of the moment it was opened, in pages, whatever is written meanwhile. */
export interface Snapshot {
  /** By name, compared by code point. `isSuspended` is what the feed says. */
  readAccounts(): AsyncIterable<readonly Account[]>
  /** By the account's name, then by when they were made, then by id. */
  readKeys(): AsyncIterable<readonly SnapshotKey[]>
  /** By id. */
  readItems(): AsyncIterable<readonly (Item & Readonly<{ author: string }>)[]>
  /** By item, then by code. */
  readPurchases(): AsyncIterable<readonly PurchaseRecord[]>
  /** Items, then purchases; each by what they wait for. */
  readPending(): AsyncIterable<readonly PendingRecord[]>
  close(): Promise<void>
}

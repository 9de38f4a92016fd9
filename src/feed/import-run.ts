/** The port of a feed, and what is recorded about its runs. */
import type { Account } from "../accounts/account.ts"
import type { Item } from "../items/item.ts"
import type { StoredKey } from "../keys/key.ts"
import { type Message, message } from "../platform/problem.ts"
import { daySeconds, type Timestamp } from "../platform/time.ts"
import type { PurchaseRecord } from "../purchases/purchase.ts"
import type { MassGuardOptions, Tally } from "./batch.ts"
import type {
  DatedIdentity,
  FeedRecord,
  Needed,
  PendingRecord,
  PendingSummary,
  Verdict,
} from "./feed-record.ts"
import type { RejectionSummary } from "./rejections.ts"

export type FeedOrigin = Readonly<{
  /** A file's path, "-", the configuration of a pull, or the name of a route. */
  source: string
  via: "file" | "pull" | "push"
}>

export type FeedCounts = Readonly<{
  accepted: number
  /** Accepted records that were normalized or completed by defaults. */
  adjusted: number
  waiting: number
  rejected: number
  removed: number
  /** Purchases that the run revoked, and revoked purchases that it made valid again. */
  revoked: number
  restored: number
}>

/** When the latest run of each way that was read to its end finished. */
type LastFinish = Pick<FeedOrigin, "via"> & Readonly<{ finishedAt: Timestamp }>

export type RunCounts = Pick<FeedOrigin, "via"> &
  Readonly<{
    id: number
    counts: Omit<FeedCounts, "revoked" | "restored">
    /** Also true for a full sync that deleted nothing. */
    isFailed: boolean
    /** True if the run was read to its end. Its records count, even if it failed to delete the others. */
    isComplete: boolean
  }>

export type RunOutcome = Readonly<{
  counts: FeedCounts
  rejections: RejectionSummary
  /** Why a full sync deleted nothing although it should have; null for other runs. */
  removalProblem: Message | null
  remarks: RunRemarks
  isRefusalAllowed: boolean
  /** Whether a person runs the command and sees what it prints. */
  isByHand: boolean
  /** False if `--strict` saved nothing. */
  isApplied: boolean
}>

/** Counts of accepted records. Those that are 0 are absent, here and in the JSON of a summary. */
export type RunRemarks = Readonly<{
  /** The database had newer data. */
  outdated?: number | undefined
  defaulted?: number | undefined
  /** Their timestamps were ahead of the clock, at most by `seconds`. */
  ahead?: Readonly<{ records: number; seconds: number }> | undefined
  /** Rows of a pull or full sync that repeat a record. */
  repeated?: number | undefined
}>

/** What does not fail a run, but should be corrected at its source. */
export const listWarnings = ({ ahead, repeated }: RunRemarks): readonly Message[] => [
  ...(ahead === undefined ? [] : [message("timestamps_ahead", ahead)]),
  ...(repeated === undefined ? [] : [message("records_repeated", { records: repeated })]),
]

export const emptyOutcome: RunOutcome = {
  counts: {
    ...{ accepted: 0, adjusted: 0, waiting: 0, rejected: 0 },
    ...{ removed: 0, revoked: 0, restored: 0 },
  },
  rejections: { groups: [], otherKinds: 0, otherProblems: 0 },
  removalProblem: null,
  remarks: {},
  isRefusalAllowed: false,
  isByHand: false,
  isApplied: true,
}

export type ImportRun = FeedOrigin &
  Readonly<{
    id: number
    /** The last line of the last stored batch; the last line read if nothing was stored. */
    line: number
    startedAt: Timestamp
    /** Null: interrupted, or still running. */
    finishedAt: Timestamp | null
    /** Null: not finished, or not read to its end. */
    outcome: RunOutcome | null
    /** Why the run failed. Batches before the failure stay stored. */
    problem: Message | null
  }>

export type FailedRun = FeedOrigin &
  Readonly<{
    startedAt: Timestamp
    endedAt: Timestamp
    problem: Message
    outcome: RunOutcome | null
    /** The last line read; 0 for a feed that was not read to its end. */
    line: number
    /** The id of the source's latest run before this one; 0 if there was none. */
    runBefore: number
  }>

/** A run that has not finished for this long was interrupted. */
export const interruptedSeconds = daySeconds

/** A file with a date in its name is never imported again, so its problem expires. */
export const troubledSeconds = 7 * daySeconds

export type Pull = Readonly<{
  name: string
  /** Null for a pull that was never repeated. */
  everySeconds: number | null
  firstRoundAt: Timestamp
  /** The last round of a repeated pull. */
  lastScheduledAt: Timestamp | null
  /** The last round that was read to its end. */
  lastReadAt: Timestamp | null
  lastSuccessAt: Timestamp | null
  /** Why the last round was not read to its end; null if it was. */
  problem: Message | null
}>

/** `problem` is null for a round that was read to its end, also if rows were rejected. */
export type PullRoundEnd = Pick<Pull, "name" | "everySeconds" | "problem"> &
  Pick<FailedRun, "startedAt" | "endedAt" | "runBefore"> &
  Readonly<{
    isSuccess: boolean
  }>

export interface PullStore {
  /** With a problem, the import run that the round began ends with it, or a run with it is recorded. */
  recordRound(round: PullRoundEnd): Promise<void>
  list(): Promise<readonly Pull[]>
}

const roundSeconds = 600
/** A pull without rounds for this long was given up on purpose. */
const forgottenSeconds = 7 * daySeconds

/** When a pull is overdue, in Unix milliseconds: one round may fail. Null if it has no interval or was given up. */
export function dueMsOf(pull: Pull, nowMs: number): number | null {
  const { everySeconds, firstRoundAt, lastScheduledAt, lastReadAt } = pull
  if (everySeconds === null || lastScheduledAt === null) return null
  const untriedSeconds = (nowMs - Date.parse(lastScheduledAt)) / 1000
  if (untriedSeconds > forgottenSeconds + 2 * everySeconds) return null
  return Date.parse(lastReadAt ?? firstRoundAt) + (2 * everySeconds + roundSeconds) * 1000
}

export function isOverdue(pull: Pull, nowMs: number): boolean {
  const dueMs = dueMsOf(pull, nowMs)
  return dueMs !== null && nowMs > dueMs
}

/** A record that a full sync does not contain and that others refer to. */
export type RetainedRecord = DatedIdentity & Readonly<{ why: Message }>
/** `excess` says why nothing was deleted: too many records are missing. Null if they were deleted. */
export type Removal = Readonly<{
  removed: number
  retained: readonly RetainedRecord[]
  excess: Message | null
}>

/** An item that moves to another author, with the live validation keys of previous authors that stay valid for it. */
export type MovedKeys = Readonly<{
  itemId: number
  from: string
  to: string
  keys: readonly Readonly<{ name: string; lastUsedAt: Timestamp | null }>[]
}>

export interface FeedWriter {
  /**
   * Rejected and outdated records change nothing; unchanged ones update at most their timestamp. A suspension ends
   * the account's sessions. Pending records that need one of these are stored with it. The batch and `line`, its last
   * line, are committed together. Records that delete or revoke are only counted: they are `deferred`.
   */
  put(now: Date, records: readonly FeedRecord[], line: number): Promise<readonly Verdict[]>
  /** Why the deferred records must not be written, or null. */
  findExcess(): Promise<Message | null>
  /** Writes deferred records, after all others. Never called if there is an excess. */
  putDeferred(now: Date, records: readonly FeedRecord[]): Promise<readonly Verdict[]>
  countPending(): Promise<number>
  listNeeded(max: number): Promise<readonly Needed[]>
  countKeys(): number
  /** Only of a dry run. Omits items without such keys. */
  listMovedKeys(): readonly MovedKeys[]
  countChanges(): Tally
  /** Without this call, as after a crash, the batches stay stored. */
  finish(now: Date, outcome: RunOutcome, problem?: Message | null): Promise<void>
  /** Deletes records with an earlier timestamp in one transaction, except those that others refer to. */
  removeOlder(now: Date, beforeMs: number): Promise<Removal>
}

/** An import whose changes are discarded by `close`. It records no run. */
export type DryRun = FeedWriter & Readonly<{ close(): Promise<void> }>

export interface FeedStore {
  /**
   * A batch is committed when `put` returns; a crash leaves whole batches, in order. A quiet feed triggers no webhooks.
   */
  openBatches(
    run: FeedOrigin & MassGuardOptions & Readonly<{ isQuiet?: boolean | undefined }>,
  ): Promise<FeedWriter>
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
   * lines than allowed or could not delete; and for a day every stopped push, because pushes are unrelated. Newest first.
   */
  listTroubledRuns(now: Date, rowsMax: number): Promise<readonly ImportRun[]>
  /** Ends the run begun since `runBefore` with the problem, or records a run if none was begun. */
  recordFailure(run: FailedRun): Promise<void>
  listLastFinishes(now: Date): Promise<readonly LastFinish[]>
  /** Files, pulls and failed pushes, the latest to finish first. */
  listImportCounts(now: Date, rowsMax: number): Promise<readonly RunCounts[]>
  readPending(groupsMax: number): Promise<PendingSummary>
  openSnapshot(): Promise<Snapshot>
  deleteOldTombstones(beforeMs: number, rowsMax: number): Promise<number>
  /** The accounts whose daily sums or counts differ from their purchases and items. Reads all of them. */
  listWrongSums(): Promise<readonly number[]>
  repairSums(accountId: number): Promise<void>
}

/** A consistent state in pages, whatever is written concurrently. */
export interface Snapshot {
  /** By username (code points). `isSuspended` is the feed's value. */
  readAccounts(): AsyncIterable<readonly Account[]>
  /** By username, then by creation, then by id. */
  readKeys(): AsyncIterable<readonly StoredKey[]>
  /** By id. */
  readItems(): AsyncIterable<readonly (Item & Readonly<{ author: string }>)[]>
  /** By item, then by code. */
  readPurchases(): AsyncIterable<readonly PurchaseRecord[]>
  /** Items, then purchases, each by what they need. */
  readPending(): AsyncIterable<readonly PendingRecord[]>
  close(): Promise<void>
}

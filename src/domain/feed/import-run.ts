import type { Message } from "../values/problems/problem.ts"
import { daySeconds, type Timestamp } from "../values/time/timestamp.ts"
import type { MassCounts } from "./tally.ts"

export type FeedOrigin = Readonly<{
  /** A file's path, "-", the configuration of a pull, or the name of a route. */
  source: string
  via: "file" | "pull" | "push"
}>

/** In printing order. */
export type FeedCounts = Readonly<{
  accepted: number
  /** Accepted records that were normalized or completed by defaults. */
  adjusted: number
  /** Records pending at the end of the run. */
  waiting: number
  rejected: number
  removed: number
  /** Purchases that the run revoked, and revoked purchases that it made valid again. */
  revoked: number
  restored: number
}>

/** When the latest run of each way that was read to its end finished. */
export type LastFinish = Pick<FeedOrigin, "via"> & Readonly<{ finishedAt: Timestamp }>

export type RunCounts = Pick<FeedOrigin, "via"> &
  Readonly<{
    id: number
    counts: Omit<FeedCounts, "revoked" | "restored">
    /** Also true for a full sync that deleted nothing. */
    isFailed: boolean
    /** True if the run was read to its end. Its records count, even if it failed to delete the others. */
    isComplete: boolean
  }>

export type RejectionGroup = Readonly<{
  type: string | null
  field: string
  /** `params` has only values that all records share, such as a limit. */
  code: Message["code"]
  params: Message["params"]
  /** `another line`: a record that these need was rejected. `unknown`: too many rejections to remember all of them. */
  cause: "itself" | "another line" | "unknown"
  /** A line with several problems is counted in the group of each. */
  lines: number
  /** The first lines, at most `samplesMax`. */
  samples: readonly [RejectedSample, ...RejectedSample[]]
}>

export type RejectedSample = Readonly<{ line: number; identity: string | null }>

/** Enough to see what the lines of a group have in common. */
export const samplesMax = 3

export type RejectionSummary = Readonly<{
  /** Causes, then consequences, most frequent first. No consequence is left out; such a line has one problem only. */
  groups: readonly RejectionGroup[]
  otherKinds: number
  otherProblems: number
}>

export type RunOutcome = Readonly<{
  counts: FeedCounts
  rejections: RejectionSummary
  /** Why a full sync deleted nothing although it should have; null for other runs. */
  removalProblem: Message | null
}> &
  RunRemarks

export type RunRemarks = Readonly<{
  /** Whether `--max-refused` allows the rejected lines. */
  isRefusalAllowed: boolean
  /** Deletions and revocations when the run was stopped for too many changes; null if it was not. */
  stoppedAt: MassCounts | null
  /** Records with a timestamp ahead of the clock, and the largest difference. */
  ahead: Readonly<{ records: number; seconds: number }> | null
  /** Rows of a pull that repeat a purchase code, and the first of them. */
  repeated: Readonly<{ records: number; firstLines: readonly number[] }> | null
}>

export const noRemarks: RunRemarks = {
  isRefusalAllowed: false,
  stoppedAt: null,
  ahead: null,
  repeated: null,
}

export const noCounts: FeedCounts = {
  accepted: 0,
  adjusted: 0,
  waiting: 0,
  rejected: 0,
  removed: 0,
  revoked: 0,
  restored: 0,
}

export type ImportRun = FeedOrigin &
  Readonly<{
    id: number
    /** The last line of the last stored batch; the last line read if nothing was stored. */
    line: number
    startedAt: Timestamp
    /** Null: interrupted, or still running. */
    finishedAt: Timestamp | null
    /** Null: not finished, not read to its end, or recorded by an older version. */
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

/** Older versions recorded no line if nothing was stored. */
export function linesOf({ line, outcome }: Pick<ImportRun, "line" | "outcome">): number {
  const { accepted = 0, waiting = 0, rejected = 0 } = outcome?.counts ?? {}
  return Math.max(line, accepted + waiting + rejected)
}

/** A run that has not finished for this long was interrupted. */
export const interruptedSeconds = daySeconds

/** A file with a date in its name is never imported again, so its problem expires. */
export const troubledSeconds = 7 * daySeconds

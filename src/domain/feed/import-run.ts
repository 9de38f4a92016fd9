/** Import runs: what became of each feed, kept for the operator. */
import type { Message } from "../values/problems/problem.ts"
import { daySeconds, type Timestamp } from "../values/time/timestamp.ts"
import type { MassCounts } from "./tally.ts"

export type FeedOrigin = Readonly<{
  /** A file's path, "-", the configuration of a pull, or the name of a route. */
  source: string
  via: "file" | "pull" | "push"
}>

/** In the order in which it is printed. */
export type FeedCounts = Readonly<{
  accepted: number
  /** Accepted records whose spelling was corrected, or that defaults completed. */
  adjusted: number
  /** Records that wait for others at the end of the run. */
  waiting: number
  rejected: number
  removed: number
  /** Purchases that the run revoked, and revoked purchases that it made valid again. */
  revoked: number
  restored: number
}>

/** When the latest run of one way finished that was read to its end. */
export type LastFinish = Pick<FeedOrigin, "via"> & Readonly<{ finishedAt: Timestamp }>

export type RunCounts = Pick<FeedOrigin, "via"> &
  Readonly<{
    id: number
    counts: Omit<FeedCounts, "revoked" | "restored">
    isFailed: boolean
  }>

/** Refused lines with the same problem. */
export type RejectionGroup = Readonly<{
  /** The type of the records; null where the lines name none. */
  type: string | null
  field: string
  /** `params` has only what is the same for every record, such as a limit. */
  code: Message["code"]
  params: Message["params"]
  /**
   * `another line`: a record that these need was refused, and nothing else is wrong with them.
   * `unknown`: either of the two; too many records were refused to remember them all.
   */
  cause: "itself" | "another line" | "unknown"
  /** A line with several problems is counted in the group of each. */
  lines: number
  firstLine: number
  firstIdentity: string | null
}>

export type RejectionSummary = Readonly<{
  /**
   * Causes, then consequences, each with the most frequent first. No kind of consequence is left out,
   * and each such line has one problem only.
   */
  groups: readonly RejectionGroup[]
  /** Kinds of problems that are not in `groups`, and how often they occurred. */
  otherKinds: number
  otherProblems: number
}>

export type RunOutcome = Readonly<{
  counts: FeedCounts
  rejections: RejectionSummary
  /** Why a full feed removed nothing although it was to; null for every other feed. */
  removalProblem: Message | null
}> &
  RunRemarks

export type RunRemarks = Readonly<{
  /** Whether the operator allows so many refused lines (`--max-refused`). */
  isRefusalAllowed: boolean
  /** What it had deleted and revoked when it was stopped for too many changes; null for a run that was not. */
  stoppedAt: MassCounts | null
  /** Records with a timestamp ahead of the clock, and the largest distance; null if there were none. */
  ahead: Readonly<{ records: number; seconds: number }> | null
  /** Rows of a pull with the purchase code of an earlier row, and the first of them; null if there were none. */
  repeated: Readonly<{ records: number; firstLines: readonly number[] }> | null
}>

/** Older versions recorded none. */
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
    /** The last line of the last batch that was kept; the last that was read, if all were read and none kept. */
    line: number
    startedAt: Timestamp
    /** Null: interrupted, or still running. */
    finishedAt: Timestamp | null
    /** Null: not finished, not read to its end, or recorded by an older version. */
    outcome: RunOutcome | null
    /** Why it failed. If it was stopped or could not be read to its end, the batches before that are kept. */
    problem: Message | null
  }>

export type FailedRun = FeedOrigin &
  Readonly<{
    startedAt: Timestamp
    endedAt: Timestamp
    problem: Message
    /** Null for a feed that was not read to its end. */
    outcome: RunOutcome | null
    /** The last line that was read; 0 for a feed that was not read to its end. */
    line: number
    /** The id of the latest run of its source before it; 0 if there was none. */
    runBefore: number
  }>

/** Older versions noted no line of a feed of which nothing was kept. */
export function linesOf({ line, outcome }: Pick<ImportRun, "line" | "outcome">): number {
  const { accepted = 0, waiting = 0, rejected = 0 } = outcome?.counts ?? {}
  return Math.max(line, accepted + waiting + rejected)
}

/** A run that has not finished for so long was interrupted. */
export const interruptedSeconds = daySeconds

/** A file with a date in its name never comes again, so its trouble ends by itself. */
export const troubledSeconds = 7 * daySeconds

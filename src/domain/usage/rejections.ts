/**
 * Rejected calls by key and failed sign-ins by account, each for a day, of all authors: they show the
 * operator who is refused, and who is being guessed.
 */
import type { KeyKind } from "../keys/api-key.ts"
import type { SignInOutcome } from "../sign-in/sign-in-failures.ts"
import type { Timestamp } from "../values/time/timestamp.ts"
import { outcomeGroup } from "./usage.ts"

/** Today and yesterday are kept: a week of thousands of keys takes 70 ms to read on PostgreSQL. */
export const rejectionDays = 2

export type RejectedKey = Readonly<{
  keyId: string
  username: string
  kind: KeyKind
  name: string
  calls: number
  /** The most frequent first. */
  reasons: readonly Readonly<{ reason: string; calls: number }>[]
}>

export type RejectedSignIn = Extract<SignInOutcome, "wrong" | "throttled">

export type SignInRejections = Readonly<{
  username: string
  outcome: RejectedSignIn
  signIns: number
}>

/** An account that somebody failed to sign in to. */
export type RejectedAccount = Readonly<{ username: string; wrong: number; throttled: number }>

/** Rejected calls come with the usage of keys; those of test keys are left out, as they fail on purpose. */
export interface RejectionStore {
  /** Of the last `days` days up to `at`, those with the most rejected calls first, at most `limit`. */
  listKeys(at: Timestamp, days: number, limit: number): Promise<readonly RejectedKey[]>
  /** The same for failed sign-ins. */
  listAccounts(at: Timestamp, days: number, limit: number): Promise<readonly RejectedAccount[]>
}

/** A limit is a rejection too; a fault of ours is not. */
export const isRejected = (outcome: string) =>
  outcomeGroup(outcome) === "refused" || outcome === "rate_limited"

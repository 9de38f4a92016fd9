/** What a server counts: one batch, written to all tables of counts together, and thinned with age. */

import type { Timestamp } from "../values/time/timestamp.ts"
import type { SignInRejections } from "./rejections.ts"
import type { TrafficCount } from "./traffic.ts"
import type { ItemCalls, KeySighting, NetworkCalls, UsageCount } from "./usage.ts"

export type Counts = Readonly<{
  /** Calls that are no use of a key (`isUse`) are only counted as rejections. */
  calls: readonly UsageCount[]
  sightings: readonly KeySighting[]
  networks: readonly NetworkCalls[]
  items: readonly ItemCalls[]
  /** Purchase codes, as they are stored, that were asked for. */
  codes: readonly string[]
  signIns: readonly SignInRejections[]
  traffic: readonly TrafficCount[]
}>

export interface CountStore {
  /**
   * Adds the counts to what is there, all or nothing. Any number of programs may add. Codes and sign-ins belong
   * to the day of `at`, traffic to its hour and day. Keys, codes and names that are not in the store are left
   * out, and no last use moves back.
   */
  add(at: Timestamp, counts: Partial<Counts>): Promise<void>
  /**
   * Of keys: hours become days after a week; days are forgotten after 400, networks after 30 but for the latest
   * of each key, their calls after 7, calls by item after 30. One batch: the first keys behind `after` (""
   * begins), at most `rowsMax` rows. Says where the next batch begins, null at the end.
   */
  thin(at: Timestamp, after: string, rowsMax: number): Promise<string | null>
  /**
   * Of all others: removes rejections after two days, hours of traffic after 7 and days of it after 400. At most
   * `rowsMax` rows of each; says how many.
   */
  forget(at: Timestamp, rowsMax: number): Promise<number>
}

/** Which moment the records of a feed describe. */
import type { AsOf } from "../domain/as-of.ts"

/** `own` is the moment that the line itself names. */
export type MomentOf = (own: AsOf | undefined) => AsOf | undefined

/** A file that names no moment counts as of when its records are written. */
export const whenWritten: MomentOf = (own) => own

export const onArrival: MomentOf = (own) => own ?? { ms: Date.now(), isArrival: true }

export const asOfFile =
  (ms: number): MomentOf =>
  (own) =>
    own ?? { ms, isArrival: false }

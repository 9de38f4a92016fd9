/** How long numbers are kept. A period is an hour, `2026-06-22T23`, or a day, `2026-06-22`. */
import { daysBefore } from "../domain/date-arithmetic.ts"
import { rejectionDays } from "../domain/rejections.ts"

/** Keys looked at in one batch: each has some hundreds of rows. */
export const keysEachBatch = 50

const dayOf = (at: string) => at.slice(0, 10)

/** Older hours become days, a whole day at a time. */
export const oldestHour = (at: string) => dayOf(daysBefore(at, 7))
/** Older days are deleted. */
export const oldestDay = (at: string) => dayOf(daysBefore(at, 400))
/** Older sightings are deleted, except the newest of each key, which says when it was last used. */
export const oldestSighting = (at: string) => daysBefore(at, 30)
/** Older rejections are deleted. */
export const oldestRejection = (at: string) => dayOf(daysBefore(at, rejectionDays - 1))
/** Older calls by network are deleted. */
export const oldestNetworkDay = (at: string) => dayOf(daysBefore(at, 7))
/** Older calls by item are deleted. */
export const oldestItemDay = (at: string) => dayOf(daysBefore(at, 30))

/**
 * Sums up equal failures, so that an outage does not fill the disk: one line for each request was 3.5 MB a
 * second. The first of a kind is written at once. The others are counted and reported every ten seconds.
 */
import type { Every } from "../domain/values/time/every.ts"

export type RepeatedFailures = Readonly<{
  /** True for the first failure of its kind. Others are counted; `report` gets their number. */
  isFirst(kind: string, report: Report): boolean
  /** Reports what was counted so far, and forgets all kinds. */
  close(): void
}>

type Report = (count: number) => void

const reportEveryMs = 10_000
/** A fault's text may hold a value that always differs, so the number of kinds has a limit. */
const kindsMax = 64
const others = "others"

/** `reportOthers` gets the count of all failures beyond the limit of kinds. */
export function createRepeatedFailures(every: Every, reportOthers: Report): RepeatedFailures {
  const counted = new Map<string, { count: number; report: Report }>()
  let stopTimer: (() => void) | null = null

  function reportAll(): void {
    for (const [kind, each] of counted) {
      // A kind that did not come again is over; its next failure is a first one.
      if (each.count === 0) counted.delete(kind)
      else each.report(each.count)
      each.count = 0
    }
    if (counted.size === 0) stop()
  }
  function stop(): void {
    stopTimer?.()
    stopTimer = null
  }
  return {
    isFirst(kind, report) {
      stopTimer ??= every(reportEveryMs, reportAll)
      const isNew = !counted.has(kind)
      if (isNew && counted.size < kindsMax) {
        counted.set(kind, { count: 0, report })
        return true
      }
      const key = isNew ? others : kind
      const known = counted.get(key) ?? { count: 0, report: reportOthers }
      known.count += 1
      counted.set(key, known)
      return false
    },
    close() {
      reportAll()
      counted.clear()
      stop()
    },
  }
}

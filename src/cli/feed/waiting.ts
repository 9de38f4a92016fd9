/** Waiting records, as commands show them. */

import {
  isWaitingLong,
  type WaitingGroup,
  type WaitingSummary,
} from "../../domain/feed/waiting-record.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { counted } from "../running/doctor.ts"

/** More do not fit on a screen. */
export const waitingGroupsMax = 10

const moment = (ms: number) => formatTimestamp(new Date(ms))

/** The output of `--json`. */
export const waitingObject = ({ items, purchases, sinceMs, groups }: WaitingSummary) => ({
  ...{ items, purchases, since: sinceMs === null ? null : moment(sinceMs) },
  needs: groups.map(({ type, identity, records, sinceMs: since }) => ({
    ...{ type, identity, records, since: moment(since) },
  })),
})

/** `61 purchases, since 2026-01-31T02:00:00Z`; null if none waits. */
export function describeWaiting(waiting: WaitingSummary, now: Date): string | null {
  const { items, purchases, sinceMs } = waiting
  if (sinceMs === null) return null
  const kinds = [
    ...(items === 0 ? [] : [counted(items, "item")]),
    ...(purchases === 0 ? [] : [counted(purchases, "purchase")]),
  ]
  const warning = isWaitingLong(waiting, now.getTime()) ? "; warning: for more than a day" : ""
  return `${kinds.join(" and ")}, since ${moment(sinceMs)}${warning}`
}

/** `item 1229: 61 purchases, since 2026-01-31T02:00:00Z` */
export function describeNeed({ type, identity, records, sinceMs }: WaitingGroup): string {
  const waiters = counted(records, type === "item" ? "purchase" : "item")
  return `${type} ${identity}: ${waiters}, since ${moment(sinceMs)}`
}

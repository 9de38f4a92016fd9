import { shownCode } from "../domain/catalog/purchase-code.ts"
import type { Operation } from "../domain/keys/api-key.ts"
import { ipRangeDays } from "../domain/usage/usage.ts"
import type { Reason } from "../domain/values/error.ts"
import {
  daySeconds,
  formatTimestamp,
  lastRange,
  secondsBefore,
} from "../domain/values/time/timestamp.ts"
import type { App } from "../server/app.ts"

export type SampleRequests = Readonly<{
  /** Days until today, at most 30. Default: 30. */
  days?: number
  requestsPerDay: number
  ipRanges: number
  /** Minutes between the last requests of two IP ranges, and since the latest request. */
  minutesApart: number
  operations: Readonly<Partial<Record<Operation, number>>>
}>

const outcomes: readonly (readonly [Reason, number])[] = [
  ["ok", 0.86],
  ["unknown_code", 0.13],
  ["unavailable", 0.01],
]

const mistyped = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

const weekdays = [0.5, 1, 1.1, 1.2, 1, 0.9, 0.6]

export async function addSampleRequests(
  { store, now }: Pick<App, "store" | "now">,
  keyId: string,
  { days = 30, requestsPerDay, ipRanges, minutesApart, operations }: SampleRequests,
): Promise<void> {
  const at = now()
  const counts = Array.from({ length: days }, (_, ago) => {
    const day = secondsBefore(at, ago * daySeconds).slice(0, 10)
    const weekday = weekdays[new Date(day).getUTCDay()] ?? 1
    const calls = requestsPerDay * weekday * (1 - ago / 60) * (1 + 0.2 * Math.sin(ago * 1.7))
    return Object.entries(operations).flatMap(([operation, part]) =>
      outcomesOf(operation).map(([outcome, share]) => ({
        keyId,
        day,
        // Object.entries loses the key type of the record.
        operation: operation as Operation,
        outcome,
        calls: Math.round(calls * part * share),
      })),
    )
  }).flat()
  const week = lastRange(formatTimestamp(at), ipRangeDays).from
  const usedAt = Array.from({ length: ipRanges }, (_, index) =>
    secondsBefore(at, (index + 1) * minutesApart * 60),
  )
  await store.counts.add(formatTimestamp(at), {
    calls: counts.filter(({ calls }) => calls > 0),
    lastUses: usedAt.slice(0, 1).map((lastUsedAt) => ({ keyId, lastUsedAt })),
    ipRanges: usedAt.map((lastUsedAt, index) => ({
      keyId,
      ipRange: `198.51.${index}.0/24`,
      lastDay: lastUsedAt.slice(0, 10),
    })),
    failures: counts.flatMap(({ day, outcome, calls, operation }) => {
      if (outcome === "ok" || calls === 0 || day < week) return []
      const code = outcome === "unknown_code" ? shownCode({ code: mistyped, isOwn: false }) : ""
      const times = { firstAt: `${day}T00:00:00Z`, lastAt: `${day}T00:00:00Z` }
      return [
        { keyId, operation, reason: outcome, ipRange: "198.51.0.0/24", code, ...times, calls },
      ]
    }),
  })
}

/** Only validations can fail with an unknown code. */
const outcomesOf = (operation: string) =>
  operation === "validate_purchase" ? outcomes : ([["ok", 1]] as const)

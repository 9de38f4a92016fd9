import { shownCode } from "../domain/catalogue/purchase-code.ts"
import type { Operation } from "../domain/keys/api-key.ts"
import { sumCalls } from "../domain/usage/failed-calls.ts"
import { networkDays, type UsageCount } from "../domain/usage/usage.ts"
import type { Reason } from "../domain/values/error.ts"
import { daySeconds, formatTimestamp, secondsBefore } from "../domain/values/time/timestamp.ts"
import type { App } from "../server/app.ts"

export type SampleCalls = Readonly<{
  /** At most thirty, up to today; thirty by default. */
  days?: number
  callsADay: number
  networks: number
  /** Between the last calls of two networks; the latest call was as long ago. */
  minutesApart: number
  operations: Readonly<Partial<Record<Operation, number>>>
  /** The items whose codes are asked for, the most asked for first; none by default. */
  items?: readonly number[]
}>

const outcomes: readonly (readonly [Reason, number])[] = [
  ["ok", 0.86],
  ["unknown_code", 0.13],
  ["unavailable", 0.01],
]

const mistyped = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

/** Sunday first. */
const weekdays = [0.5, 1, 1.1, 1.2, 1, 0.9, 0.6]

/** Calls that rise and fall with the week. */
export async function addSampleCalls(
  { store, now }: Pick<App, "store" | "now">,
  keyId: string,
  { days = 30, callsADay, networks, minutesApart, operations, items = [] }: SampleCalls,
): Promise<void> {
  const at = now()
  const counts = Array.from({ length: days }, (_, ago) => {
    const moment = secondsBefore(at, ago * daySeconds)
    const weekday = weekdays[new Date(moment).getUTCDay()] ?? 1
    const calls = callsADay * weekday * (1 - ago / 60) * (1 + 0.2 * Math.sin(ago * 1.7))
    const hour = `${moment.slice(0, 13)}:00:00Z`
    return Object.entries(operations).flatMap(([operation, part]) =>
      outcomesOf(operation).map(([outcome, share]) => ({
        // The names come from a record by operation.
        keyId,
        operation: operation as Operation,
        outcome,
        hour,
        calls: Math.round(calls * part * share),
      })),
    )
  }).flat()
  const sightings = Array.from({ length: networks }, (_, index) => ({
    keyId,
    network: `198.51.${index}.0/24`,
    lastUsedAt: secondsBefore(at, (index + 1) * minutesApart * 60),
  }))
  const today = formatTimestamp(at).slice(0, 10)
  const week = counts.filter(({ hour }) => hour >= secondsBefore(at, networkDays * daySeconds))
  const byOperation = Map.groupBy(week, ({ operation }) => operation)
  const validCodes = counts.filter(isValidCode)
  await store.counts.add(formatTimestamp(at), {
    calls: counts.filter(({ calls }) => calls > 0),
    sightings,
    // All of them on one day: no page shows the days of a network.
    networks: [...byOperation].flatMap(([operation, each]) =>
      shareOut(sumCalls(each), sightings).map(([{ network }, calls]) => ({
        keyId,
        network,
        operation,
        day: today,
        calls,
        isEstimate: false,
      })),
    ),
    failures: week.flatMap(({ outcome, calls, operation, hour }) => {
      if (outcome === "ok" || calls === 0) return []
      const code = outcome === "unknown_code" ? shownCode({ code: mistyped, isOwn: false }) : ""
      const network = sightings[0]?.network ?? ""
      const times = { firstAt: hour, lastAt: hour }
      return [{ keyId, operation, reason: outcome, network, code, ...times, calls }]
    }),
    items: validCodes.flatMap(({ hour, calls: all }) =>
      shareOut(all, items).map(([itemId, calls]) => ({
        keyId,
        itemId,
        day: hour.slice(0, 10),
        calls,
      })),
    ),
  })
}

const isValidCode = ({ operation, outcome }: UsageCount) =>
  operation === "validate_purchase" && outcome === "ok"

/** The first one has most of the calls. */
function shareOut<Each>(calls: number, among: readonly Each[]): readonly [Each, number][] {
  let rest = calls
  const shares = among.map((each, index): [Each, number] => {
    const share = Math.ceil((rest * 2) / (among.length - index + 1))
    rest -= share
    return [each, share]
  })
  return shares.filter(([, share]) => share > 0)
}

/** Only a validation can meet an unknown code. */
const outcomesOf = (operation: string) =>
  operation === "validate_purchase" ? outcomes : ([["ok", 1]] as const)

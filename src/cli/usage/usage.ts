import {
  callsOf,
  type UsageGrouping,
  type UsageTotal,
  usageGroupings,
} from "../../domain/usage/usage.ts"
import {
  normaliseTimestamp,
  parseDurationMs,
  secondsBefore,
  type Timestamp,
} from "../../domain/values/time/timestamp.ts"
import type * as declared from "../declarations/usage.ts"
import { type Run, UsageError } from "../frame/command.ts"
import { parseChoice, parseRowsMax } from "../frame/input.ts"
import { openApp } from "../frame/open-app.ts"
import { writeList } from "../frame/output.ts"

export const usage: Run<typeof declared.usage> = async ({ values }, context) => {
  const by = parseChoice("by", usageGroupings, values.by)
  const rowsMax = parseRowsMax(values.limit)
  await using app = await openApp(context)
  const since = parseSince(values.since, app.now())
  // One more than is shown, to know whether there are more.
  const totals = await app.store.usage.listTotals(by, since, rowsMax + 1)
  await writeList(context, values.json, [totals.slice(0, rowsMax)], {
    toObject: (total) => totalObject(by, total),
    header: headers[by],
    toCells: (total) => renderRow(by, total),
    none: `No key was used since ${since}.`,
  })
  if (totals.length > rowsMax) context.tell(`These are the first ${rowsMax}; --limit shows more.`)
}

function parseSince(text: string, now: Date): Timestamp {
  const ms = parseDurationMs(text)
  const since = ms === null ? normaliseTimestamp(text) : secondsBefore(now, ms / 1000)
  if (since !== null) return since
  throw new UsageError(
    "--since must be a duration such as 90m, 24h or 7d, or an ISO 8601 time with a zone",
  )
}

const numbers = ["CALLS", "OK", "REFUSED", "FAILED"]
const headers: Readonly<Record<UsageGrouping, readonly string[]>> = {
  key: ["ID", "USERNAME", "KIND", ...numbers, "NAME"],
  account: ["USERNAME", "KEYS", ...numbers],
  operation: ["OPERATION", "KEYS", ...numbers],
  reason: ["REASON", "KEYS", "CALLS"],
}

function renderRow(by: UsageGrouping, total: UsageTotal): readonly string[] {
  const { group, isTest, key, ok, refused, failed } = total
  const calls = String(callsOf(total))
  const all = [calls, String(ok), String(refused), String(failed)]
  if (key !== null) {
    return [group, key.username, isTest ? `${key.kind} (test)` : key.kind, ...all, key.name]
  }
  return [group, isTest ? "test" : "live", ...(by === "reason" ? [calls] : all)]
}

function totalObject(by: UsageGrouping, total: UsageTotal) {
  const { group, isTest, key, ok, refused, failed } = total
  return {
    [by === "key" ? "id" : by]: group,
    ...key,
    test: isTest,
    calls: callsOf(total),
    ...(by === "reason" ? {} : { ok, refused, failed }),
  }
}

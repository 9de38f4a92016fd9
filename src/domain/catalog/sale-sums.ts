/** Sums of sales for totals and charts. Amounts of different currencies are never added. */
import { type DayRange, dayAfter, daysBefore } from "../values/time/timestamp.ts"
import type { SalesOfDay } from "./sale.ts"

/** Adds the days of each period, which `periodOf` names. Sorted by period, currency and state. */
export function sumSales(
  sums: readonly SalesOfDay[],
  periodOf: (day: string) => string,
): readonly SalesOfDay[] {
  const found = new Map<string, SalesOfDay>()
  for (const { day, currency, isRefunded, sales, amount } of sums) {
    const period = periodOf(day)
    const key = `${period} ${currency} ${Number(isRefunded)}`
    const { sales: others, amount: rest } = found.get(key) ?? { sales: 0, amount: 0 }
    const sum = { sales: others + sales, amount: rest + amount }
    found.set(key, { day: period, currency, isRefunded, ...sum })
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}

/** The bars of a chart: days, calendar weeks or calendar months. The first and the last may be shorter. */
export function splitRange({ from, to }: DayRange): readonly DayRange[] {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  const lastOf = days <= 92 ? (day: string) => day : days <= 7 * 160 ? lastOfWeek : lastOfMonth
  const periods: DayRange[] = []
  let first = from
  for (;;) {
    const last = lastOf(first)
    if (last >= to) return [...periods, { from: first, to }]
    periods.push({ from: first, to: last })
    first = dayAfter(last)
  }
}

/** Weeks start on Monday. */
const lastOfWeek = (day: string) =>
  daysBefore(day, -((7 - new Date(day).getUTCDay()) % 7)).slice(0, 10)

function lastOfMonth(day: string): string {
  const at = new Date(day)
  at.setUTCMonth(at.getUTCMonth() + 1, 0)
  return at.toISOString().slice(0, 10)
}

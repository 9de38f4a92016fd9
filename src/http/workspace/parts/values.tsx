/** Dates and amounts in the reader's language, exact on hover. */
import type { Timestamp } from "../../../domain/timestamp.ts"
import type { Locale } from "../../api/messages.ts"
import type { View } from "../view.ts"

export function formatDay(at: Timestamp, locale: Locale): string {
  return new Date(at).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" })
}

export function formatMoment(at: Timestamp, locale: Locale): string {
  const form = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const
  return new Date(at).toLocaleString(locale, form)
}

export const Day = ({ view, at }: { view: View; at: Timestamp | null }) =>
  at === null ? (
    <span>{view.words.never}</span>
  ) : (
    <time datetime={at} title={`${at.replace("T", " ").replace("Z", "")} UTC`}>
      {formatDay(at, view.locale)}
    </time>
  )

export const Moment = ({ view, at }: { view: View; at: Timestamp | null }) =>
  at === null ? (
    <span>{view.words.never}</span>
  ) : (
    <time datetime={at} title={`${at.replace("T", " ").replace("Z", "")} UTC`}>
      {formatMoment(at, view.locale)}
    </time>
  )

/** A currency the runtime does not know is shown as its three letters. */
export function formatMoney(amount: number, currency: string, locale: Locale): string {
  return amount.toLocaleString(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  })
}

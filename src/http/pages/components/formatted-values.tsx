/**
 * Dates, amounts and licences in the reader's language. The script shows times in the reader's zone, exact on
 * hover; without it they are in UTC.
 */
import type { Child } from "hono/jsx"
import type { PurchaseBody } from "../../../domain/catalog/purchase.ts"
import type { Locale } from "../../../domain/values/locale.ts"
import { trimWhitespace } from "../../../domain/values/text.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { View } from "../view.ts"

/** Made once: making one takes 0.3 ms, and a page with a chart shows two hundred dates. */
const createForms = (locale: Locale) => ({
  day: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }),
  moment: new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }),
})
const forms = { en: createForms("en"), tr: createForms("tr") }

export const formatDay = (at: Timestamp, locale: Locale) => forms[locale].day.format(new Date(at))

export const formatDateTime = (at: Timestamp, locale: Locale) =>
  `${forms[locale].moment.format(new Date(at))} UTC`

type TimeProps = Readonly<{ view: View; at: Timestamp }>
type OptionalTimeProps = Readonly<{ view: View; at: Timestamp | null }>

/** `form` is for the script: a day, a moment, or how long ago it was. */
export const Time = ({ view, at, form }: TimeProps & { form: "day" | "moment" | "ago" }) => (
  <time datetime={at} data-form={form} title={`${at.replace("T", " ").replace("Z", "")} UTC`}>
    {form === "day" ? formatDay(at, view.locale) : formatDateTime(at, view.locale)}
  </time>
)

export const Day = ({ view, at }: OptionalTimeProps) =>
  at === null ? <span>{view.texts.never}</span> : <Time view={view} at={at} form="day" />

/** A day of UTC: the script must not move it into the reader's zone. */
export const UtcDay = ({ view, day }: Readonly<{ view: View; day: string }>) => (
  <time datetime={day}>{formatDay(day, view.locale)}</time>
)

/** With the script, near ones are shown as "2 minutes ago". */
export const RelativeTime = ({ view, at }: OptionalTimeProps) =>
  at === null ? <span>{view.texts.never}</span> : <Time view={view} at={at} form="ago" />

type SentenceProps = TimeProps &
  Readonly<{
    form: "day" | "moment"
    /** The sentence, with `when` where the time belongs. */
    sentence(when: string): string
  }>

/** A NUL marks the place of the time: no stored text holds one. */
export const SentenceWithTime = ({ view, at, form, sentence }: SentenceProps) => {
  const [before, after] = sentence("\0").split("\0")
  return (
    <>
      {before}
      <Time view={view} at={at} form={form} />
      {after}
    </>
  )
}

/**
 * With a sign of its own for each currency: the narrow one is `$` for a dozen of them. A currency without a sign is
 * shown as its three letters.
 */
export function formatMoney(amount: number, currency: string, locale: Locale): string {
  return amount.toLocaleString(locale, { style: "currency", currency })
}

/** The contract names no licences. The two that nearly every marketplace sells have a translation. */
export function licenseLabel(
  view: View,
  { license_type }: Pick<PurchaseBody, "license_type">,
): string {
  const names: Readonly<Record<string, string>> = view.texts.check.licenses
  return (Object.hasOwn(names, license_type) && names[license_type]) || license_type
}

/** For a sentence, where `<bdi>` cannot stand: the direction of the name does not change that of the rest. */
export const isolateDirection = (name: string) => `\u2068${name}\u2069`

export const displayName = (name: string, instead: string | number, charactersMax = 200) =>
  truncate(trimWhitespace(name) || String(instead), charactersMax)

/** The beginning of a text, without blanks around it. */
export function truncate(text: string, charactersMax: number): string {
  const characters = [...trimWhitespace(text)]
  if (characters.length <= charactersMax) return characters.join("")
  return `${characters.slice(0, charactersMax).join("")}…`
}

type NamedLinkProps = Readonly<{ class?: "clamp"; href: string; name: string }>

/** The name may be of another script: its direction does not change that of the text around it. */
export const NamedLink = ({ name, ...attributes }: NamedLinkProps) => (
  <a {...attributes}>
    <bdi>{name}</bdi>
  </a>
)

export const Pill = ({
  tone,
  children,
}: {
  tone: "good" | "warning" | "danger" | "plain"
  children?: Child
}) => <span class={`pill ${tone}`}>{children}</span>

type FactProps = Readonly<{ name: string; class?: string; value?: Child; children?: Child }>

/** One of a list of facts: its name and its value. */
export const Fact = ({ name, value, children, ...attributes }: FactProps) => (
  <>
    <dt>{name}</dt>
    <dd {...attributes}>{value ?? children}</dd>
  </>
)

/** One of a row of facts. */
export const Stat = ({ label, children }: { label: string; children?: Child }) => (
  <div>
    <Fact name={label} value={children} />
  </div>
)

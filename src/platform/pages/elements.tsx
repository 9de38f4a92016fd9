/**
 * Dates, amounts and licenses in the language of the reader. Times are in UTC; the script converts them to
 * the zone of the reader.
 */
import type { Child } from "hono/jsx"
import type { Locale } from "../locale.ts"
import { currentLocale, t } from "../t.ts"
import { trimWhitespace } from "../text.ts"
import type { DayRange, Timestamp } from "../time.ts"
import { currentView } from "./context.ts"

/** Created once: a chart formats two hundred dates, and a formatter takes 0.3 ms to create. */
const createFormats = (locale: Locale) => ({
  day: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }),
  datetime: new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }),
  short: new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
  }),
})
const formats = { en: createFormats("en"), tr: createFormats("tr") }

export const formatDay = (at: Timestamp) => formats[currentLocale()].day.format(new Date(at))

/** `Nov 12, 2026 – Nov 18, 2026` */
export const formatDays = ({ from, to }: DayRange) =>
  [...new Set([from, to])].map((day) => formatDay(day)).join(" – ")

export const formatDateTime = (at: Timestamp) =>
  `${formats[currentLocale()].datetime.format(new Date(at))} UTC`

/** `Nov 18, 05:59`, or the date if it is in another year. Tables name the zone in their head. */
function formatShort(at: Timestamp): string {
  const isThisYear = at.slice(0, 4) === String(new Date().getUTCFullYear())
  return isThisYear ? formats[currentLocale()].short.format(new Date(at)) : formatDay(at)
}

const formatters = {
  day: formatDay,
  datetime: formatDateTime,
  ago: formatDateTime,
  short: formatShort,
}
type TimeForm = keyof typeof formatters

/** `form` is also for the script: a date, a date with time, a relative or a short time. */
export const Time = ({ at, form }: Readonly<{ at: Timestamp; form: TimeForm }>) => (
  <time datetime={at} data-form={form} title={`${at.replace("T", " ").replace("Z", "")} UTC`}>
    {formatters[form](at)}
  </time>
)

export const Day = ({
  at,
  form = "day",
}: Readonly<{ at: Timestamp | null; form?: "day" | "ago" }>) =>
  at === null ? <span>{t("Never")}</span> : <Time at={at} form={form} />

/** The script shows recent ones as "2 minutes ago". */
export const RelativeTime = ({ at }: Readonly<{ at: Timestamp | null }>) => (
  <Day at={at} form="ago" />
)

/** A day in UTC, which the script must not convert. */
export const UtcDay = ({ day }: Readonly<{ day: string }>) => (
  <time datetime={day}>{formatDay(day)}</time>
)

type SentenceProps = Readonly<{
  at: Timestamp
  form?: TimeForm
  sentence(when: string): string
}>

/** A NUL marks the position of the time: no stored text contains one. */
export const SentenceWithTime = ({ at, form = "datetime", sentence }: SentenceProps) => {
  const [before, after] = sentence("\0").split("\0")
  return (
    <>
      {before}
      <Time at={at} form={form} />
      {after}
    </>
  )
}

/** Kept: creating one takes longer than all else in a row of a table. */
const moneyFormats = new Map<string, Intl.NumberFormat>()

/** Not the narrow symbol, which is `$` for a dozen currencies. */
export function formatMoney(amount: number, currency: string): string {
  const locale = currentLocale()
  const name = `${locale} ${currency}`
  const format =
    moneyFormats.get(name) ?? new Intl.NumberFormat(locale, { style: "currency", currency })
  moneyFormats.set(name, format)
  return format.format(amount)
}

/** Any license name is allowed. The two that nearly every marketplace sells are translated. */
export const licenseLabel = (type: string): string =>
  type === "Regular" || type === "Extended" ? t(type) : type

/** Isolates the direction of a name in plain text, where `<bdi>` is not possible. */
export const isolateDirection = (name: string) => `\u2068${name}\u2069`

export const displayName = (name: string, fallback: string | number, charactersMax = 200) =>
  truncate(trimWhitespace(name) || String(fallback), charactersMax)

export function truncate(text: string, charactersMax: number): string {
  const characters = [...trimWhitespace(text)]
  if (characters.length <= charactersMax) return characters.join("")
  return `${characters.slice(0, charactersMax).join("")}…`
}

/** Isolates right-to-left names from the surrounding text. */
export const NamedLink = ({
  name,
  ...attributes
}: Readonly<{ class?: "clamp"; href: string; name: string }>) => (
  <a {...attributes}>
    <bdi>{name}</bdi>
  </a>
)

type PillProps = Readonly<{ tone: "good" | "warning" | "danger" | "plain"; children?: Child }>

export const Pill = ({ tone, children }: PillProps) => (
  <span class={`pill ${tone}`}>{children}</span>
)

type FactProps = Readonly<{ name: string; class?: string; value?: Child; children?: Child }>

export const Fact = ({ name, value, children, ...attributes }: FactProps) => (
  <>
    <dt>{name}</dt>
    <dd {...attributes}>{value ?? children}</dd>
  </>
)

export const Stat = ({
  label,
  ...shown
}: Readonly<{ label: string; value?: Child; children?: Child }>) => (
  <div>
    <Fact name={label} {...shown} />
  </div>
)

export const Panel = ({ id, title, children }: { id: string; title: string; children?: Child }) => (
  <section class="panel" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

type TilesProps = Readonly<{
  tiles: readonly Readonly<{ label: string; value: string; note: string; path?: string }>[]
}>

export const Tiles = ({ tiles }: TilesProps) => (
  <dl class="figures">
    {tiles.map(({ label, value, note, path }) => (
      <div>
        <dt>{label}</dt>
        <dd class="figure">{path === undefined ? value : <a href={path}>{value}</a>}</dd>
        <dd class="hint">{note}</dd>
      </div>
    ))}
  </dl>
)

type TabsProps = Readonly<{
  label: string
  tabs: readonly Readonly<{ path: string; text: Child; isCurrent: boolean }>[]
}>

export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav aria-label={label} class="tabs">
    <ul>
      {tabs.map(({ path, text, isCurrent }) => (
        <li>
          <a href={path} aria-current={isCurrent ? "page" : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

type QuietLinkProps = Readonly<{
  href: string
  rel?: string
  /** A confirmation, which opens over the page. */
  "data-dialog"?: boolean
  children?: Child
}>

export const ButtonLink = ({ href, children }: Pick<QuietLinkProps, "href" | "children">) => (
  <a class="button" href={href}>
    {children}
  </a>
)

export const QuietLink = ({ children, ...attributes }: QuietLinkProps) => (
  <a class="button quiet" {...attributes}>
    {children}
  </a>
)

/** Downloads the list above it. The attribute `download` would also save a sign-in or error page as a file. */
export const CsvLink = ({ path }: Readonly<{ path: string }>) => (
  <QuietLink href={path}>{t("CSV")}</QuietLink>
)

type CopyProps = Readonly<{ text: string; label?: string; isMain?: boolean }>

export const CopyButton = ({ text, label, isMain = false }: CopyProps) => (
  <button
    type="button"
    class={label ? "link" : isMain ? undefined : "quiet"}
    data-copy={text}
    hidden
  >
    {label ?? t("Copy")}
  </button>
)

export const Copyable = ({ text }: Readonly<{ text: string }>) => (
  <>
    <span class="mono">{text}</span>{" "}
    <button type="button" class="link" data-copy-before hidden>
      {t("Copy")}
    </button>
  </>
)

export const CopyableList = ({ texts }: Readonly<{ texts: readonly string[] }>) =>
  texts.map((text) => (
    <>
      <Copyable text={text} />{" "}
    </>
  ))

/** The JSON is indented; the script copies it without whitespace, as the API sends it. */
export const JsonBlock = ({ title, json }: { title: string; json: string }) => (
  <details class="json">
    <summary>{title}</summary>
    <button type="button" class="quiet" data-copy-json hidden>
      {t("Copy")}
    </button>
    <pre tabindex={0}>
      <code>{JSON.stringify(JSON.parse(json), null, 2)}</code>
    </pre>
  </details>
)

/** A link that is shown once. */
export type LinkOnce = Readonly<{ url: string; expiresAt: Timestamp }>

type LinkBoxProps = Readonly<{ link: LinkOnce; sentence: (when: string) => string }>

export const LinkBox = ({ link, sentence }: LinkBoxProps) => (
  <section class="panel">
    <p>
      <SentenceWithTime at={link.expiresAt} sentence={sentence} />
    </p>
    <div class="secret">
      <code>{link.url}</code>
      <CopyButton text={link.url} />
    </div>
  </section>
)

type FormProps = Readonly<{
  action?: string
  class?: string
  id?: string
  role?: "status"
  hidden?: boolean
  "data-submits"?: string | undefined
  children?: Child
}>

/** A form that changes something. It contains the token without which forms are rejected. */
export const PostForm = ({ children, ...attributes }: FormProps) => (
  <form method="post" {...attributes}>
    <input type="hidden" name="form_token" value={currentView().formToken} />
    {children}
  </form>
)

export const QuietButton = ({
  children,
  ...attributes
}: Readonly<{ formaction?: string; name?: string; value?: string; children?: Child }>) => (
  <button type="submit" class="quiet" {...attributes}>
    {children}
  </button>
)

export const searchUnitsMax = 200

/** Longer pasted texts are truncated; most messages are shorter. */
export const pastedUnitsMax = 10_000

type FieldProps = Readonly<{
  name: string
  label: string
  type?: "text" | "password" | "search"
  value?: string
  autocomplete?: string
  hint?: string | undefined
  error?: string | null | undefined
  maxlength?: number
  isRequired?: boolean
  isFocused?: boolean
  describedBy?: string | undefined
}>

/** The first field with an error has the focus. */
export const Field = ({ label, hint, error, describedBy = "", ...input }: FieldProps) => {
  const { name, type = "text", isRequired, isFocused, ...attributes } = input
  const hintId = hint === undefined ? "" : `${name}-hint`
  const errorId = error ? `${name}-error` : ""
  const described = [hintId, errorId, describedBy].filter((id) => id !== "")
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        {...attributes}
        required={isRequired}
        autofocus={error || isFocused ? true : undefined}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={described.join(" ") || undefined}
        spellcheck={false}
        autocapitalize="none"
      />
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  )
}

type ChoicesProps = Readonly<{
  name: string
  legend: string
  choices: readonly Readonly<{ value: string; label: Child; note?: string }>[]
  chosen: string
  hint?: string
}>

export const Choices = ({ name, legend, choices, chosen, hint }: ChoicesProps) => (
  <fieldset class="choices">
    <legend>{legend}</legend>
    {hint !== undefined && <p class="hint">{hint}</p>}
    {choices.map(({ value, label, note }) => (
      <label class="choice">
        <input type="radio" name={name} value={value} checked={value === chosen} />
        <span>
          {label}
          {note !== undefined && <span class="hint">{note}</span>}
        </span>
      </label>
    ))}
  </fieldset>
)

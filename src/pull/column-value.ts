/** A value of a column → a value of the member it is named after. */
import type { TimeZone } from "../domain/values/time/local-time.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"
import { isExactNumber } from "../feed/lines/parse-json-line.ts"
import type { RecordField } from "./record-fields.ts"
import { stripHtml } from "./strip-html.ts"

/** How a text becomes a list: as JSON, or split at this separator. */
export type ListFormat = "json" | Readonly<{ separator: string }>

export type ColumnFormat = Readonly<{
  /** Relative links are resolved against it; null leaves them as they are. */
  baseUrl: string | null
  hasHtml: boolean
  /** Where times without a zone are read; null leaves them as they are. */
  timeZone: TimeZone | null
  /** Null: a text that looks like a JSON list is one, any other is split at commas. */
  listFormat: ListFormat | null
}>

/** Undefined: the member is left out. A value that cannot be read is returned as it is, for the feed to refuse. */
export type ConvertValue = (value: unknown) => unknown

export function createValueConverter(member: RecordField, reading: ColumnFormat): ConvertValue {
  const { kind, isRequired } = member
  const clean = (text: string) =>
    reading.hasHtml && text.length <= htmlUnitsMax ? stripHtml(text) : text
  const readText = (value: unknown) =>
    isScalar(value) ? clean(String(value)).slice(0, textUnitsMax) : value
  const readLink = (value: unknown) =>
    typeof value === "string"
      ? resolveLink(clean(value), reading.baseUrl).slice(0, linkUnitsMax)
      : value
  const orEmpty = <T>(empty: T) => (isRequired ? empty : undefined)
  switch (kind) {
    case "text":
      return withoutNull(isName(member) ? (value) => readName(readText(value)) : readText)
    case "link":
      return withoutNull(readLink)
    case "number":
      return withoutNull(readNumber)
    case "flag":
      return withoutNull(readFlag)
    case "moment":
      return withoutNull((value) => readMoment(value, reading.timeZone))
    case "texts":
      return (value) => readList(value, reading.listFormat, readText) ?? orEmpty([])
    case "links":
      return (value) => readList(value, reading.listFormat, readLink) ?? orEmpty([])
    case "link map":
      return (value) => readMap(value, readLink) ?? orEmpty({})
  }
}

function withoutNull(read: ConvertValue): ConvertValue {
  return (value) => {
    const given = value instanceof Uint8Array ? decode(value) : value
    return given === null || given === undefined ? undefined : read(given)
  }
}

/**
 * Longer than any text or link of a record may be, so a text that was cut is still too long. A whole picture in a column
 * would make a line that is not read at all.
 */
const [textUnitsMax, linkUnitsMax] = [130_000, 17_000]

/**
 * Pictures inside HTML make it much longer than its text. Longer HTML is not stripped: it stays too long, and the feed
 * rejects it.
 */
const htmlUnitsMax = 32 * textUnitsMax

const names = ["username", "author", "was", "was_author", "purchase_code"]
const isName = ({ path: [first = ""] }: RecordField) => names.includes(first)

/**
 * SQLite, and PostgreSQL without an encoding, keep texts that are not UTF-8. Their drivers replace what they cannot read,
 * so that two names can become the same. Such names become objects, which the feed refuses.
 */
const readName = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\uFFFD") ? { unreadable: value } : value

const isScalar = (value: unknown) =>
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "bigint" ||
  typeof value === "boolean"

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text in a binary column. Bytes that are not UTF-8 become an object, which the feed refuses. */
function decode(bytes: Uint8Array): unknown {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return { base64: Buffer.from(bytes).toString("base64") }
  }
}

const decimal = /^[+-]?\d+(?:\.\d+)?$/

/** A number with more digits than a double holds stays a text, which the feed refuses. */
function readNumber(value: unknown): unknown {
  const text = typeof value === "string" ? value.trim() : String(value)
  if (typeof value === "number" || !decimal.test(text)) return value
  return isExactNumber(text) ? Number(text) : text
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...["1", "true", "t", "yes", "y"].map((text) => [text, true] as const),
  // The one bit of a BIT column, as text.
  ["\u0001", true],
  ...["0", "false", "f", "no", "n"].map((text) => [text, false] as const),
  ["\0", false],
])

function readFlag(value: unknown): unknown {
  return isScalar(value) ? (flags.get(String(value).toLowerCase()) ?? value) : value
}

/** 1973 to 5138 in seconds. A date as a number, such as 20240427, is below it. */
const unixSeconds = /^\d{9,11}$/

/** 0 is how shops with Unix time write "never". */
function readMoment(value: unknown, timeZone: TimeZone | null): unknown {
  if (!isScalar(value)) return value
  const text = String(value).trim()
  if (text === "0") return undefined
  if (unixSeconds.test(text)) return formatTimestamp(new Date(Number(text) * 1000))
  return timeZone?.toTimestamp(text) ?? text
}

/** A link with a scheme stays as it is, whatever the scheme: the feed judges it. */
const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

function resolveLink(text: string, baseUrl: string | null): string {
  const link = text.trim()
  if (link === "" || baseUrl === null || hasScheme.test(link)) return link
  return URL.parse(link, baseUrl)?.href ?? link
}

/** Undefined for a list without entries. */
function readList(value: unknown, form: ListFormat | null, readEntry: ConvertValue): unknown {
  const given = value instanceof Uint8Array ? decode(value) : value
  const list = typeof given === "string" ? splitList(given.trim(), form) : given
  if (list === null || list === undefined) return undefined
  if (!Array.isArray(list)) return list
  const entries = list.map(readEntry).filter((entry) => entry !== "" && entry !== null)
  return entries.length === 0 ? undefined : entries
}

function splitList(text: string, form: ListFormat | null): unknown {
  if (text === "") return []
  const looksLikeJson = text.startsWith("[") && text.endsWith("]")
  if (form === "json" || (form === null && looksLikeJson)) return parseJson(text)
  const separator = form === null ? "," : form.separator
  return text.split(separator).map((entry) => entry.trim())
}

/** `{"x":"https://x.com/ada"}`; an empty list is how PHP writes an empty object. */
function readMap(value: unknown, readEntry: ConvertValue): unknown {
  const given = value instanceof Uint8Array ? decode(value) : value
  const map = typeof given === "string" && given.trim() !== "" ? parseJson(given) : given
  if (map === null || map === undefined || map === "") return undefined
  if (Array.isArray(map) && map.length === 0) return undefined
  if (typeof map !== "object" || Array.isArray(map)) return map
  const entries = Object.entries(map)
    .map(([name, entry]) => [name, readEntry(entry)] as const)
    .filter(([, entry]) => entry !== "" && entry !== null)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** A text that is no JSON stays a text, which the feed refuses. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import { isExactNumber } from "../feed/lines.ts"
import { isObject } from "../platform/schema.ts"
import { formatTimestamp, type TimeZone } from "../platform/time.ts"
import type { RecordField } from "./record-fields.ts"
import { stripHtml } from "./strip-html.ts"

/** How values are converted. `html` and `lists` contain fields with their type, such as `item.tags`. */
export type FieldFormats = Readonly<{
  /** Base of relative links; null leaves them unchanged. */
  baseUrl: string | null
  html: ReadonlySet<string>
  /** `json` or the separator of a list. By default, only a text in square brackets is JSON, and "," separates. */
  lists: ReadonlyMap<string, string>
}>

/** Null leaves timestamps without a zone unchanged. */
export type ZonedFieldFormats = FieldFormats & Readonly<{ timeZone: TimeZone | null }>

type ConvertValue = (value: unknown) => unknown

/** Returns undefined to omit the field. Returns an invalid value unchanged, so that the import rejects it. */
export function createValueConverter(
  column: string,
  field: RecordField,
  { baseUrl, html, lists, timeZone }: ZonedFieldFormats,
): ConvertValue {
  const clean = (text: string) =>
    html.has(column) && text.length <= htmlUnitsMax ? stripHtml(text) : text
  const readText = (value: unknown) =>
    isScalar(value) ? clean(String(value)).slice(0, textUnitsMax) : value
  const readLink = (value: unknown) =>
    typeof value === "string" ? resolveLink(clean(value), baseUrl).slice(0, linkUnitsMax) : value
  const listFormat = lists.get(column)
  const readers: Readonly<Record<RecordField["kind"], ConvertValue>> = {
    text: isName(field) ? (value) => readName(readText(value)) : readText,
    link: readLink,
    number: readNumber,
    flag: readFlag,
    timestamp: (value) => readTimestamp(value, timeZone),
    texts: (value) => readList(value, listFormat, readText),
    links: (value) => readList(value, listFormat, readLink),
    "link map": (value) => readMap(value, readLink),
  }
  const read = readers[field.kind]
  const isList = field.kind === "texts" || field.kind === "links"
  const empty = isList ? [] : field.kind === "link map" ? {} : undefined
  const absent = field.isRequired ? empty : undefined
  return (value) => {
    const decoded = value instanceof Uint8Array ? decode(value) : value
    return (decoded === null || decoded === undefined ? undefined : read(decoded)) ?? absent
  }
}

/** Longer than any valid text or link, so that a truncated value is still rejected. */
const [textUnitsMax, linkUnitsMax] = [130_000, 17_000]

/** Inline pictures make HTML much longer than its text. Longer HTML is not stripped, so that the import rejects it. */
const htmlUnitsMax = 32 * textUnitsMax

const names = ["username", "author", "was", "was_author", "purchase_code"]
const isName = ({ path: [first = ""] }: RecordField) => names.includes(first)

/** Drivers replace bytes that are not UTF-8, so two names can become equal. The import rejects the object instead. */
const readName = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\uFFFD") ? { unreadable: value } : value

const isScalar = (value: unknown) =>
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "bigint" ||
  typeof value === "boolean"

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Decodes a binary column. Bytes that are not UTF-8 become an object, which the import rejects. */
function decode(bytes: Uint8Array): unknown {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return { base64: Buffer.from(bytes).toString("base64") }
  }
}

const decimal = /^[+-]?\d+(?:\.\d+)?$/

/** A number with too many digits stays a text, which the import rejects. */
function readNumber(value: unknown): unknown {
  const text = typeof value === "string" ? value.trim() : String(value)
  if (typeof value === "number" || !decimal.test(text)) return value
  return isExactNumber(text) ? Number(text) : text
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...["1", "true", "t", "yes", "y"].map((text) => [text, true] as const),
  // The value of a BIT(1) column as text.
  ["\u0001", true],
  ...["0", "false", "f", "no", "n"].map((text) => [text, false] as const),
  ["\0", false],
])

function readFlag(value: unknown): unknown {
  return isScalar(value) ? (flags.get(String(value).toLowerCase()) ?? value) : value
}

/** Unix time from 1973 to 5138. A date written as a number, such as 20240427, has fewer digits. */
const unixSeconds = /^\d{9,11}$/

/** In shops with Unix time, 0 means "never". */
function readTimestamp(value: unknown, timeZone: TimeZone | null): unknown {
  if (!isScalar(value)) return value
  const text = String(value).trim()
  if (text === "0") return undefined
  if (unixSeconds.test(text)) return formatTimestamp(new Date(Number(text) * 1000))
  return timeZone?.toTimestamp(text) ?? text
}

/** A link with any scheme stays unchanged; the import validates it. */
const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

function resolveLink(text: string, baseUrl: string | null): string {
  const link = text.trim()
  if (link === "" || baseUrl === null || hasScheme.test(link)) return link
  return URL.parse(link, baseUrl)?.href ?? link
}

function readList(value: unknown, format: string | undefined, readEntry: ConvertValue): unknown {
  const list = typeof value === "string" ? splitList(value.trim(), format) : value
  if (!Array.isArray(list)) return list
  const entries = list.map(readEntry).filter((entry) => entry !== "" && entry !== null)
  return entries.length === 0 ? undefined : entries
}

function splitList(text: string, format: string | undefined): unknown {
  if (text === "") return []
  const looksLikeJson = text.startsWith("[") && text.endsWith("]")
  if (format === "json" || (format === undefined && looksLikeJson)) return parseJson(text)
  return text.split(format ?? ",").map((entry) => entry.trim())
}

/** `{"x":"https://x.com/ada"}`. PHP writes an empty object as an empty list. */
function readMap(value: unknown, readEntry: ConvertValue): unknown {
  const map = typeof value === "string" && value.trim() !== "" ? parseJson(value) : value
  if (map === "" || (Array.isArray(map) && map.length === 0)) return undefined
  if (!isObject(map)) return map
  const entries = Object.entries(map)
    .map(([name, entry]) => [name, readEntry(entry)] as const)
    .filter(([, entry]) => entry !== "" && entry !== null)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Text that is not JSON stays unchanged, and the import rejects it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

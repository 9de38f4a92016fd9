import { accountLineFields, itemLineFields, purchaseLineFields } from "../feed/feed-record.ts"
import { isExactNumber } from "../feed/normalize-record.ts"
import { isObject, type JsonSchema, type Schemas, timestamp, url } from "../platform/schema.ts"
import { formatTimestamp, type TimeZone } from "../platform/time.ts"
import { stripHtml } from "./strip-html.ts"

export type Row = readonly unknown[]
export type PulledRecord = Record<string, unknown>

export type RecordType = "account" | "item" | "purchase"

/** `links` and `texts` are lists, `link map` is an object of links by name. */
type FieldKind = "text" | "link" | "number" | "flag" | "timestamp" | "texts" | "links" | "link map"

/** `isRequired` refers to the object that contains the field. */
export type RecordField = Readonly<{
  path: readonly string[]
  kind: FieldKind
  isRequired: boolean
}>

const schemas: Readonly<Record<RecordType, Schemas>> = {
  account: accountLineFields,
  item: itemLineFields,
  purchase: purchaseLineFields,
}

/** Returns null for an unknown field, and for an object, whose fields need a column each. */
export function findRecordField(type: RecordType, name: string): RecordField | null {
  const [first = "", ...rest] = name.split(".")
  const schema = Object.hasOwn(schemas[type], first) ? schemas[type][first] : undefined
  if (first === "type" || schema === undefined) return null
  const found = findIn(schema.jsonSchema, rest, !schema.isOptional)
  return found === null ? null : { ...found, path: [first, ...found.path] }
}

function findIn(
  schema: JsonSchema,
  path: readonly string[],
  isRequired: boolean,
): RecordField | null {
  const [first, ...rest] = path
  if (first === undefined) {
    const kind = findKind(schema)
    return kind === null ? null : { path: [], kind, isRequired }
  }
  for (const { properties, required, additionalProperties } of listAlternatives(schema)) {
    if (isSchema(additionalProperties)) {
      // A key of a map may contain dots.
      const kind = findKind(additionalProperties)
      return kind === null ? null : { path: [path.join(".")], kind, isRequired: false }
    }
    if (!isSchema(properties) || !Object.hasOwn(properties, first)) continue
    const property = properties[first]
    const isNeeded = Array.isArray(required) && required.includes(first)
    const found = isSchema(property) ? findIn(property, rest, isNeeded) : null
    return found === null ? null : { ...found, path: [first, ...found.path] }
  }
  return null
}

const uncommon: ReadonlySet<string> = new Set([
  ...["type", "patch", "deleted", "as_of", "was", "was_author", "api_key"],
  ...["suspended_by_operator", "revoked_by_operator"],
  ...["download_url", "valid_until", "site_limit"],
])

/** The fields that most shops have, as names of columns. */
export const listCommonFields = (type: RecordType): readonly string[] =>
  Object.entries(schemas[type]).flatMap(([name, { jsonSchema }]) =>
    uncommon.has(name) ? [] : listLeaves(jsonSchema, name),
  )

function listLeaves(schema: JsonSchema, name: string): readonly string[] {
  const inner = listAlternatives(schema).flatMap(({ properties }) =>
    isSchema(properties) ? Object.entries(properties) : [],
  )
  if (inner.length === 0) return [name]
  const leaves = inner.flatMap(([property, found]) =>
    isSchema(found) ? listLeaves(found, `${name}.${property}`) : [],
  )
  return [...new Set(leaves)]
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null

const listAlternatives = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema.oneOf) ? schema.oneOf : [schema]

function findKind(schema: JsonSchema): FieldKind | null {
  const { type, items, additionalProperties } = schema
  if (type === "number" || type === "integer") return "number"
  if (type === "boolean") return "flag"
  if (type === "array" && isSchema(items)) return findKind(items) === "link" ? "links" : "texts"
  if (type === "object") return isSchema(additionalProperties) ? "link map" : null
  if (type !== "string") return null
  if (schema.pattern === url.jsonSchema.pattern) return "link"
  return schema.format === timestamp.jsonSchema.format ? "timestamp" : "text"
}

const identities: Readonly<Record<RecordType, string>> = {
  account: "username",
  item: "id",
  purchase: "purchase_code",
}

export function checkColumns(type: RecordType, columns: readonly string[]): readonly string[] {
  const article = type === "purchase" ? "a" : "an"
  const unknown = columns.filter((name) => findRecordField(type, name) === null)
  const duplicates = columns.filter((name, at) => columns.indexOf(name) !== at)
  const parents = columns.filter((name) => columns.some((other) => other.startsWith(`${name}.`)))
  const identity = identities[type]
  return [
    ...unknown.map(
      (name) =>
        `column ${name} is not a field of ${article} ${type}; docs/shop-data.md lists the fields`,
    ),
    ...new Set(duplicates.map((name) => `duplicate column ${name}`)),
    ...parents.map((name) => `column ${name} conflicts with a column of its fields; remove one`),
    ...(columns.includes(identity) ? [] : [`missing column ${identity}`]),
  ]
}

export const listMissingFields = (
  type: RecordType,
  columns: readonly string[],
): readonly string[] =>
  listCommonFields(type).filter(
    (name) => !columns.some((column) => column === name || column.startsWith(`${name}.`)),
  )

/** The columns must have passed `checkColumns`. */
export function createRowReader(
  type: RecordType,
  columns: readonly string[],
  formats: FieldFormats,
): (row: Row) => PulledRecord {
  const maps: (readonly string[])[] = []
  const readers = columns.map((name) => {
    const field = findRecordField(type, name)
    if (field === null) throw new Error(`column ${name} was not checked`)
    const parent = field.path.slice(0, -1)
    // A record without entries of a map, such as social links, gets an empty object.
    const isInMap =
      parent.length > 0 && findRecordField(type, parent.join("."))?.kind === "link map"
    if (isInMap) maps.push(parent)
    return { path: field.path, read: createValueConverter(`${type}.${name}`, field, formats) }
  })
  // A deletion must not have other fields, but every row has all columns.
  const keptIfDeleted = ["type", identities[type], "deleted", "as_of"]
  return (row) => {
    const record: PulledRecord = { type }
    for (const path of maps) put(record, path, {})
    for (const [at, { path, read }] of readers.entries()) {
      const value = read(row[at])
      if (value !== undefined) put(record, path, value)
    }
    return record.deleted === true
      ? Object.fromEntries(Object.entries(record).filter(([name]) => keptIfDeleted.includes(name)))
      : record
  }
}

function put(record: PulledRecord, path: readonly string[], value: unknown): void {
  const last = path.length - 1
  let parent = record
  for (let depth = 0; depth < last; depth += 1) {
    const name = path[depth] ?? ""
    parent[name] ??= {}
    // Only this function sets nested fields, always within objects.
    parent = parent[name] as PulledRecord
  }
  const name = path[last] ?? ""
  if (name === "__proto__") Object.defineProperty(parent, name, { value, enumerable: true })
  else parent[name] = value
}

/** How values are converted. `html` and `lists` contain fields with their type, such as `item.tags`. */
export type FieldFormats = Readonly<{
  /** Base of relative links; null leaves them unchanged. */
  baseUrl: string | null
  html: ReadonlySet<string>
  /** `json` or the separator of a list. By default, only a text in square brackets is JSON, and "," separates. */
  lists: ReadonlyMap<string, string>
  /** Null leaves timestamps without a zone unchanged. */
  timeZone: TimeZone | null
}>

/** Returns undefined to omit the field. Returns an invalid value unchanged, so that the import rejects it. */
function createValueConverter(
  column: string,
  { path: [first = ""], kind, isRequired }: RecordField,
  { baseUrl, html, lists, timeZone }: FieldFormats,
): (value: unknown) => unknown {
  const listFormat = lists.get(column)
  const isName = names.includes(first)
  const clean = (text: string) =>
    html.has(column) && text.length <= htmlUnitsMax ? stripHtml(text) : text
  const readText = (value: unknown) =>
    isScalar(value) ? clean(String(value)).slice(0, textUnitsMax) : value
  const readLink = (value: unknown) =>
    typeof value === "string" ? resolveLink(clean(value), baseUrl).slice(0, linkUnitsMax) : value
  function read(value: unknown): unknown {
    if (kind === "text") {
      const text = readText(value)
      // Drivers replace bytes that are not UTF-8, so two names can become equal. The import rejects the object instead.
      const isReplaced = isName && typeof text === "string" && text.includes("\uFFFD")
      return isReplaced ? { unreadable: text } : text
    }
    if (kind === "link") return readLink(value)
    if (kind === "number") return readNumber(value)
    if (kind === "flag")
      return isScalar(value) ? (flags.get(String(value).toLowerCase()) ?? value) : value
    if (kind === "timestamp") return readTimestamp(value, timeZone)
    if (kind === "link map") return readMap(value, readLink)
    return readList(value, listFormat, kind === "links" ? readLink : readText)
  }
  const isList = kind === "texts" || kind === "links"
  const empty = isList ? [] : kind === "link map" ? {} : undefined
  const absent = isRequired ? empty : undefined
  return (value) => {
    const decoded = value instanceof Uint8Array ? decodeBinary(value) : value
    return (decoded === null || decoded === undefined ? undefined : read(decoded)) ?? absent
  }
}

/** Longer than any valid text or link, so that a truncated value is still rejected. */
const [textUnitsMax, linkUnitsMax] = [130_000, 17_000]

/** Inline pictures make HTML much longer than its text. Longer HTML is not stripped, so that the import rejects it. */
const htmlUnitsMax = 32 * textUnitsMax

const names = ["username", "author", "was", "was_author", "purchase_code"]
const isScalar = (value: unknown) =>
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "bigint" ||
  typeof value === "boolean"

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Decodes a binary column. Bytes that are not UTF-8 become an object, which the import rejects. */
function decodeBinary(bytes: Uint8Array): unknown {
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

function readList(
  value: unknown,
  format: string | undefined,
  readEntry: (value: unknown) => unknown,
): unknown {
  const list = typeof value === "string" ? splitList(value.trim(), format) : value
  if (!Array.isArray(list)) return list
  const entries = list.map(readEntry).filter((entry) => entry !== "" && entry !== null)
  return entries.length === 0 ? undefined : entries
}

function splitList(text: string, format: string | undefined): unknown {
  if (text === "") return []
  const looksLikeJson = text.startsWith("[") && text.endsWith("]")
  if (format === "json" || (format === undefined && looksLikeJson)) return parseJsonText(text)
  return text.split(format ?? ",").map((entry) => entry.trim())
}

/** `{"x":"https://x.com/ada"}`. PHP writes an empty object as an empty list. */
function readMap(value: unknown, readEntry: (value: unknown) => unknown): unknown {
  const map = typeof value === "string" && value.trim() !== "" ? parseJsonText(value) : value
  if (map === "" || (Array.isArray(map) && map.length === 0)) return undefined
  if (!isObject(map)) return map
  const entries = Object.entries(map)
    .map(([name, entry]) => [name, readEntry(entry)] as const)
    .filter(([, entry]) => entry !== "" && entry !== null)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Text that is not JSON stays unchanged, and the import rejects it. */
function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

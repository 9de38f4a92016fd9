import { type JsonSchema, type Schemas, timestamp, url } from "../domain/values/schema.ts"
import type { TimeZone } from "../domain/values/time/local-time.ts"
import {
  accountLineFields,
  itemLineFields,
  purchaseLineFields,
} from "../feed/records/feed-record.ts"
import { type ColumnFormat, createValueConverter, type ListFormat } from "./column-value.ts"

export type Row = readonly unknown[]
export type PulledRecord = Record<string, unknown>

/** How values are converted. `html` and `lists` contain names of fields. */
export type FieldFormats = Readonly<{
  baseUrl: string | null
  html: ReadonlySet<string>
  lists: ReadonlyMap<string, ListFormat>
}>

export type ZonedFieldFormats = FieldFormats & Readonly<{ timeZone: TimeZone | null }>

const identities: Readonly<Record<RecordType, string>> = {
  account: "username",
  item: "id",
  purchase: "purchase_code",
}

export function checkColumns(type: RecordType, columns: readonly string[]): readonly string[] {
  const unknown = columns.filter((name) => findRecordField(type, name) === null)
  const duplicates = columns.filter((name, at) => columns.indexOf(name) !== at)
  const parents = columns.filter((name) => columns.some((other) => other.startsWith(`${name}.`)))
  const identity = identities[type]
  return [
    ...unknown.map((name) => explainUnknown(type, name)),
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

function explainUnknown(type: RecordType, name: string): string {
  const article = type === "purchase" ? "a" : "an"
  return `column ${name} is not a field of ${article} ${type}; docs/shop-data.md lists the fields`
}

/** The columns must have passed `checkColumns`. */
export function createRowReader(
  type: RecordType,
  columns: readonly string[],
  formats: ZonedFieldFormats,
): (row: Row) => PulledRecord {
  const readers = columns.map((name) => {
    const field = requireField(type, name)
    return { path: field.path, read: createValueConverter(field, formatOf(name, formats)) }
  })
  // A record without entries of a map, such as social links, gets an empty object.
  const maps = columns.flatMap((name) => mapOf(type, name))
  return (row) => {
    const record: PulledRecord = { type }
    for (const path of maps) put(record, path, {})
    for (const [at, { path, read }] of readers.entries()) {
      const value = read(row[at])
      if (value !== undefined) put(record, path, value)
    }
    return record.deleted === true ? onlyIdentity(type, record) : record
  }
}

/** A deletion must not have other fields, but every row has all columns. */
function onlyIdentity(type: RecordType, record: PulledRecord): PulledRecord {
  const allowed = ["type", identities[type], "deleted", "as_of"]
  return Object.fromEntries(Object.entries(record).filter(([name]) => allowed.includes(name)))
}

function requireField(type: RecordType, name: string): RecordField {
  const field = findRecordField(type, name)
  if (field === null) throw new Error(`column ${name} was not checked`)
  return field
}

const formatOf = (name: string, formats: ZonedFieldFormats): ColumnFormat => ({
  baseUrl: formats.baseUrl,
  timeZone: formats.timeZone,
  hasHtml: formats.html.has(name),
  listFormat: formats.lists.get(name) ?? null,
})

function mapOf(type: RecordType, name: string): readonly (readonly string[])[] {
  const path = requireField(type, name).path.slice(0, -1)
  const parent = path.length === 0 ? null : findRecordField(type, path.join("."))
  return parent?.kind === "link map" ? [path] : []
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

export type RecordType = "account" | "item" | "purchase"

/** `links` and `texts` are lists, `link map` is an object of links by name. */
type FieldKind = "text" | "link" | "number" | "flag" | "timestamp" | "texts" | "links" | "link map"

/** `isRequired` refers to the object that contains the field. */
export type RecordField = Readonly<{
  path: readonly string[]
  kind: FieldKind
  isRequired: boolean
}>

const schemasOf: Readonly<Record<RecordType, Schemas>> = {
  account: accountLineFields,
  item: itemLineFields,
  purchase: purchaseLineFields,
}

/** Returns null for an unknown field, and for an object, whose fields need a column each. */
export function findRecordField(type: RecordType, name: string): RecordField | null {
  const [first = "", ...rest] = name.split(".")
  const schema = Object.hasOwn(schemasOf[type], first) ? schemasOf[type][first] : undefined
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
    const kind = kindOf(schema)
    return kind === null ? null : { path: [], kind, isRequired }
  }
  for (const alternative of alternativesOf(schema)) {
    const { properties, required, additionalProperties } = alternative
    if (isSchema(additionalProperties)) {
      // A key of a map may contain dots.
      const kind = kindOf(additionalProperties)
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
  Object.entries(schemasOf[type]).flatMap(([name, { jsonSchema: schema }]) =>
    uncommon.has(name) ? [] : listLeaves(schema, name),
  )

function listLeaves(schema: JsonSchema, name: string): readonly string[] {
  const inner = alternativesOf(schema).flatMap(({ properties }) =>
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

function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(schema.oneOf) ? schema.oneOf : [schema]
}

function kindOf(schema: JsonSchema): FieldKind | null {
  const { type, items, additionalProperties } = schema
  if (type === "number" || type === "integer") return "number"
  if (type === "boolean") return "flag"
  if (type === "array" && isSchema(items)) return kindOf(items) === "link" ? "links" : "texts"
  if (type === "object") return isSchema(additionalProperties) ? "link map" : null
  if (type !== "string") return null
  if (schema.pattern === url.jsonSchema.pattern) return "link"
  return schema.format === timestamp.jsonSchema.format ? "timestamp" : "text"
}

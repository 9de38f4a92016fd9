/** The columns of a SELECT, and its rows → records. */
import type { TimeZone } from "../domain/values/time/local-time.ts"
import {
  type ColumnFormat,
  type ConvertValue,
  createValueConverter,
  type ListFormat,
} from "./column-value.ts"
import {
  findRecordField,
  listCommonFields,
  type RecordField,
  type RecordType,
} from "./record-fields.ts"

export type Row = readonly unknown[]
export type PulledRecord = Record<string, unknown>

/** How the values of the members are read, by their names in the record. */
export type FieldFormats = Readonly<{
  baseUrl: string | null
  html: ReadonlySet<string>
  lists: ReadonlyMap<string, ListFormat>
}>

/** Readings, and where times without a zone are read. */
export type ZonedFieldFormats = FieldFormats & Readonly<{ timeZone: TimeZone | null }>

const identities: Readonly<Record<RecordType, string>> = {
  account: "username",
  item: "id",
  purchase: "purchase_code",
}

/** Every problem of the columns; none when each is a member and the identity is among them. */
export function checkColumns(type: RecordType, columns: readonly string[]): readonly string[] {
  const unknown = columns.filter((name) => findRecordField(type, name) === null)
  const repeated = columns.filter((name, at) => columns.indexOf(name) !== at)
  const holders = columns.filter((name) => columns.some((other) => other.startsWith(`${name}.`)))
  const identity = identities[type]
  return [
    ...unknown.map((name) => explainUnknown(type, name)),
    ...new Set(repeated.map((name) => `column ${name} is given twice`)),
    ...holders.map((name) => `column ${name} and a column of its members cannot both be given`),
    ...(columns.includes(identity) ? [] : [`there is no column ${identity}`]),
  ]
}

/** The usual members that no column brings: forgotten, or nothing that this shop has. */
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

type ColumnReader = Readonly<{ path: readonly string[]; read: ConvertValue }>

/** The columns must have passed `checkColumns`. */
export function createRowReader(
  type: RecordType,
  columns: readonly string[],
  readings: ZonedFieldFormats,
): (row: Row) => PulledRecord {
  const readers = columns.map((name): ColumnReader => {
    const member = requireMember(type, name)
    return { path: member.path, read: createValueConverter(member, readingOf(name, readings)) }
  })
  /** An account whose networks are all empty has an empty object. */
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

/** A deletion has no other members, but the SELECT has the columns of all rows. */
function onlyIdentity(type: RecordType, record: PulledRecord): PulledRecord {
  const kept = ["type", identities[type], "deleted", "as_of"]
  return Object.fromEntries(Object.entries(record).filter(([name]) => kept.includes(name)))
}

function requireMember(type: RecordType, name: string): RecordField {
  const member = findRecordField(type, name)
  if (member === null) throw new Error(`the column ${name} was not checked`)
  return member
}

const readingOf = (name: string, readings: ZonedFieldFormats): ColumnFormat => ({
  baseUrl: readings.baseUrl,
  timeZone: readings.timeZone,
  hasHtml: readings.html.has(name),
  listFormat: readings.lists.get(name) ?? null,
})

function mapOf(type: RecordType, name: string): readonly (readonly string[])[] {
  const path = requireMember(type, name).path.slice(0, -1)
  const holder = path.length === 0 ? null : findRecordField(type, path.join("."))
  return holder?.kind === "link map" ? [path] : []
}

function put(record: PulledRecord, path: readonly string[], value: unknown): void {
  const last = path.length - 1
  let holder = record
  for (let depth = 0; depth < last; depth += 1) {
    const name = path[depth] ?? ""
    holder[name] ??= {}
    // Only this function sets members that have members of their own, and as objects.
    holder = holder[name] as PulledRecord
  }
  const name = path[last] ?? ""
  if (name === "__proto__") Object.defineProperty(holder, name, { value, enumerable: true })
  else holder[name] = value
}

import { createValueConverter, type ZonedFieldFormats } from "./column-value.ts"
import {
  findRecordField,
  listCommonFields,
  type RecordField,
  type RecordType,
} from "./record-fields.ts"

export type Row = readonly unknown[]
export type PulledRecord = Record<string, unknown>

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
    return { path: field.path, read: createValueConverter(`${type}.${name}`, field, formats) }
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

/** The members of each record that a column can be named after, read from the contract's shapes. */
import { type JsonSchema, type Schema, timestamp, url } from "../domain/values/schema.ts"
import {
  accountLineFields,
  itemLineFields,
  purchaseLineFields,
} from "../feed/records/feed-record.ts"

export type RecordType = "account" | "item" | "purchase"

/** `links` and `texts` are lists, `link map` is an object of links by name. */
type FieldKind = "text" | "link" | "number" | "flag" | "moment" | "texts" | "links" | "link map"

/** `isRequired`: within the object that holds it. */
export type RecordField = Readonly<{
  path: readonly string[]
  kind: FieldKind
  isRequired: boolean
}>

type Schemas = Readonly<Record<string, Schema<unknown>>>

const shapesOf: Readonly<Record<RecordType, Schemas>> = {
  account: accountLineFields,
  item: itemLineFields,
  purchase: purchaseLineFields,
}

/** Null when there is no such member, or when it is an object whose members are named one by one. */
export function findRecordField(type: RecordType, name: string): RecordField | null {
  const [first = "", ...rest] = name.split(".")
  const shape = Object.hasOwn(shapesOf[type], first) ? shapesOf[type][first] : undefined
  if (first === "type" || shape === undefined) return null
  const found = findIn(shape.jsonSchema, rest, !shape.isOptional)
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
      // A name of a map may contain dots.
      const kind = kindOf(additionalProperties)
      return kind === null ? null : { path: [path.join(".")], kind, isRequired: false }
    }
    if (!isSchema(properties) || !Object.hasOwn(properties, first)) continue
    const member = properties[first]
    const isNeeded = Array.isArray(required) && required.includes(first)
    const found = isSchema(member) ? findIn(member, rest, isNeeded) : null
    return found === null ? null : { ...found, path: [first, ...found.path] }
  }
  return null
}

/** Members that most shops leave out: earlier names, the time of the read, and those that only Pazar writes. */
const unusual: ReadonlySet<string> = new Set([
  ...["type", "patch", "deleted", "as_of", "was", "was_author", "api_key"],
  ...["suspended_by_operator", "revoked_by_operator"],
])

/** The members that most shops have, by their names as columns. */
export const listCommonFields = (type: RecordType): readonly string[] =>
  Object.entries(shapesOf[type]).flatMap(([name, { jsonSchema: schema }]) =>
    unusual.has(name) ? [] : listLeaves(schema, name),
  )

function listLeaves(schema: JsonSchema, name: string): readonly string[] {
  const inner = alternativesOf(schema).flatMap(({ properties }) =>
    isSchema(properties) ? Object.entries(properties) : [],
  )
  if (inner.length === 0) return [name]
  const leaves = inner.flatMap(([member, found]) =>
    isSchema(found) ? listLeaves(found, `${name}.${member}`) : [],
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
  return schema.format === timestamp.jsonSchema.format ? "moment" : "text"
}

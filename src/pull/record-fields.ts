/** The fields of each record that a column can be named after, derived from the schemas of the feed. */

import { accountLineFields, itemLineFields, purchaseLineFields } from "../feed/parse-record.ts"
import { type JsonSchema, type Schemas, timestamp, url } from "../platform/schema.ts"

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

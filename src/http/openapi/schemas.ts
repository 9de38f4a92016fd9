/** The contract's nouns as JSON Schema, made of the shapes that judge the feed. */
import { accountMembers } from "../../domain/catalogue/account.ts"
import { itemMembers } from "../../domain/catalogue/item.ts"
import { purchaseMembers } from "../../domain/catalogue/purchase.ts"
import { createShape, type JsonSchema, record } from "../../domain/values/shape.ts"

type Noun = "Account" | "Item" | "Purchase"

export const refer = (noun: Noun): JsonSchema => ({ $ref: `#/components/schemas/${noun}` })

const item = createShape(refer("Item"), (value) => value)

export const nouns: Readonly<Record<Noun, JsonSchema>> = {
  Account: record(accountMembers).schema,
  Item: record(itemMembers).schema,
  Purchase: record({ ...purchaseMembers, item }).schema,
}

export const integer: JsonSchema = {
  type: "integer",
  format: "int64",
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}

/** The same schema with what each of its members means, by its path, as in `media.thumbnail`. */
export function describeMembers(
  schema: JsonSchema,
  meanings: Readonly<Record<string, string>>,
  path = "",
): JsonSchema {
  const { properties, oneOf, ...rest } = schema
  const described: Record<string, unknown> = rest
  if (Array.isArray(oneOf))
    described.oneOf = oneOf.map((variant) => describeMembers(variant, meanings, path))
  // Shapes of records have schemas as their properties.
  if (properties !== undefined)
    described.properties = Object.fromEntries(
      Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, member]) => {
        const description = meanings[path + name]
        const inner = describeMembers(member, meanings, `${path}${name}.`)
        return [name, description === undefined ? inner : { ...inner, description }]
      }),
    )
  return described
}

/** An object with exactly these members. */
export const exactly = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** One of these values, each listed once. */
export const oneOf = (values: readonly unknown[]): JsonSchema => ({ enum: [...new Set(values)] })

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

/** An object with exactly these members. */
export const exactly = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** One of these values, each listed once. */
export const oneOf = (values: readonly unknown[]): JsonSchema => ({ enum: [...new Set(values)] })

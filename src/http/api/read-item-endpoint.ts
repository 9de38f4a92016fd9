import type { Item } from "../../domain/catalog/item.ts"
import { DomainError } from "../../domain/values/error.ts"
import { readItem } from "../../operations/catalog/item-operations.ts"
import { textParameter } from "./request/parameters.ts"
import { type Endpoint, readDefaults } from "./response/endpoint.ts"
import { hashBody } from "./response/entity-tag.ts"

export const readItemEndpoint: Endpoint<number, Item> = {
  ...readDefaults,
  perform: readItem,
  operation: "read_item",
  path: "/api/items/item",
  parameters: (request) => parseItemId(textParameter(request, "item_id")),
  contentVersion: hashBody,
  render: ({ body }, opening) => `${opening}"item":${body}}`,
}

/** Accepts every integer that a double holds exactly; the lookup decides whether the item exists. */
function parseItemId(text: string): number {
  const id = /^[+-]?[0-9]+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new DomainError("invalid_parameter")
  return id
}

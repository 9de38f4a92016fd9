import { type Endpoint, readDefaults } from "../api/endpoint.ts"
import { DomainError } from "../platform/error.ts"
import { hashBody } from "../platform/http/entity-tag.ts"
import { textParameter } from "../platform/http/parameters.ts"
import type { Item } from "./item.ts"
import { readItem } from "./item-operations.ts"

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

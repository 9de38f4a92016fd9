import { type Body, type Endpoint, readDefaults, type Serve } from "../api/endpoint.ts"
import { operationPaths } from "../contract/operation.ts"
import { DomainError } from "../platform/error.ts"
import { hashBody } from "../platform/http/compression.ts"
import { textParameter } from "../platform/http/parameters.ts"
import type { Item, ListPage } from "./item.ts"
import { type ItemData, type ItemList, listItems, readItem } from "./item-operations.ts"

export const listItemsEndpoint: Endpoint<ItemData, null, ItemList> = {
  ...readDefaults,
  perform: listItems,
  operation: "list_items",
  path: operationPaths.list_items,
  parameters: () => null,
  contentVersion: ({ version }) => version,
  render: renderList,
}

/** A list of one page, as most are, is sent whole. */
async function renderList({ pages }: ItemList, opening: string): Promise<Body> {
  const rest = pages[Symbol.asyncIterator]()
  const { value: first } = await rest.next()
  const start = [utf8.encode(`${opening}"items":[`), first?.bytes ?? utf8.encode("")]
  const isWhole = first === undefined || first.isLast
  return isWhole ? Buffer.concat([...start, end]) : renderRest(Buffer.concat(start), rest)
}

const utf8 = new TextEncoder()
const comma = utf8.encode(",")
const end = utf8.encode("]}")

async function* renderRest(start: Uint8Array<ArrayBuffer>, rest: AsyncIterator<ListPage>) {
  yield start
  for (;;) {
    const { done, value } = await rest.next()
    if (done) break
    yield comma
    yield value.bytes
  }
  yield end
}

export const readItemEndpoint: Endpoint<ItemData, number, Item> = {
  ...readDefaults,
  perform: readItem,
  operation: "read_item",
  path: operationPaths.read_item,
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

export const itemEndpoints = (serve: Serve<ItemData>) => ({
  ...serve(listItemsEndpoint),
  ...serve(readItemEndpoint),
})

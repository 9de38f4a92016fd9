/** The requests of the four operations, with the expected response to each. */

import { shuffle } from "../statistics.ts"
import type { Store } from "../stores/bench-stores.ts"
import {
  accountBody,
  codeOf,
  itemBody,
  itemIdOf,
  itemOfPurchase,
  listBody,
  ownerOf,
  validationBody,
} from "../stores/marketplace.ts"
import type { Workload } from "./load.ts"

/** Enough different requests to read pages all over the database. */
const requestsMax = 100_000

export const paths = {
  validation: "/api/purchases/validation",
  item: "/api/items/item",
  account: "/api/account/details",
  list: "/api/items/all",
} as const

const commonHeaders = "Host: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: application/json\r\n"

const get = (target: string) => `GET ${target} HTTP/1.1\r\n${commonHeaders}\r\n`

function post(target: string, body: string): string {
  const framing = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `POST ${target} HTTP/1.1\r\n${commonHeaders}${framing}\r\n${body}`
}

/** JSON with the key in the body, as most clients send it. */
export function validationWorkload({ market, keys }: Store): Workload {
  const purchases = sampleOf(market.purchases)
  return createWorkload({
    name: "validation",
    count: purchases.length,
    request(index) {
      const purchase = purchases[index] ?? 0
      const key = keys[ownerOf(market, itemOfPurchase(market, purchase))]
      return post(
        paths.validation,
        `{"api_key":"${key}","purchase_code":"${codeOf(market, purchase)}"}`,
      )
    },
    body: (index) => validationBody(market, purchases[index] ?? 0),
  })
}

export function itemWorkload({ market, keys }: Store): Workload {
  const items = sampleOf(market.items)
  return createWorkload({
    name: "item",
    count: items.length,
    request(index) {
      const item = items[index] ?? 0
      const key = keys[ownerOf(market, item)]
      return get(`${paths.item}?api_key=${key}&item_id=${itemIdOf(item)}`)
    },
    body: (index) => itemBody(items[index] ?? 0),
  })
}

export function accountWorkload({ keys }: Store): Workload {
  return createWorkload({
    name: "account",
    count: keys.length,
    request: (index) => get(`${paths.account}?api_key=${keys[index]}`),
    body: accountBody,
  })
}

export function listWorkload({ market, keys }: Store): Workload {
  const bodies = keys.map((_, account) => listBody(market, account))
  return createWorkload({
    name: "list",
    count: keys.length,
    request: (index) => get(`${paths.list}?api_key=${keys[index]}`),
    body: (index) => bodies[index] ?? "",
  })
}

/** Requests of several kinds in turn, in proportion to their weights. */
export function mixWorkloads(
  parts: readonly (readonly [workload: Workload, weight: number])[],
): Workload {
  const turns = parts.flatMap(([workload, weight]) => Array<Workload>(weight).fill(workload))
  const kinds = shuffle(turns, Math.random)
  const pick = (index: number) => {
    const workload = kinds[index % kinds.length]
    if (workload === undefined) throw new Error("a mix without workloads")
    return [workload, Math.floor(index / kinds.length) % workload.count] as const
  }
  const select = <T>(index: number, read: (workload: Workload, index: number) => T): T =>
    read(...pick(index))
  return {
    name: "mix",
    count: kinds.length * requestsMax,
    request: (index) => select(index, (workload, at) => workload.request(at)),
    bytes: (index) => select(index, (workload, at) => workload.bytes(at)),
    body: (index) => select(index, (workload, at) => workload.body(at)),
  }
}

/** The same requests to a server that returns one body for all of them. */
export function withConstantBody(workload: Workload, body: string): Workload {
  const bytes = Buffer.byteLength(body)
  return { ...workload, bytes: () => bytes, body: () => body }
}

type Requests = Readonly<{
  name: string
  count: number
  request(index: number): string
  body(index: number): string
}>

/** Renders all requests before the load, so that rendering is not measured. */
function createWorkload({ name, count, request, body }: Requests): Workload {
  const texts = Array.from({ length: count }, (_, index) => Buffer.from(request(index)))
  const lengths = Array.from({ length: count }, (_, index) => Buffer.byteLength(body(index)))
  return {
    name,
    count,
    request: (index) => texts[index] ?? Buffer.alloc(0),
    bytes: (index) => lengths[index] ?? -1,
    body,
  }
}

/** Numbers below `count` in a mixed order: all of them if they are few, otherwise a sample. */
function sampleOf(count: number): readonly number[] {
  const size = Math.min(count, requestsMax)
  const step = Math.floor(count / size)
  // A stride without a common divisor visits every index once.
  const stride = strideFor(size)
  return Array.from({ length: size }, (_, index) => ((index * stride) % size) * step)
}

function strideFor(size: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let stride = Math.floor(size * 0.618) || 1
  while (divisor(stride, size) !== 1) stride += 1
  return stride
}

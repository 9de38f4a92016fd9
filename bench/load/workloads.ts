/** The requests of the four operations over a store, with the right answer to each. */

import { shuffle } from "../report/statistics.ts"
import {
  accountBody,
  codeOf,
  isRefunded,
  itemBody,
  itemIdOf,
  itemOfPurchase,
  listBody,
  ownerOf,
  validationBody,
} from "../stores/marketplace.ts"
import { type Limits, limitsOfItem, siteOf } from "../stores/sites.ts"
import type { Store } from "../stores/stores.ts"
import type { Workload } from "./load.ts"

/** Enough different requests to read pages all over the store. */
const requestsMax = 100_000

export const paths = {
  validation: "/api/purchases/validation",
  item: "/api/items/item",
  account: "/api/account/details",
  list: "/api/items/all",
} as const

const commonHeaders = "Host: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: application/json\r\n"

const get = (target: string, headers = "") =>
  `GET ${target} HTTP/1.1\r\n${commonHeaders}${headers}\r\n`

function post(target: string, body: string): string {
  const framing = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `POST ${target} HTTP/1.1\r\n${commonHeaders}${framing}\r\n${body}`
}

export function validationWorkload(store: Store): Workload {
  const { market } = store
  const valid = sampleOf(market.purchases).filter((purchase) => !isRefunded(market, purchase))
  return validationsOf(store, valid, () => "")
}

/** Purchases of items with such limits; with a site, each asks on its own. */
export function sitedWorkload(store: Store, limits: Limits, hasSite: boolean): Workload {
  const { market } = store
  const purchases = sampleOf(market.purchases).filter(
    (purchase) => limitsOfItem(market, itemOfPurchase(market, purchase)) === limits,
  )
  const site = (purchase: number) => `,"site":"https://${siteOf(market, purchase)}/"`
  return validationsOf(store, purchases, hasSite ? site : () => "")
}

/** JSON with the key in the body, as most clients send it. `more` are further members. */
function validationsOf(
  { market, keys }: Store,
  purchases: readonly number[],
  more: (purchase: number) => string,
): Workload {
  return createWorkload({
    name: "validation",
    count: purchases.length,
    request(index) {
      const purchase = purchases[index] ?? 0
      const key = keys[ownerOf(market, itemOfPurchase(market, purchase))]
      return post(
        paths.validation,
        `{"api_key":"${key}","purchase_code":"${codeOf(market, purchase)}"${more(purchase)}}`,
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

/** `tags` are the lists' entity tags, one for each account. */
export function notModifiedWorkload({ keys }: Store, tags: readonly string[]): Workload {
  const workload = createWorkload({
    name: "not modified",
    count: keys.length,
    request: (index) =>
      get(`${paths.list}?api_key=${keys[index]}`, `If-None-Match: ${tags[index]}\r\n`),
    body: () => "",
  })
  return { ...workload, status: () => 304 }
}

export function unknownCodeWorkload({ keys }: Store): Workload {
  const workload = createWorkload({
    name: "unknown code",
    count: keys.length,
    request: (index) =>
      post(paths.validation, `{"api_key":"${keys[index]}","purchase_code":"nobody-bought-this"}`),
    body: () => '{"status":"error","msg":"Invalid purchase code"}',
  })
  return { ...workload, status: () => 404 }
}

/** Requests of several kinds in turn, each as often as its weight says. */
export function mixWorkloads(
  parts: readonly (readonly [workload: Workload, weight: number])[],
): Workload {
  const turns = parts.flatMap(([workload, weight]) => Array<Workload>(weight).fill(workload))
  const kinds = shuffle(turns, Math.random)
  const pick = (index: number) => {
    const workload = kinds[index % kinds.length]
    if (workload === undefined) throw new Error("a mix of nothing")
    return [workload, Math.floor(index / kinds.length) % workload.count] as const
  }
  const ask = <T>(index: number, question: (workload: Workload, index: number) => T): T =>
    question(...pick(index))
  return {
    name: "mix",
    count: kinds.length * requestsMax,
    request: (index) => ask(index, (workload, at) => workload.request(at)),
    status: (index) => ask(index, (workload, at) => workload.status(at)),
    bytes: (index) => ask(index, (workload, at) => workload.bytes(at)),
    body: (index) => ask(index, (workload, at) => workload.body(at)),
  }
}

/** The same requests to a server that has one answer for them all. */
export function withConstantAnswer(workload: Workload, body: string): Workload {
  const bytes = Buffer.byteLength(body)
  return { ...workload, bytes: () => bytes, body: () => body }
}

/** For a server of files: one GET, whatever was asked. */
export function fileWorkload(path: string, body: string): Workload {
  return createWorkload({ name: "file", count: 1, request: () => get(path), body: () => body })
}

type Requests = Readonly<{
  name: string
  count: number
  request(index: number): string
  body(index: number): string
}>

/** Renders all requests before the load, so that it costs nothing during it. */
function createWorkload({ name, count, request, body }: Requests): Workload {
  const texts = Array.from({ length: count }, (_, index) => Buffer.from(request(index)))
  const lengths = Array.from({ length: count }, (_, index) => Buffer.byteLength(body(index)))
  return {
    name,
    count,
    request: (index) => texts[index] ?? Buffer.alloc(0),
    status: () => 200,
    bytes: (index) => lengths[index] ?? -1,
    body,
  }
}

/** Numbers below `count` in a mixed order: all of them if they are few, otherwise a sample. */
function sampleOf(count: number): readonly number[] {
  const size = Math.min(count, requestsMax)
  const step = Math.floor(count / size)
  // A stride without a common divisor visits every place once.
  const stride = strideFor(size)
  return Array.from({ length: size }, (_, index) => ((index * stride) % size) * step)
}

function strideFor(size: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let stride = Math.floor(size * 0.618) || 1
  while (divisor(stride, size) !== 1) stride += 1
  return stride
}

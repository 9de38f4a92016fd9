/** Reads for an author's own server, with a secret key. Never in a product that is given away. */
import { errorCodeOf, type Fetch, type HttpResponse, send } from "./request.ts"
import type { Account, Item } from "./wire.ts"

export type { Account, Item, ItemMedia, Profile } from "./wire.ts"

export type AuthorOptions = Readonly<{
  /** The server's URL, such as `https://licenses.example.com`. */
  baseUrl: string
  /** A secret key (`pzr_sk_…`), or a test key. */
  key: string
  /** For the whole response: 30000. */
  timeoutMs?: number
  /** Instead of the global `fetch`. */
  fetch?: Fetch
}>

/** The server did not return what was asked for. */
export class PazarError extends Error {
  override name = "PazarError"
  /** The error code, such as `unknown_key`; `unreachable` without a complete response. */
  readonly reason: string
  /** 0 without a complete response. */
  readonly status: number
  /** For the operator's log. */
  readonly requestId: string

  constructor(reason: string, reply?: HttpResponse, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
    this.status = reply?.status ?? 0
    this.requestId = reply?.headers.get("request-id") ?? ""
  }
}

/** 100,000 items of 2 KB each are 200 MB. */
const bodyBytesMax = 256 * 1024 * 1024

/** The account that owns the key. Rejects with `PazarError`. */
export const readAccount = (options: AuthorOptions): Promise<Account> =>
  // `as`: the fields are not checked, because a newer server may send others.
  read(options, "/api/account/details", "data", null) as Promise<Account>

/** Every visible item, newest id first; empty if there are none. Rejects with `PazarError`. */
export const listItems = async (options: AuthorOptions): Promise<readonly Item[]> =>
  ((await read(options, "/api/items/all", "items", "no_items")) ?? []) as readonly Item[]

/** Null if there is no such item. Rejects with `PazarError`. */
export const readItem = (options: AuthorOptions, id: number): Promise<Item | null> =>
  read(options, `/api/items/item?item_id=${id}`, "item", "unknown_item") as Promise<Item | null>

/** Null if the error code is `absence`. */
async function read(options: AuthorOptions, path: string, field: string, absence: string | null) {
  const { baseUrl, key, timeoutMs = 30_000, fetch = globalThis.fetch } = options
  const init = { headers: { "X-Api-Key": key }, signal: AbortSignal.timeout(timeoutMs) }
  const url = baseUrl.replace(/\/+$/, "") + path
  const reply = await send(fetch, url, init, bodyBytesMax).catch((cause: unknown) => {
    throw new PazarError("unreachable", undefined, { cause })
  })
  const found = reply.json?.[field]
  if (reply.status === 200 && typeof found === "object" && found !== null) return found
  const reason = errorCodeOf(reply)
  if (reason === absence) return null
  throw new PazarError(reason, reply)
}

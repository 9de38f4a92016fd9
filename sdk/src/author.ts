/** Account and item reads for an author's own server. Never ship the secret key in a product. */
import { type Fetch, type HttpResponse, parseErrorCode, send } from "./request.ts"
import type { Account, Item } from "./wire.ts"

export type { Account, Item, ItemMedia, Profile } from "./wire.ts"

export type AuthorOptions = Readonly<{
  /** URL of the server, such as `https://licenses.example.com`. */
  baseUrl: string
  /** A secret key (`pzr_sk_…`), or a test key. */
  key: string
  /** Timeout for the whole response. Default: 30000. */
  timeoutMs?: number
  fetch?: Fetch
}>

/** The server returned an error, or no complete response arrived. */
export class PazarError extends Error {
  override name = "PazarError"
  /** Error code, such as `unknown_key`; `unreachable` if no complete response arrived. */
  readonly reason: string
  /** HTTP status; 0 if no complete response arrived. */
  readonly status: number
  /** Header `Request-Id`, which is in the operator's log, too; empty if missing. */
  readonly requestId: string

  constructor(reason: string, response?: HttpResponse, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
    this.status = response?.status ?? 0
    this.requestId = response?.headers.get("request-id") ?? ""
  }
}

/** Enough for 100,000 items of 2 KB. */
const bodyBytesMax = 256 * 1024 * 1024

/** Returns the account that owns the key. Rejects with `PazarError`. */
export const readAccount = (options: AuthorOptions): Promise<Account> =>
  // `as`: fields are not validated, because newer servers may send more.
  read(options, "/api/account/details", "data", null) as Promise<Account>

/** Returns all visible items, highest id first. Rejects with `PazarError`. */
export const listItems = async (options: AuthorOptions): Promise<readonly Item[]> =>
  ((await read(options, "/api/items/all", "items", "no_items")) ?? []) as readonly Item[]

/** Returns null if the account has no such item. Rejects with `PazarError`. */
export const readItem = (options: AuthorOptions, id: number): Promise<Item | null> =>
  read(options, `/api/items/item?item_id=${id}`, "item", "unknown_item") as Promise<Item | null>

async function read(options: AuthorOptions, path: string, field: string, absence: string | null) {
  const { baseUrl, key, timeoutMs = 30_000, fetch = globalThis.fetch } = options
  const init = { headers: { "X-Api-Key": key }, signal: AbortSignal.timeout(timeoutMs) }
  const url = baseUrl.replace(/\/+$/, "") + path
  const response = await send(fetch, url, init, bodyBytesMax).catch((cause: unknown) => {
    throw new PazarError("unreachable", undefined, { cause })
  })
  const data = response.json?.[field]
  if (response.status === 200 && typeof data === "object" && data !== null) return data
  const reason = parseErrorCode(response)
  if (reason === absence) return null
  throw new PazarError(reason, response)
}

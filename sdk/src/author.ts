/** Reads of the account, its items and purchases for an author's own server. Never ship the secret key in a product. */
import { type Fetch, type HttpResponse, parseErrorCode, send } from "./request.ts"
import type { Account, Item, PurchasePage, PurchaseSite } from "./wire.ts"

export type {
  Account,
  Item,
  ItemMedia,
  Profile,
  Purchase,
  PurchasePage,
  PurchaseSite,
} from "./wire.ts"

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
export const readAccount = async (options: AuthorOptions): Promise<Account> =>
  // `as`: fields are not validated, because newer servers may send more.
  (await read(options, "account/details", "data", {})) as Account

/** Returns all visible items, highest id first. Rejects with `PazarError`. */
export const listItems = async (options: AuthorOptions): Promise<readonly Item[]> =>
  ((await read(options, "items/all", "items", {}, "no_items")) ?? []) as readonly Item[]

/** Returns null if the account has no such item. Rejects with `PazarError`. */
export const readItem = async (options: AuthorOptions, id: number): Promise<Item | null> =>
  (await read(
    options,
    "items/item",
    "item",
    { item_id: String(id) },
    "unknown_item",
  )) as Item | null

/** Returns one page of purchases, newest first. `since` is a time or a day. Rejects with `PazarError`. */
export async function listPurchases(
  options: AuthorOptions,
  { limit = 100, ...page }: Readonly<{ limit?: number; after?: string; since?: string }> = {},
): Promise<PurchasePage> {
  const parameters = { limit: String(limit), ...page }
  const { purchases, next } = (await read(
    options,
    "purchases/all",
    null,
    parameters,
  )) as PurchasePage
  return { purchases, next }
}

/** Returns the sites of a purchase code; null if none of your purchases has it. Rejects with `PazarError`. */
export const listSites = async (
  options: AuthorOptions,
  code: string,
): Promise<readonly PurchaseSite[] | null> => {
  const parameters = { purchase_code: code }
  const sites = await read(options, "purchases/sites", "sites", parameters, "unknown_code")
  return sites as readonly PurchaseSite[] | null
}

/** Returns the whole body if `field` is null. */
async function read(
  options: AuthorOptions,
  path: string,
  field: string | null,
  parameters: Record<string, string>,
  absence: string | null = null,
) {
  const { baseUrl, key, timeoutMs = 30_000, fetch = globalThis.fetch } = options
  const init = { headers: { "X-Api-Key": key }, signal: AbortSignal.timeout(timeoutMs) }
  const query = new URLSearchParams(parameters).toString()
  const url = `${baseUrl.replace(/\/+$/, "")}/api/${path}${query && `?${query}`}`
  const response = await send(fetch, url, init, bodyBytesMax).catch((cause: unknown) => {
    throw new PazarError("unreachable", undefined, { cause })
  })
  const data = field === null ? response.json : response.json?.[field]
  if (response.status === 200 && typeof data === "object" && data !== null) return data
  if (absence !== null && response.headers.get("pazar-reason") === absence) return null
  throw new PazarError(parseErrorCode(response), response)
}

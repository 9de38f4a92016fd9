import type { Caller } from "../platform/ip-range.ts"
import type { Timestamp } from "../platform/time.ts"

export const issuedKinds = ["sk", "vk", "tk"] as const
export type IssuedKind = (typeof issuedKinds)[number]

/** `sk`: all operations. `vk`: validation, release and download only. `tk`: test data. `imported`: from a feed, like `sk`. */
export const keyKinds = [...issuedKinds, "imported"] as const
export type KeyKind = (typeof keyKinds)[number]

export const operations = [
  ...(["read_account", "list_items", "read_item", "validate_purchase", "release_site"] as const),
  ...(["list_purchases", "list_sites", "create_download"] as const),
] as const
export type Operation = (typeof operations)[number]

export const operationPaths = {
  read_account: "/api/account/details",
  list_items: "/api/items/all",
  read_item: "/api/items/item",
  validate_purchase: "/api/purchases/validation",
  release_site: "/api/purchases/release",
  list_purchases: "/api/purchases/all",
  list_sites: "/api/purchases/sites",
  create_download: "/api/purchases/download",
} as const satisfies Readonly<Record<Operation, string>>

/** The format of Envato, for clients that use it already. */
export const envatoPaths = {
  sale: "/v3/market/author/sale",
  sales: "/v3/market/author/sales",
} as const

export const keyScopes = ["help_desk", "catalog"] as const
export type KeyScope = (typeof keyScopes)[number]

export type ApiKey = Readonly<{
  id: string
  accountId: number
  kind: KeyKind
  /** The items a validation key is limited to; null for all items of the account. */
  itemIds: readonly number[] | null
  isSiteRequired: boolean
  /** Null for everything that the kind may do. */
  scope: KeyScope | null
  expiresAt: Timestamp | null
  revokedAt: Timestamp | null
}>

export type FoundKey = ApiKey &
  Readonly<{ replacedAt: Timestamp | null; isLeaked: boolean; isSuspended: boolean }>

/** Secret keys belong on servers. Browsers cannot read responses to them, so shipped keys fail early. */
export const serverKinds: readonly KeyKind[] = ["sk", "imported"]
export const belongsOnServer = ({ kind }: Pick<ApiKey, "kind">) => serverKinds.includes(kind)

/** The public test key of the documentation. It uses test data only, belongs to no account and is not stored. */
export const publicTestSecret = "pzr_tk_PublicTestKeyOfTheSampleWorld049quFB"

export const publicTestKey: FoundKey = {
  id: "public",
  accountId: 0,
  kind: "tk",
  itemIds: null,
  isSiteRequired: false,
  scope: null,
  expiresAt: null,
  revokedAt: null,
  replacedAt: null,
  isLeaked: false,
  isSuspended: false,
}

/** An operation of the API on the stores that it reads. Throws DomainError with the error code. */
export type KeyOperation<Data, Input, Result> = (
  data: Data,
  key: ApiKey,
  input: Input,
  caller: Caller,
) => Promise<Result>

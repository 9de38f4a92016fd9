/** The values of the labels. All are fixed lists: no author, key, code or address is ever a label. */
import type { Operation } from "../domain/keys/api-key.ts"
import type { Reason } from "../domain/values/error.ts"

export const operations = [
  "read_account",
  "list_items",
  "read_item",
  "validate_purchase",
  "release_site",
] as const satisfies readonly Operation[]
const otherRoutes = ["key_set", "openapi", "feed", "links", "metrics", "page", "unknown"] as const

/** The names of the routes, in the log and in the metrics. */
export const routes = [...operations, ...otherRoutes] as const
export type Route = (typeof routes)[number]

/** `refused` is a 4xx of a page or an operator's path that has no closer reason. */
export type CountedReason = Reason | "refused"

const ofEveryKey = [
  ...(["missing_key", "unknown_key", "revoked_key", "expired_key", "account_suspended"] as const),
  ...(["method_not_allowed", "rate_limited", "unavailable"] as const),
] as const
const ofEveryRead = ["ok", ...ofEveryKey, "key_not_allowed"] as const
const ofParameters = ["missing_parameter", "invalid_parameter"] as const
const elsewhere = ["ok", "refused", "method_not_allowed", "unavailable"] as const
const withToken = [...elsewhere, "rate_limited"] as const

/**
 * The reasons that each route can give. They are shown from the start with 0: Prometheus does not see the
 * first increase of a series that appears with it.
 */
export const reasonsOf: Readonly<Record<Route, readonly CountedReason[]>> = {
  read_account: ofEveryRead,
  list_items: [...ofEveryRead, "no_items"],
  read_item: [...ofEveryRead, ...ofParameters, "unknown_item"],
  validate_purchase: [
    ...(["ok", ...ofEveryKey, ...ofParameters] as const),
    ...(["unknown_code", "revoked_code", "site_limit", "too_large"] as const),
  ],
  release_site: [
    ...(["ok", ...ofEveryKey, ...ofParameters] as const),
    ...(["unknown_code", "revoked_code", "too_large"] as const),
  ],
  key_set: ["ok", "method_not_allowed", "unavailable"],
  openapi: [...withToken, "unknown_path"],
  feed: [...withToken, "unknown_path"],
  links: [...withToken, "unknown_path"],
  metrics: withToken,
  page: [...elsewhere, "unknown_path", "too_large", "rate_limited"],
  unknown: ["unknown_path", "invalid_parameter"],
}

/** Every reason that a route can give. */
export const reasons = [
  ...new Set<CountedReason>(Object.values(reasonsOf).flat()),
] as readonly CountedReason[]

export const feedWays = ["push", "file", "pull"] as const
export type FeedWay = (typeof feedWays)[number]

/** `adjusted` records are among the accepted and waiting ones. */
export const feedResults = ["accepted", "adjusted", "waiting", "rejected", "removed"] as const
export type FeedResult = (typeof feedResults)[number]

/** A failed run was not read to its end, or kept nothing. */
export const runOutcomes = ["finished", "failed"] as const
export type RunEnd = (typeof runOutcomes)[number]

/** Of each try. */
export const webhookResults = ["delivered", "failed"] as const
export type WebhookResult = (typeof webhookResults)[number]

export const purchaseStates = ["valid", "revoked"] as const

export const cacheNames = ["keys", "lists"] as const
export type CacheName = (typeof cacheNames)[number]
export const cacheResults = ["hit", "miss"] as const

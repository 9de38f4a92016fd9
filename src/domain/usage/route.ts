import type { Reason } from "../values/error.ts"

/** The routes as the log and the metrics name them. The first eight are the operations of the API. */
export const routes = [
  ...(["read_account", "list_items", "read_item", "validate_purchase", "release_site"] as const),
  ...(["list_purchases", "list_sites", "create_download"] as const),
  ...(["key_set", "download", "openapi", "feed", "links", "purchases"] as const),
  ...(["metrics", "page", "unknown"] as const),
] as const
export type Route = (typeof routes)[number]

/** `refused` is a 4xx response of a page or an operator route that has no error code of the API. */
export type CountedReason = Reason | "refused"

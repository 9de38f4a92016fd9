/** Every path of the console, for handlers and pages. */
import { authorCallDays } from "../../../domain/catalogue/author-search.ts"
import { factorPathsOf, withQuery } from "../../pages/paths.ts"

export type AuthorsQuery = Readonly<{ q?: string; sort?: string; page?: string }>
/** `author` is the id of an account. Empty members are left out. */
export type KeysQuery = Readonly<{ author?: string; kind?: string; state?: string; after?: string }>
export type ItemsQuery = Readonly<{ author?: string; state?: string; q?: string; before?: string }>
export type PurchasesQuery = Readonly<{
  author?: string
  item?: string
  state?: string
  after?: string
}>

/** `account` is a username; `kind` may name an action too, as in `key.revoked`. */
export type AuditQuery = Readonly<{
  account?: string
  kind?: string
  days?: string
  from?: string
  to?: string
  before?: string
}>

export type AuthorLogQuery = Readonly<{ key?: string; day?: string; page?: string }>

export const paths = {
  home: "/console",
  login: "/console/login",
  logout: "/console/logout",
  authors: "/console/authors",
  authorsAt: (query: AuthorsQuery) => withQuery("/console/authors", query),
  authorsCsv: (query: AuthorsQuery) => withQuery("/console/authors.csv", query),
  author: (id: number) => `/console/authors/${id}`,
  authorLog: (id: number | ":id", query: AuthorLogQuery = {}) =>
    withQuery(`/console/authors/${id}/log`, query),
  authorTraffic: (id: number | ":id") => `/console/authors/${id}/traffic`,
  /** The days whose calls are in the list of authors. */
  authorWeek: (id: number) => `/console/authors/${id}/traffic?days=${authorCallDays}`,
  authorWebhook: (id: number | ":id", endpoint: string) =>
    `/console/authors/${id}/webhooks/${endpoint}`,
  search: "/console/search",
  found: (noteId: string) => `/console/search/${noteId}`,
  traffic: "/console/traffic",
  purchases: "/console/purchases",
  purchasesAt: (query: PurchasesQuery) => withQuery("/console/purchases", query),
  purchasesCsv: (query: PurchasesQuery) => withQuery("/console/purchases.csv", query),
  items: "/console/items",
  itemsAt: (query: ItemsQuery) => withQuery("/console/items", query),
  itemsCsv: (query: ItemsQuery) => withQuery("/console/items.csv", query),
  item: (id: number) => `/console/items/${id}`,
  /** By the address of the sale, or the id of the note that holds the code: codes must not be in addresses. */
  check: (id: string) => `/console/purchases/codes/${id}`,
  keys: "/console/keys",
  keysAt: (query: KeysQuery) => withQuery("/console/keys", query),
  keysCsv: (query: KeysQuery) => withQuery("/console/keys.csv", query),
  key: (id: string) => `/console/keys/${encodeURIComponent(id)}`,
  imports: "/console/imports",
  importsAt: (query: Readonly<{ author: string }>) => withQuery("/console/imports", query),
  run: (id: number) => `/console/imports/${id}`,
  webhooks: "/console/webhooks",
  operators: "/console/operators",
  inviteOperator: "/console/operators/invite",
  secondFactorRule: (action: "require" | "drop") => `/console/operators/second-factor/${action}`,
  operator: (id: number, action: "link" | "remove") => `/console/operators/${id}/${action}`,
  audit: "/console/audit",
  auditAt: (query: AuditQuery) => withQuery("/console/audit", query),
  auditCsv: (query: AuditQuery) => withQuery("/console/audit.csv", query),
  settings: "/console/settings",
  security: "/console/security",
  factor: factorPathsOf("/console/security"),
} as const

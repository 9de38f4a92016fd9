import { authorCallDays } from "../../../domain/catalog/author-search.ts"
import { type LogFilter, pathOfLog, twoFactorPathsOf, withQuery } from "../../pages/paths.ts"

type Query<Name extends string> = Readonly<Partial<Record<Name, string>>>

export type AuthorsQuery = Query<"sort" | "page">
/** `author` is an account ID. */
export type KeysQuery = Query<"author" | "kind" | "state" | "after">
export type ItemsQuery = Query<"author" | "state" | "q" | "before">
export type PurchasesQuery = Query<"author" | "item" | "state" | "after">
/** `account` is a username. */
export type AuditQuery = Query<"account" | "actor">

export const paths = {
  home: "/console",
  login: "/console/login",
  logout: "/console/logout",
  authors: "/console/authors",
  authorsAt: (query: AuthorsQuery) => withQuery("/console/authors", query),
  authorsCsv: (query: AuthorsQuery) => withQuery("/console/authors.csv", query),
  author: (id: number) => `/console/authors/${id}`,
  authorLog: (id: number | ":id", filter: LogFilter = {}) =>
    pathOfLog(filter, 1, `/console/authors/${id}/log`),
  authorTraffic: (id: number | ":id") => `/console/authors/${id}/traffic`,
  /** The days of the request counts in the list of authors. */
  authorWeek: (id: number) => `/console/authors/${id}/traffic?days=${authorCallDays}`,
  authorWebhooks: (id: number | ":id") => `/console/authors/${id}/webhooks`,
  search: "/console/search",
  traffic: "/console/traffic",
  purchases: "/console/purchases",
  purchasesAt: (query: PurchasesQuery) => withQuery("/console/purchases", query),
  purchasesCsv: (query: PurchasesQuery) => withQuery("/console/purchases.csv", query),
  items: "/console/items",
  itemsAt: (query: ItemsQuery) => withQuery("/console/items", query),
  itemsCsv: (query: ItemsQuery) => withQuery("/console/items.csv", query),
  item: (id: number) => `/console/items/${id}`,
  /** By the ID of the sale, or of the record that contains the code: codes must not be in URLs. */
  check: (id: string) => `/console/purchases/codes/${id}`,
  keys: "/console/keys",
  keysAt: (query: KeysQuery) => withQuery("/console/keys", query),
  keysCsv: (query: KeysQuery) => withQuery("/console/keys.csv", query),
  key: (id: string) => `/console/keys/${encodeURIComponent(id)}`,
  imports: "/console/imports",
  importRun: (id: number) => `/console/imports/${id}`,
  webhooks: "/console/webhooks",
  operators: "/console/operators",
  inviteOperator: "/console/operators/invite",
  twoFactorPolicy: (action: "require" | "drop") => `/console/operators/second-factor/${action}`,
  operator: (id: number, action: "link" | "remove") => `/console/operators/${id}/${action}`,
  audit: "/console/audit",
  auditAt: (query: AuditQuery) => withQuery("/console/audit", query),
  settings: "/console/settings",
  signingKeys: "/console/signing-keys",
  rotateSigningKey: "/console/signing-keys/rotate",
  security: "/console/security",
  twoFactor: twoFactorPathsOf("/console/security"),
} as const

/** Every path of the console, for handlers and pages. */
import { factorPathsOf } from "../../pages/paths.ts"

export const paths = {
  home: "/console",
  login: "/console/login",
  logout: "/console/logout",
  authors: "/console/authors",
  authorsAt: (text: string, page: number) =>
    `/console/authors?${new URLSearchParams({ q: text, page: String(page) })}`,
  author: (id: number) => `/console/authors/${id}`,
  traffic: "/console/traffic",
  purchases: "/console/purchases",
  item: (id: number) => `/console/purchases/items/${id}`,
  /** By the id of the note that holds the code: codes must not be in addresses. */
  check: (noteId: string) => `/console/purchases/codes/${noteId}`,
  keys: "/console/keys",
  key: (id: string) => `/console/keys/${encodeURIComponent(id)}`,
  imports: "/console/imports",
  run: (id: number) => `/console/imports/${id}`,
  operators: "/console/operators",
  inviteOperator: "/console/operators/invite",
  secondFactorRule: (action: "require" | "drop") => `/console/operators/second-factor/${action}`,
  operator: (id: number, action: "link" | "remove") => `/console/operators/${id}/${action}`,
  audit: "/console/audit",
  auditCsv: "/console/audit.csv",
  settings: "/console/settings",
  security: "/console/security",
  factor: factorPathsOf("/console/security"),
} as const

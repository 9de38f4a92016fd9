import { withQuery } from "./paths.ts"

export const paths = {
  home: "/console",
  authors: "/console/authors",
  author: (id: number) => `/console/authors/${id}`,
  search: "/console/search",
  traffic: "/console/traffic",
  trafficOn: (day: string, kind = "") =>
    withQuery("/console/traffic", { kind, from: day, to: day }),
  purchases: "/console/purchases",
  salesOf: (authorId: number) => `/console/purchases?author=${authorId}`,
  salesOfItem: (id: number) => `/console/purchases?item=${id}`,
  imports: "/console/imports",
  importRun: (id: number) => `/console/imports/${id}`,
  webhooks: "/console/webhooks",
  operators: "/console/operators",
  withdrawInvitation: (id: string) => `/console/operators/invitations/${id}/withdraw`,
  inviteOperator: "/console/operators/invite",
  twoFactorPolicy: (action: "require" | "drop") => `/console/operators/second-factor/${action}`,
  operator: (id: number, action: "email" | "link" | "remove" | "role") =>
    `/console/operators/${id}/${action}`,
  audit: "/console/audit",
  auditOf: (username: string) => withQuery("/console/audit", { account: username }),
  auditBy: (operator: string) => withQuery("/console/audit", { actor: `operator:${operator}` }),
  settings: "/console/settings",
  rotateSigningKey: "/console/settings/signing-keys/rotate",
  security: "/console/security",
  setTwoFactor: "/console/security/second-factor",
} as const

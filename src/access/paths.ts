import { withQuery } from "../platform/http/parameters.ts"

/** The pages of one workspace. `username` is part of a URL, or `:username` of a route. */
function pathsIn(username: string) {
  const home = `/workspace/${username}`
  const settings = `${home}/settings`
  const keys = `${settings}/keys`
  return {
    home,
    sales: `${home}/sales`,
    check: `${home}/check`,
    items: `${home}/items`,
    log: `${home}/log`,
    search: `${home}/search`,
    keys,
    newKey: `${keys}/new`,
    newValidationKey: `${keys}/new?kind=vk`,
    key: (id: string) => `${keys}/${id}`,
    /** The page to rotate a key, with the error that the key limit leaves no room for both. */
    keyLimit: (id: string) => `${keys}/${id}/replace?problem=${keyLimitProblem}`,
    settings,
    webhooks: `${settings}/webhooks`,
    people: `${settings}/people`,
    security: `${settings}/security`,
  }
}

export type WorkspacePaths = ReturnType<typeof pathsIn>

export const workspacePath = "/workspace"
export const routes = pathsIn(":username")
export const workspaceOf = (username: string) => pathsIn(encodeURIComponent(username))

export const keyLimitProblem = "no-room"

export const linkPath = "/login/link"
export const identityPath = "/login/oidc"
export const activatePath = "/activate"
export const licensePath = "/license"

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

/** The pages of one workspace. `username` is part of a URL, or `:username` of a route. */
export function pathsIn(username: string) {
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

type Query = Readonly<Record<string, string | number | undefined>>

export function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(name, String(value))
  }
  return params.size === 0 ? path : `${path}?${params}`
}

export const keysPath = "/workspace/settings/keys"
export const newKeyPath = `${keysPath}/new`
export const newValidationKeyPath = `${newKeyPath}?kind=vk`

export const pathOfKey = (keyId: string) => `${keysPath}/${keyId}`
/** The page to rotate a key, with the error that the key limit leaves no room for both. */
export const pathOfKeyLimit = (keyId: string) =>
  `${pathOfKey(keyId)}/replace?problem=${keyLimitProblem}`
export const keyLimitProblem = "no-room"

export const settingsPath = "/workspace/settings"
export const webhooksPath = `${settingsPath}/webhooks`
export const securityPath = `${settingsPath}/security`

export const linkPath = "/login/link"
export const identityPath = "/login/oidc"

export const activatePath = "/activate"
export const licensePath = "/license"

export const searchPath = "/workspace/search"

export const logPath = "/workspace/log"

type Query = Readonly<Record<string, string | number | undefined>>

export function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(name, String(value))
  }
  return params.size === 0 ? path : `${path}?${params}`
}

export const checkPath = "/workspace/check"

export const salesPath = "/workspace/sales"
export const itemsPath = "/workspace/items"

/** Every path of the console, for handlers and pages. */

export const consolePath = "/console"

export const loginPath = `${consolePath}/login`
export const logoutPath = `${consolePath}/logout`
export const authorsPath = `${consolePath}/authors`
export const trafficPath = `${consolePath}/traffic`
export const purchasesPath = `${consolePath}/purchases`
export const keysPath = `${consolePath}/keys`
export const importsPath = `${consolePath}/imports`
export const auditPath = `${consolePath}/audit`
export const settingsPath = `${consolePath}/settings`
export const securityPath = `${consolePath}/security`
export const secondFactorPath = `${securityPath}/second-factor`
export const confirmFactorPath = `${secondFactorPath}/confirm`
export const recoveryCodesPath = `${securityPath}/codes`

export const pathOfAuthors = (text: string, page: number) =>
  `${authorsPath}?${new URLSearchParams({ q: text, page: String(page) })}`

export const pathOfAuthor = (id: number) => `${authorsPath}/${id}`
export const pathOfKey = (id: string) => `${keysPath}/${encodeURIComponent(id)}`
export const pathOfItem = (id: number) => `${purchasesPath}/items/${id}`
/** By the id of the note that holds the code: codes must not be in addresses. */
export const pathOfCheck = (noteId: string) => `${purchasesPath}/codes/${noteId}`
export const pathOfRun = (id: number) => `${importsPath}/${id}`

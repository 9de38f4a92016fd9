/** The addresses of pages that several files lead to. */

import type { SaleState } from "../../domain/catalogue/sales.ts"
import type { Operation } from "../../domain/keys/api-key.ts"
import type { FailureKind } from "../../domain/usage/failed-calls.ts"

export const keysPath = "/workspace/settings/keys"
export const newKeyPath = `${keysPath}/new`
export const newValidationKeyPath = `${newKeyPath}?kind=vk`

export const pathOfKey = (keyId: string) => `${keysPath}/${keyId}`
export const pathOfKeys = (page: number) => (page === 1 ? keysPath : `${keysPath}?page=${page}`)
/** The page to replace a key, which says that old and new key cannot both be kept. */
export const pathOfNoRoom = (keyId: string) => `${pathOfKey(keyId)}/replace?problem=${noRoom}`
export const noRoom = "no-room"

export const webhooksPath = "/workspace/settings/webhooks"

/** Where a sign-in link leads; its token follows. */
export const linkPath = "/login/link"

export const searchPath = "/workspace/search"

export const logPath = "/workspace/log"

/** Which entries of the log are listed; all of them without any. */
export type LogFilter = Readonly<{
  show?: FailureKind | "valid"
  key?: string
  day?: string
  operation?: Operation
}>

export const logCsvPath = `${logPath}.csv`

export function pathOfLog(filter: LogFilter, page = 1, path = logPath): string {
  const query = new URLSearchParams(Object.entries(filter))
  if (page > 1) query.set("page", String(page))
  return withQuery(path, query)
}

const withQuery = (path: string, query: URLSearchParams) =>
  query.size === 0 ? path : `${path}?${query}`

export const salesPath = "/workspace/sales"
export const salesCsvPath = `${salesPath}.csv`

/** Which sales are listed, and of which days. */
export type SalesQuery = Readonly<{
  item?: number
  state?: SaleState
  days?: string
  from?: string
  to?: string
  /** The note of the session with the text that is searched for: codes and names must not be in addresses. */
  search?: string
  /** Where the page begins. */
  after?: string
}>

export function pathOfSales(asked: SalesQuery, path = salesPath): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) query.set(name, String(value))
  return withQuery(path, query)
}

/** Of the second factor: the page with the settings, and those below it. */
export const factorPathsOf = (security: string) =>
  ({
    security,
    set: `${security}/second-factor`,
    confirm: `${security}/second-factor/confirm`,
    off: `${security}/second-factor/off`,
    codes: `${security}/codes`,
  }) as const

export type FactorPaths = ReturnType<typeof factorPathsOf>

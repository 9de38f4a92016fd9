/** The addresses of pages that several files lead to. */

import type { SaleState } from "../../domain/catalog/sale.ts"
import type { Operation } from "../../domain/keys/api-key.ts"
import type { FailureKind } from "../../domain/usage/failed-requests.ts"

export const keysPath = "/workspace/settings/keys"
export const newKeyPath = `${keysPath}/new`
export const newValidationKeyPath = `${newKeyPath}?kind=vk`

export const pathOfKey = (keyId: string) => `${keysPath}/${keyId}`
export const pathOfKeys = (page: number) => (page === 1 ? keysPath : `${keysPath}?page=${page}`)
/** The page to replace a key, which says that old and new key cannot both be kept. */
export const pathOfKeyLimit = (keyId: string) =>
  `${pathOfKey(keyId)}/replace?problem=${keyLimitProblem}`
export const keyLimitProblem = "no-room"

export const webhooksPath = "/workspace/settings/webhooks"

/** Where a sign-in link leads; its token follows. */
export const linkPath = "/login/link"

export const searchPath = "/workspace/search"

export const logPath = "/workspace/log"

type Query = Readonly<Record<string, string | number | undefined>>

/** Members that are empty or undefined are left out. */
export function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(name, String(value))
  }
  return params.size === 0 ? path : `${path}?${params}`
}

/** Which entries of the log are listed; all of them without any. */
export type LogFilter = Readonly<{
  show?: FailureKind | undefined
  key?: string | undefined
  day?: string | undefined
  operation?: Operation | undefined
}>

export const logCsvPath = `${logPath}.csv`

export const pathOfLog = (filter: LogFilter, page = 1, path = logPath) =>
  withQuery(path, { ...filter, page: page > 1 ? page : undefined })

export const salesPath = "/workspace/sales"
export const salesCsvPath = `${salesPath}.csv`

/** Which sales are listed, and of which days. */
export type SalesQuery = Readonly<{
  /** An id, or what was typed instead of one. */
  item?: number | string | undefined
  state?: SaleState | undefined
  days?: string
  from?: string
  to?: string
  /** Where the page begins. */
  after?: string
}>

export const pathOfSales = (asked: SalesQuery, path = salesPath) => withQuery(path, asked)

/** Of the second factor: the page with the settings, and those below it. */
export const twoFactorPathsOf = (security: string) =>
  ({
    security,
    set: `${security}/second-factor`,
    confirm: `${security}/second-factor/confirm`,
    off: `${security}/second-factor/off`,
  }) as const

export type TwoFactorPaths = ReturnType<typeof twoFactorPathsOf>

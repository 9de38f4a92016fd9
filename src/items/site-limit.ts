import { UserError } from "../platform/error.ts"
import { createSchema, invalid } from "../platform/schema.ts"

/** Sites per purchase of an item; null is unlimited. */
export type SiteLimits = Readonly<{
  sites: number | null
  /** Limits of single license types, by their names in purchases. */
  byLicense: Readonly<Record<string, number>>
}>

export const noLimits: SiteLimits = { sites: null, byLicense: {} }
export const siteLimitMax = 10_000

/** An exact license type wins over one that differs in case. */
export function limitFor({ sites, byLicense }: SiteLimits, licenseType: string): number | null {
  if (Object.hasOwn(byLicense, licenseType)) return byLicense[licenseType] ?? null
  const folded = licenseType.toLowerCase()
  const same = Object.entries(byLicense).find(([name]) => name.toLowerCase() === folded)
  return same === undefined ? sites : same[1]
}

export const hasLimit = ({ sites, byLicense }: SiteLimits) =>
  sites !== null || Object.keys(byLicense).length > 0

/** The stored form; null without a limit. */
export const renderLimits = (limits: SiteLimits) =>
  hasLimit(limits) ? JSON.stringify(limits) : null

/** Inverse of `renderLimits`. */
export const limitsOf = (text: string | null): SiteLimits =>
  text === null ? noLimits : JSON.parse(text)

export function findSiteLimit(text: string): number | null {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return isSiteLimit(limit) ? limit : null
}

/** Throws UserError. */
export function parseSiteLimit(text: string): number {
  const limit = findSiteLimit(text)
  if (limit !== null) return limit
  throw new UserError(`the site limit must be a number from 1 to ${siteLimitMax}`)
}

const isSiteLimit = (limit: unknown): limit is number =>
  typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= siteLimitMax

export const siteLimitField = createSchema<number>(
  { type: "integer", minimum: 1, maximum: siteLimitMax },
  (value, field) => {
    if (isSiteLimit(value)) return value
    throw invalid(field, "not_an_integer", { min: 1, max: siteLimitMax })
  },
)

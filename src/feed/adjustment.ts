/** How the lines of a feed are made to fit the contract before they are checked. */
import type { TimeZone } from "../domain/local-time.ts"
import { adjustRecord } from "./adjust-record.ts"
import { createFill, type FeedDefaults, noDefaults } from "./fill-record.ts"

/** Changes a line's value in place; true if it changed. */
export type Adjust = (value: unknown) => boolean

/** Without `timeZone`, times without a zone are refused. */
export function createAdjust(defaults: FeedDefaults, timeZone: TimeZone | null): Adjust {
  const fill = createFill(defaults)
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false
    // JSON.parse made it, and it is neither null nor a list.
    const members = value as Record<string, unknown>
    const isAdjusted = adjustRecord(members, timeZone)
    return fill(members) || isAdjusted
  }
}

/** For feeds that are complete. */
export const adjustSpelling: Adjust = createAdjust(noDefaults, null)

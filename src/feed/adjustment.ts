/** How the lines of a feed are made to fit the contract before they are checked. */
import { isObject } from "../domain/json-object.ts"
import type { TimeZone } from "../domain/local-time.ts"
import { adjustRecord } from "./adjust-record.ts"
import { createFill, type FeedDefaults, noDefaults } from "./fill-record.ts"

/** Changes a line's value in place; true if it changed. */
export type Adjust = (value: unknown) => boolean

/** Without `timeZone`, times without a zone are refused. */
export function createAdjust(defaults: FeedDefaults, timeZone: TimeZone | null): Adjust {
  const fill = createFill(defaults)
  return (value) => {
    if (!isObject(value)) return false
    const isAdjusted = adjustRecord(value, timeZone)
    return fill(value) || isAdjusted
  }
}

/** For feeds that are complete. */
export const adjustSpelling: Adjust = createAdjust(noDefaults, null)

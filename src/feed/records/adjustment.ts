/** How the lines of a feed are made to fit the contract before they are checked. */
import { isObject } from "../../domain/values/json-object.ts"
import type { TimeZone } from "../../domain/values/time/local-time.ts"
import { adjustRecord } from "./adjust-record.ts"
import { createFill, type FeedDefaults, noDefaults } from "./fill-record.ts"
import { createSalvage, type Salvage } from "./salvage-record.ts"

export type Adjust = Readonly<{
  /** Corrects spellings and fills in defaults, in place; true if the line changed. */
  correct(value: unknown): boolean
  /** For a line that was refused: drops what must not refuse it. */
  salvage: Salvage
}>

/** Without `timeZone`, times without a zone are refused. */
export function createAdjust(defaults: FeedDefaults, timeZone: TimeZone | null): Adjust {
  const fill = createFill(defaults)
  return {
    correct(value) {
      if (!isObject(value)) return false
      const isAdjusted = adjustRecord(value, timeZone)
      return fill(value) || isAdjusted
    },
    salvage: createSalvage(fill),
  }
}

/** For feeds that are complete. */
export const adjustSpelling: Adjust = createAdjust(noDefaults, null)

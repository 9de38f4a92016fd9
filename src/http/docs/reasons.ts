/** Every reason with its statuses, its meaning and what to do about it. */
import type { Locale } from "../api/answer/messages.ts"
import { textsOf } from "../openapi/document.ts"
import type { Words } from "../pages/translations/en.ts"
import type { Reference } from "./reference.ts"

export type ReasonFacts = Readonly<{
  reason: string
  statuses: string
  meaning: string
  action: string
}>

/** The reasons of the described operations, and that of an unknown path. */
export function listReasons(
  { statuses }: Pick<Reference, "statuses">,
  { docs }: Words,
  locale: Locale,
): readonly ReasonFacts[] {
  const meanings: Readonly<Record<string, string>> = textsOf[locale].reasons
  const known = new Map(statuses).set("unknown_path", ["404"])
  return Object.entries(docs.actions)
    .filter(([reason]) => known.has(reason))
    .map(([reason, action]) => ({
      ...{ reason, action, meaning: meanings[reason] ?? "" },
      statuses: known.get(reason)?.join(", ") ?? "",
    }))
}

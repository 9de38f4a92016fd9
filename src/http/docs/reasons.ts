/** Every reason with its statuses, its meaning and what to do about it. */
import type { Reason } from "../../domain/error.ts"
import type { Locale } from "../api/messages.ts"
import { textsOf } from "../openapi/document.ts"
import type { Words } from "../workspace/translations/en.ts"
import type { Reference } from "./reference.ts"

export type ReasonFacts = Readonly<{
  reason: string
  statuses: string
  meaning: string
  action: string
}>

export function listReasons(
  { statuses }: Pick<Reference, "statuses">,
  { docs }: Words,
  locale: Locale,
): readonly ReasonFacts[] {
  // Object.keys knows no more than that they are strings.
  const reasons = Object.keys(docs.actions) as Reason[]
  return reasons.map((reason) => ({
    reason,
    // No operation answers with it: the path itself is not there.
    statuses: reason === "unknown_path" ? "404" : (statuses.get(reason) ?? []).join(", "),
    meaning: textsOf[locale].reasons[reason],
    action: docs.actions[reason],
  }))
}

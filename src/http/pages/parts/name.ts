/** A name for lists, titles and the rail: never blank, cut to a readable length. */
import { trimBlank } from "../../../domain/values/blank.ts"

const charactersMax = 200

/** For a sentence, where `<bdi>` cannot stand: the direction of the name does not change that of the rest. */
export const isolate = (name: string) => `\u2068${name}\u2069`

export function shownName(name: string, instead: string | number): string {
  const characters = [...(trimBlank(name) || String(instead))]
  if (characters.length <= charactersMax) return characters.join("")
  return `${characters.slice(0, charactersMax).join("")}…`
}

/** A name as lists, titles and the rail show it: never blank, never longer than anybody reads. */
import { trimBlank } from "../../../domain/blank.ts"

const charactersMax = 200

export function shownName(name: string, instead: string | number): string {
  const characters = [...(trimBlank(name) || String(instead))]
  if (characters.length <= charactersMax) return characters.join("")
  return `${characters.slice(0, charactersMax).join("")}…`
}

/** A URL as a browser sends it. Nothing but characters changes: no path is resolved, no slash is added. */
import { trimBlank } from "../../domain/values/blank.ts"

/** Everything but white space, controls, letters beyond ASCII, and `"<>^\`{}`. */
const plain = /^[!#-;=?-\]_a-z|~]*$/

const webAddress = /^(https?:\/\/)([^/?#\\]+)([^?#]*)(.*)$/is
/** Of these sets, the second is for queries and fragments. */
const encodedInPath = /[^!-~]+|["<>^`{}]/g
const encodedAfterPath = /[^!-~]+|["<>]/g

/** A text that is no web address stays as it is. */
export function encodeUrl(text: string): string {
  if (plain.test(text)) return text
  // Browsers leave line breaks and tabs out.
  const line = trimBlank(text).replaceAll(/[\t\n\r]/g, "")
  if (!line.isWellFormed() || line.includes("\0")) return text
  const [, scheme = "", authority = "", path = "", rest = ""] = webAddress.exec(line) ?? []
  const origin = encodeOrigin(scheme + authority)
  if (origin === null) return text
  const encodedPath = path.replaceAll(encodedInPath, encodeURIComponent)
  const encoded = origin + encodedPath + rest.replaceAll(encodedAfterPath, encodeURIComponent)
  return URL.canParse(encoded) ? encoded : text
}

/** Null for a host that no browser would look up, such as one with a blank. */
function encodeOrigin(origin: string): string | null {
  if (plain.test(origin) && origin !== "") return origin
  const parsed = URL.parse(`${origin}/`)
  return parsed === null ? null : parsed.href.slice(0, -"/".length)
}

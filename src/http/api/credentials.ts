/** The API key of a request: parameter `api_key`, else `X-Api-Key`, else `Authorization: Bearer`. */
import { trimBlank } from "../../domain/blank.ts"
import { DomainError } from "../../domain/error.ts"
import type { Parameters } from "./parameters.ts"

/** `secret` is null when there is none; `consulted` names the headers that were looked at. */
export type Credentials = Readonly<{ secret: string | null; consulted: readonly string[] }>

export function readCredentials(parameters: Parameters, headers: Headers): Credentials {
  const parameter = parameters("api_key")
  if (typeof parameter === "string") return { secret: parameter, consulted: [] }
  if (parameter !== null) throw new DomainError("unknown_key")
  const header = trimBlank(decodeHeader(headers.get("x-api-key") ?? ""))
  if (header !== "") return { secret: header, consulted: ["X-Api-Key"] }
  return { secret: bearerOf(headers), consulted: ["X-Api-Key", "Authorization"] }
}

/** The scheme is taken in any case; other schemes are not ours to judge and count as no key. */
export function bearerOf(headers: Headers): string | null {
  const authorization = decodeHeader(headers.get("authorization") ?? "")
  if (!/^bearer\s/i.test(authorization)) return null
  return trimBlank(authorization.slice("bearer".length)) || null
}

/** Headers arrive as Latin-1; clients write theirs in UTF-8. What is not UTF-8 stays as it came. */
function decodeHeader(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value
  const decoded = Buffer.from(value, "latin1").toString("utf8")
  return decoded.includes("\ufffd") ? value : decoded
}

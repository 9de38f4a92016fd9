/** The API key of a request: parameter `api_key`, else `X-Api-Key`, else `Authorization: Bearer`. */
import { trimBlank } from "../../domain/blank.ts"
import { DomainError } from "../../domain/error.ts"
import type { Exchange } from "./answer.ts"

/** The key, or null when there is none. The exchange learns which headers were looked at. */
export function findSecret(exchange: Exchange): string | null {
  const parameter = exchange.parameters("api_key")
  if (typeof parameter === "string") return parameter
  if (parameter !== null) throw new DomainError("unknown_key")
  const { headers } = exchange.request
  exchange.keyHeaders = ", X-Api-Key"
  const header = trimBlank(decodeHeader(headers.get("x-api-key") ?? ""))
  if (header !== "") return header
  exchange.keyHeaders = ", X-Api-Key, Authorization"
  return bearerOf(headers)
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

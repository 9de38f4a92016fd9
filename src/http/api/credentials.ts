/** The API key of a request: parameter `api_key`, else `X-Api-Key`, else `Authorization: Bearer`. */
import { trimBlank } from "../../domain/blank.ts"
import { DomainError } from "../../domain/error.ts"
import type { Parameters } from "./parameters.ts"

/** The headers a key was looked for in, as `Vary` lists them. */
export type KeyHeaders = "" | ", Authorization" | ", X-Api-Key" | ", X-Api-Key, Authorization"

export type Credentials = Readonly<{
  /** Null when the request brings none. */
  secret: string | null
  /** The key as the client sent it: with its blanks, apart from those that HTTP drops around a header. */
  sent: string
  keyHeaders: KeyHeaders
}>

export function parseCredentials(parameters: Parameters, headers: Headers): Credentials {
  const parameter = parameters.findAsSent("api_key")
  if (typeof parameter === "string") return credentials(parameter, "")
  if (parameter !== null) throw new DomainError("unknown_key")
  const header = credentials(decodeHeader(headers.get("x-api-key") ?? ""), ", X-Api-Key")
  if (header.secret !== null) return header
  return credentials(bearerOf(headers), ", X-Api-Key, Authorization")
}

const credentials = (sent: string, keyHeaders: KeyHeaders): Credentials => ({
  secret: trimBlank(sent) || null,
  sent,
  keyHeaders,
})

/** Null without one. */
export const findBearer = (headers: Headers) => trimBlank(bearerOf(headers)) || null

/** The scheme is taken in any case; other schemes count as no key. */
function bearerOf(headers: Headers): string {
  const authorization = decodeHeader(headers.get("authorization") ?? "")
  return /^bearer\s[ \t]*(.*)$/is.exec(authorization)?.[1] ?? ""
}

/** The runtime decodes headers as Latin-1; clients send UTF-8. A value that is not UTF-8 is kept. */
function decodeHeader(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value
  const decoded = Buffer.from(value, "latin1").toString("utf8")
  return decoded.includes("\ufffd") ? value : decoded
}

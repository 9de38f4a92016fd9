/** The API key of a request: parameter `api_key`, else `X-Api-Key`, else `Authorization: Bearer`. */
import { trimBlank } from "../../domain/blank.ts"
import { DomainError } from "../../domain/error.ts"
import type { Parameters } from "./parameters.ts"

/** The headers a key was looked for in, as `Vary` lists them. */
export type KeyHeaders = "" | ", Authorization" | ", X-Api-Key" | ", X-Api-Key, Authorization"

/** `secret` is null when the request brings none. */
export type Credentials = Readonly<{ secret: string | null; keyHeaders: KeyHeaders }>

export function parseCredentials(parameters: Parameters, headers: Headers): Credentials {
  const parameter = parameters("api_key")
  if (typeof parameter === "string") return { secret: parameter, keyHeaders: "" }
  if (parameter !== null) throw new DomainError("unknown_key")
  const header = trimBlank(decodeHeader(headers.get("x-api-key") ?? ""))
  if (header !== "") return { secret: header, keyHeaders: ", X-Api-Key" }
  return { secret: findBearer(headers), keyHeaders: ", X-Api-Key, Authorization" }
}

/** Null without one. The scheme is taken in any case; other schemes count as no key. */
export function findBearer(headers: Headers): string | null {
  const authorization = decodeHeader(headers.get("authorization") ?? "")
  if (!/^bearer\s/i.test(authorization)) return null
  return trimBlank(authorization.slice("bearer".length)) || null
}

/** The runtime decodes headers as Latin-1; clients send UTF-8. A value that is not UTF-8 is kept. */
function decodeHeader(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value
  const decoded = Buffer.from(value, "latin1").toString("utf8")
  return decoded.includes("\ufffd") ? value : decoded
}

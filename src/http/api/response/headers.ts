/** Headers of answers, whatever they answer. */
import type { Reason } from "../../../domain/values/error.ts"

/** Every answer but those of the probes has them. */
export type CommonHeaders = Readonly<Record<string, string>>

/** `publicUrl` is null where none is set. Browsers heed Strict-Transport-Security on https only. */
export function commonHeaders(publicUrl: string | null): CommonHeaders {
  const isSecure = publicUrl?.startsWith("https:") ?? false
  return {
    "X-Content-Type-Options": "nosniff",
    ...(isSecure ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  }
}

/** The page that the `Link` of an error response leads to, relative without `PAZAR_PUBLIC_URL`. */
export const helpUrlOf = (publicUrl: string | null) => `${publicUrl ?? ""}/docs/errors`

export function setHeaders(headers: Headers, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) headers.set(name, value)
}

/**
 * Bun 1.4 sends no `Date` with answers to HEAD. It adds none to a response that has one. Only then are the headers
 * asked for: the runtime makes an object of them.
 */
export function addMissingDate(method: string, response: Response): void {
  if (method === "HEAD") response.headers.set("Date", new Date().toUTCString())
}

/** `Retry-After`, in seconds: long enough for a restart, short enough that a buyer waits and does not give up. */
export const unavailableRetryAfter = "5"

export const retryAfterSeconds: Readonly<Partial<Record<Reason, string>>> = {
  rate_limited: "1",
  unavailable: unavailableRetryAfter,
}

/**
 * For an answer that web pages of other sites may read: only of paths that take keys which may be shipped, and
 * of the key set. Without credentials, so cookies play no part.
 */
export const crossOriginHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Pazar-Reason, Request-Id, Retry-After, Unencoded-Digest, Pazar-Question, Signature, Signature-Input",
} as const

/** The answer to OPTIONS, which a browser asks before a request. `methods` as in `GET, HEAD`. */
export const createPreflightResponse = (methods: string) =>
  new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "Content-Type, X-Api-Key, Authorization",
      "Access-Control-Max-Age": "86400",
    },
  })

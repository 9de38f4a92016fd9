/** Headers of answers, whatever they answer. */
import type { Reason } from "../../domain/values/error.ts"

/** Every answer has them. */
export type CommonHeaders = Readonly<Record<string, string>>

/** `publicUrl` is null where none is set. Browsers heed Strict-Transport-Security on https only. */
export function commonHeaders(publicUrl: string | null): CommonHeaders {
  const isSecure = publicUrl?.startsWith("https:") ?? false
  return {
    "X-Content-Type-Options": "nosniff",
    ...(isSecure ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  }
}

export function setHeaders(headers: Headers, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) headers.set(name, value)
}

/** Bun 1.4 sends no `Date` with answers to HEAD. It adds none to a response that has one. */
export function addMissingDate(method: string, { headers }: Response): void {
  if (method === "HEAD") headers.set("Date", new Date().toUTCString())
}

/** `Retry-After`, in seconds: long enough for a restart, short enough that a buyer waits and does not give up. */
export const unavailableRetryAfter = "5"

export const retryAfterSeconds: Readonly<Partial<Record<Reason, string>>> = {
  rate_limited: "1",
  unavailable: unavailableRetryAfter,
}

import type { Failure } from "../platform/error.ts"
import type { Locale } from "../platform/locale.ts"
import type { Operation } from "./operation.ts"

/** Sent with every response except probes. */
export type CommonHeaders = Readonly<Record<string, string>>

/** Browsers honor Strict-Transport-Security on https only. */
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
 * Bun 1.4 omits `Date` in responses to HEAD. Other responses are left alone: reading `response.headers`
 * makes the runtime create an object.
 */
export function addMissingDate(method: string, response: Response): void {
  if (method === "HEAD") response.headers.set("Date", new Date().toUTCString())
}

/** `Retry-After` in seconds: long enough for a restart, short enough for a buyer to wait. */
export const unavailableRetryAfter = "5"

/**
 * Let web pages of other origins read the response. Only for the key set and for paths that accept keys
 * which products may ship. Browsers send no cookies with such requests.
 */
export const crossOriginHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Pazar-Reason, Request-Id, Retry-After, Unencoded-Digest, Pazar-Question, Signature, Signature-Input",
} as const

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

type LocalizedText = Readonly<Record<Locale, string>>

const statusTexts = {
  success: { en: "success", tr: "başarılı" },
  error: { en: "error", tr: "hata" },
} as const satisfies Record<string, LocalizedText>

const invalidCode = { en: "Invalid purchase code", tr: "Geçersiz satın alma kodu" }

const invalidRequest = { en: "Invalid request", tr: "Geçersiz istek" }

/** The message of an operation's failures. That of the list is Turkish in both languages. */
const operationMessages: Readonly<Record<Operation, LocalizedText>> = {
  read_account: invalidRequest,
  list_items: { en: "Ürün bulunamadı", tr: "Ürün bulunamadı" },
  read_item: { en: "Item Not Found", tr: "Ürün Bulunamadı" },
  validate_purchase: invalidCode,
  release_site: invalidCode,
  list_purchases: invalidRequest,
  list_sites: invalidRequest,
  create_download: invalidRequest,
}

const generalMessages: Readonly<Partial<Record<Failure, LocalizedText>>> = {
  unknown_code: invalidCode,
  revoked_code: invalidCode,
  expired_code: invalidCode,
  site_limit: invalidCode,
  rate_limited: { en: "Too many requests", tr: "Çok fazla istek" },
  unavailable: { en: "Service unavailable", tr: "Hizmet şu anda kullanılamıyor" },
  method_not_allowed: { en: "Method not allowed", tr: "Yönteme izin verilmiyor" },
  too_large: { en: "Request too large", tr: "İstek çok büyük" },
}

export const successBodyPrefixes: LocalizedText = {
  en: `{"status":"${statusTexts.success.en}",`,
  tr: `{"status":"${statusTexts.success.tr}",`,
}

export function renderErrorBody(
  operation: Operation | null,
  failure: Failure,
  locale: Locale,
): string {
  const message =
    generalMessages[failure] ?? (operation === null ? invalidRequest : operationMessages[operation])
  return JSON.stringify({ status: statusTexts.error[locale], msg: message[locale] })
}

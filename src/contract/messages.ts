/** The texts of responses in both languages. The contract fixes them byte for byte. */

import type { Failure } from "../platform/error.ts"
import type { Locale } from "../platform/locale.ts"
import type { Operation } from "./operation.ts"

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

/** Failures that do not depend on the operation. */
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

/** `operation` is null if the path has none. */
export function renderErrorBody(
  operation: Operation | null,
  failure: Failure,
  locale: Locale,
): string {
  const message =
    generalMessages[failure] ?? (operation === null ? invalidRequest : operationMessages[operation])
  return JSON.stringify({ status: statusTexts.error[locale], msg: message[locale] })
}

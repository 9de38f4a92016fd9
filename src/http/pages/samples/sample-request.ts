/** The request that the samples of a path make, whatever language they are in. */

import type { Locale } from "../../../domain/values/locale.ts"
import { envatoSaleRoute } from "../../api/envato/envato-sale-endpoint.ts"
import { listItemsEndpoint } from "../../api/list-items-endpoint.ts"
import { readAccountEndpoint } from "../../api/read-account-endpoint.ts"
import { readItemEndpoint } from "../../api/read-item-endpoint.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase-endpoint.ts"

export const testCode = "test-regular"

export type SampleRequest = Readonly<{
  /** The Java class is named after it. */
  name: string
  url: string
  /** The key, and the header it travels in: alone, or as a bearer token. */
  secret: string
  header: "X-Api-Key" | "Authorization"
  /** Sent as a form; null for GET. */
  form: Readonly<Record<string, string>> | null
}>

export type SampleSettings = Readonly<{
  /** As in `https://api.example.com`. */
  baseUrl: string
  /** The key in the samples. */
  secret: string
  /** The language that the samples ask for, and print. */
  locale: Locale
  /** Without it, a test code. */
  purchaseCode?: string
}>

/** Null for a path that has no samples. */
export function findSampleRequest(
  path: string,
  { baseUrl, secret, locale, purchaseCode = testCode }: SampleSettings,
): SampleRequest | null {
  const url = `${baseUrl}${path}`
  const get = { url: `${url}?lang=${locale}`, secret, header: "X-Api-Key", form: null } as const
  switch (path) {
    case readAccountEndpoint.path:
      return { ...get, name: "ReadAccount" }
    case listItemsEndpoint.path:
      return { ...get, name: "ListItems" }
    case readItemEndpoint.path:
      return { ...get, name: "ReadItem", url: `${url}?item_id=1&lang=${locale}` }
    case validatePurchaseEndpoint.path:
      return {
        ...get,
        name: "ValidatePurchase",
        url,
        form: { purchase_code: purchaseCode, lang: locale },
      }
    case envatoSaleRoute.path:
      return {
        ...get,
        name: "FindSale",
        header: "Authorization",
        url: `${url}?code=${testCode}`,
      }
    default:
      return null
  }
}

/** The value of the header; `key` is the key itself or what stands for it in a program. */
export const headerValueOf = ({ header }: Pick<SampleRequest, "header">, key: string) =>
  header === "Authorization" ? `Bearer ${key}` : key

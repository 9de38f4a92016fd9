import type { Locale } from "../../../domain/values/locale.ts"
import { envatoSaleRoute } from "../../api/envato/envato-endpoints.ts"
import { listItemsEndpoint } from "../../api/list-items-endpoint.ts"
import { readAccountEndpoint } from "../../api/read-account-endpoint.ts"
import { readItemEndpoint } from "../../api/read-item-endpoint.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase-endpoint.ts"

export const testCode = "test-regular"

export type SampleRequest = Readonly<{
  /** The name of the Java class. */ name: string
  url: string
  secret: string
  header: "X-Api-Key" | "Authorization"
  /** The body as a form; null for GET. */
  form: Readonly<Record<string, string>> | null
}>

export type SampleSettings = Readonly<{
  /** As in `https://api.example.com`. */ baseUrl: string
  secret: string
  /** The language of the responses and of the printed texts. */
  locale: Locale
  /** Defaults to a test code. */
  purchaseCode?: string
  /** Absent with a real key: a sample must not activate a site. */
  site?: string
}>

/** Null for a path without samples. */
export function findSampleRequest(
  path: string,
  { baseUrl, secret, locale, purchaseCode = testCode, site }: SampleSettings,
): SampleRequest | null {
  const url = `${baseUrl}${path}`
  const sent = site === undefined ? {} : { site }
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
        form: { purchase_code: purchaseCode, ...sent, lang: locale },
      }
    case envatoSaleRoute.path:
      return {
        ...get,
        name: "FindSale",
        header: "Authorization",
        url: `${url}?${new URLSearchParams({ code: testCode, ...sent })}`,
      }
    default:
      return null
  }
}

/** The value of the header. `key` is the key or the variable that holds it. */
export const headerValueOf = ({ header }: Pick<SampleRequest, "header">, key: string) =>
  header === "Authorization" ? `Bearer ${key}` : key

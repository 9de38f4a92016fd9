/** The request that the samples of a path make, whatever language they are in. */

import { listItemsEndpoint } from "../../api/list-items.ts"
import { readAccountEndpoint } from "../../api/read-account.ts"
import { readItemEndpoint } from "../../api/read-item.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase.ts"
import { saleRoute } from "../../envato/answer-sale.ts"

export type SampleRequest = Readonly<{
  /** The Java class is named after it. */
  name: string
  url: string
  header: Readonly<{ name: string; value: string }>
  /** Sent as a form; null for GET. */
  form: Readonly<Record<string, string>> | null
}>

export type SampleSettings = Readonly<{
  /** As in `https://api.example.com`. */
  baseUrl: string
  /** The test key in the samples. */
  secret: string
}>

/** Null for a path that has no samples. */
export function findSampleRequest(
  path: string,
  { baseUrl, secret }: SampleSettings,
): SampleRequest | null {
  const url = `${baseUrl}${path}`
  const header = { name: "X-Api-Key", value: secret }
  switch (path) {
    case readAccountEndpoint.path:
      return { name: "ReadAccount", url, header, form: null }
    case listItemsEndpoint.path:
      return { name: "ListItems", url, header, form: null }
    case readItemEndpoint.path:
      return { name: "ReadItem", url: `${url}?item_id=1`, header, form: null }
    case validatePurchaseEndpoint.path:
      return {
        ...{ name: "ValidatePurchase", url, header },
        form: { purchase_code: "test-regular", lang: "en" },
      }
    case saleRoute.path: {
      const bearer = { name: "Authorization", value: `Bearer ${secret}` }
      return { name: "FindSale", url: `${url}?code=test-regular`, header: bearer, form: null }
    }
    default:
      return null
  }
}

/** The operations, with the facts about them that their endpoints do not hold. */

import { sampleWorld } from "../../domain/catalogue/sample-world.ts"
import type { FoundKey } from "../../domain/keys/api-key.ts"
import type { Failure } from "../../domain/values/error.ts"
import type { JsonSchema } from "../../domain/values/shape.ts"
import { performOperation } from "../../operations/operation.ts"
import { readWhole } from "../api/answer/body-bytes.ts"
import type { Endpoint } from "../api/answer/endpoint.ts"
import { type Locale, openings } from "../api/answer/messages.ts"
import { entryBytesMax } from "../api/answer/response-cache.ts"
import { listItemsEndpoint } from "../api/list-items.ts"
import { readAccountEndpoint } from "../api/read-account.ts"
import { readItemEndpoint } from "../api/read-item.ts"
import { releaseSiteEndpoint } from "../api/release-site.ts"
import { validatePurchaseEndpoint } from "../api/validate-purchase.ts"
import type { ParameterName } from "./parameters.ts"
import { exactly, refer } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"

type Facts = Readonly<{
  tag: keyof Texts["tags"]
  parameters: readonly ParameterName[]
  /** Those of them that may be left out. */
  optional: readonly ParameterName[]
  /** The members of a success beside `status`. */
  success: Readonly<Record<string, JsonSchema>>
  /** Beside `commonFailures`. */
  failures: readonly Failure[]
}>

export type DescribedOperation = Facts &
  Pick<
    Endpoint<never, never, never>,
    "operation" | "path" | "method" | "cacheControl" | "isCrossOrigin"
  > &
  Readonly<{
    /** Whether its successes carry an entity tag. */
    isTagged: boolean
    /** A success over the sample data of test keys. */
    renderExample(locale: Locale): Promise<string>
  }>

/** The test key that the examples are made with. */
export const exampleKey: FoundKey = {
  id: "key_of_the_examples",
  accountId: 0,
  kind: "tk",
  itemIds: null,
  expiresAt: null,
  revokedAt: null,
  isAccountSuspended: false,
}

/** `input` is what the example asks for. */
function describe<Input, Found, Result>(
  endpoint: Endpoint<Input, Found, Result>,
  input: Input,
  facts: Facts,
): DescribedOperation {
  const { operation, path, method, cacheControl, isCrossOrigin } = endpoint
  return {
    operation,
    path,
    method,
    cacheControl,
    isCrossOrigin,
    ...facts,
    isTagged: method === "GET",
    async renderExample(locale) {
      const result = await performOperation(endpoint, sampleWorld, exampleKey, input)
      const body = await endpoint.render(result, openings[locale])
      return new Blob((await readWhole(body, entryBytesMax)) ?? []).text()
    },
  }
}

export const describedOperations: readonly DescribedOperation[] = [
  describe(readAccountEndpoint, null, {
    tag: "Account",
    parameters: [],
    optional: [],
    success: { data: refer("Account") },
    failures: ["key_not_allowed"],
  }),
  describe(listItemsEndpoint, null, {
    tag: "Items",
    parameters: [],
    optional: [],
    success: { items: { type: "array", items: refer("Item"), minItems: 1 } },
    failures: ["key_not_allowed", "no_items"],
  }),
  describe(readItemEndpoint, 1, {
    tag: "Items",
    parameters: ["item_id"],
    optional: [],
    success: { item: refer("Item") },
    failures: ["key_not_allowed", "missing_parameter", "invalid_parameter", "unknown_item"],
  }),
  describe(
    validatePurchaseEndpoint,
    { code: "test-regular", site: null },
    {
      tag: "Purchases",
      parameters: ["purchase_code", "site", "nonce"],
      optional: ["site", "nonce"],
      success: { data: exactly({ purchase: refer("Purchase") }) },
      failures: [
        ...(["missing_parameter", "invalid_parameter", "unknown_code", "revoked_code"] as const),
        ...(["site_limit", "too_large"] as const),
      ],
    },
  ),
  describe(
    releaseSiteEndpoint,
    { code: "test-regular", site: "shop.example.com" },
    {
      tag: "Purchases",
      parameters: ["purchase_code", "site"],
      optional: [],
      success: {},
      failures: [
        ...(["missing_parameter", "invalid_parameter", "unknown_code", "revoked_code"] as const),
        "too_large",
      ],
    },
  ),
]

import { DomainError } from "../../domain/error.ts"
import type { Purchase } from "../../domain/purchase.ts"
import { normalisePurchaseCode } from "../../domain/purchase-code.ts"
import { validatePurchase } from "../../operations/validate-purchase.ts"
import type { Endpoint } from "./endpoint.ts"
import { type Parameters, textParameter } from "./parameters.ts"

export const validatePurchaseEndpoint: Endpoint<string, readonly Purchase[], Purchase> = {
  ...validatePurchase,
  operation: "validate_purchase",
  path: "/api/purchases/validation",
  method: "POST",
  cacheControl: "no-store",
  parameters: parseCode,
  contentVersion: () => null,
  usesResponseCache: false,
  render: ({ body }, opening) => `${opening}"data":{"purchase":${body}}}`,
}

function parseCode(given: Parameters): string {
  const code = normalisePurchaseCode(textParameter(given, "purchase_code"))
  if (code === null) throw new DomainError("invalid_parameter")
  // Nothing but invisible characters: blank after all.
  if (code === "") throw new DomainError("missing_parameter")
  return code
}

import type { Account } from "../../domain/catalog/account.ts"
import { readAccount } from "../../operations/catalog/account-operations.ts"
import type { Endpoint } from "./response/endpoint.ts"
import { hashBody } from "./response/entity-tag.ts"

export const readAccountEndpoint: Endpoint<null, Account | null, Account> = {
  ...readAccount,
  operation: "read_account",
  path: "/api/account/details",
  method: "GET",
  cacheControl: "private, no-cache",
  isCrossOrigin: false,
  parameters: () => null,
  challenge: () => null,
  contentVersion: hashBody,
  usesResponseCache: false,
  requestedPurchase: () => null,
  render: ({ body }, opening) => `${opening}"data":${body}}`,
}

import type { Account } from "../../domain/catalogue/account.ts"
import { readAccount } from "../../operations/catalogue/accounts.ts"
import type { Endpoint } from "./answer/endpoint.ts"
import { hashBody } from "./answer/entity-tag.ts"

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
  askedPurchase: () => null,
  render: ({ body }, opening) => `${opening}"data":${body}}`,
}

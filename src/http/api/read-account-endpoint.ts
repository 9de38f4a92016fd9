import type { Account } from "../../domain/catalog/account.ts"
import { readAccount } from "../../operations/catalog/account-operations.ts"
import { type Endpoint, readDefaults } from "./response/endpoint.ts"
import { hashBody } from "./response/entity-tag.ts"

export const readAccountEndpoint: Endpoint<null, Account> = {
  ...readDefaults,
  perform: readAccount,
  operation: "read_account",
  path: "/api/account/details",
  parameters: () => null,
  contentVersion: hashBody,
  render: ({ body }, opening) => `${opening}"data":${body}}`,
}

import { type Endpoint, readDefaults } from "../api/endpoint.ts"
import { hashBody } from "../platform/http/entity-tag.ts"
import type { Account } from "./account.ts"
import { readAccount } from "./account-operations.ts"

export const readAccountEndpoint: Endpoint<null, Account> = {
  ...readDefaults,
  perform: readAccount,
  operation: "read_account",
  path: "/api/account/details",
  parameters: () => null,
  contentVersion: hashBody,
  render: ({ body }, opening) => `${opening}"data":${body}}`,
}

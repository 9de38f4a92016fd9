import type { Account, AccountStore } from "../accounts/account.ts"
import { readAccount } from "../accounts/account-operations.ts"
import { operationPaths } from "../contract/operation.ts"
import { hashBody } from "../platform/http/compression.ts"
import { type Endpoint, readDefaults, type Serve } from "./endpoint.ts"

type AccountData = Readonly<{ accounts: Pick<AccountStore, "find"> }>

export const readAccountEndpoint: Endpoint<AccountData, null, Account> = {
  ...readDefaults,
  perform: readAccount,
  operation: "read_account",
  path: operationPaths.read_account,
  parameters: () => null,
  contentVersion: hashBody,
  render: ({ body }, opening) => `${opening}"data":${body}}`,
}

export const accountEndpoints = (serve: Serve<AccountData>) => serve(readAccountEndpoint)

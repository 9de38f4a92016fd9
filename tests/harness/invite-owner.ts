import type { Account } from "../../src/domain/catalog/account.ts"
import { type Inviting, invite } from "../../src/operations/sign-in/invitation-operations.ts"

/** A link for the owner of the account, as `pazar account invite` prints it. */
export const inviteOwner = (services: Inviting, { id, username }: Account) =>
  invite(services, { accountId: id, role: "owner", name: username })

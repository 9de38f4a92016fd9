import type { Account } from "../../src/accounts/account.ts"
import { type Inviting, invite } from "../../src/people/invitation-operations.ts"

/** A link for the owner of the account, as `pazar account invite` prints it. */
export const inviteOwner = (services: Inviting, { id, username }: Account) =>
  invite(services, { accountId: id, role: "owner", name: username })

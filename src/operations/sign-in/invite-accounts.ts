import type { Account, AccountStore } from "../../domain/catalogue/account.ts"
import { recordManyInvited, type Tally } from "../record-event.ts"
import { createInvitation, type Invited, type Inviting } from "./invite-account.ts"

export type InvitingAll = Inviting &
  Tally &
  Readonly<{
    accounts: Pick<AccountStore, "list" | "listWithPassword">
  }>

export type InvitedAccount = Invited & Readonly<{ username: string }>

/** Large enough that writing takes little of the time; small enough that the first links come at once. */
const pageAccounts = 500

/**
 * Invites every account, or those that have no password, but no suspended one. A page is written before
 * it is yielded, so every link that is printed works and is counted in the audit.
 */
export async function* inviteAccounts(
  services: InvitingAll,
  whom: "all" | "without password",
): AsyncGenerator<readonly InvitedAccount[]> {
  let after = ""
  for (;;) {
    const page = await services.accounts.list(after, pageAccounts)
    const last = page.at(-1)
    if (last === undefined) return
    const owners =
      whom === "all" ? [] : await services.accounts.listWithPassword(after, last.username)
    const invited = page.filter(({ id, isSuspended }) => !isSuspended && !owners.includes(id))
    if (invited.length > 0) yield await invite(services, invited)
    after = last.username
  }
}

async function invite(
  services: InvitingAll,
  accounts: readonly Account[],
): Promise<readonly InvitedAccount[]> {
  const made = accounts.map(({ id, username }) => ({ username, ...createInvitation(services, id) }))
  await services.invitations.insertAll(made.map(({ invitation }) => invitation))
  await recordManyInvited(services, accounts.length)
  return made.map(({ username, token, invitation: { expiresAt } }) => ({
    username,
    token,
    expiresAt,
  }))
}

/** The people of an account: who joins, with which role, and who leaves. The last owner stays. */

import type { MemberRole } from "../access/actor.ts"
import type { Recording } from "../access/audit-operations.ts"
import { requireRight } from "../access/rights.ts"
import type { Account } from "../accounts/account.ts"
import { recordAccountEvent } from "../accounts/account-operations.ts"
import { findEmailAddress } from "../mail/email.ts"
import { UserError } from "../platform/error.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type Invited, type Inviting, invite } from "./invitation-operations.ts"
import { type Member, teamMax } from "./person.ts"
import {
  createLinkEmails,
  type LinkMailing,
  type Notifying,
  notifyPerson,
} from "./person-email-operations.ts"
import type { PeopleServices } from "./services.ts"
import type { Invitation } from "./session.ts"

type TeamChange = Recording & Pick<PeopleServices, "people">

type Team = Readonly<{ members: readonly Member[]; invitations: readonly Invitation[] }>

export async function readTeam(
  { people, invitations, now }: Pick<PeopleServices, "people" | "invitations" | "now">,
  { id: accountId }: Pick<Account, "id">,
): Promise<Team> {
  const members = await people.listMembers(accountId)
  return { members, invitations: await invitations.list({ accountId }, formatTimestamp(now())) }
}

/** Throws UserError for an invalid address, a full team or a suspended account. `mailing` is null if links are only shown. */
export async function inviteMember(
  services: Inviting & TeamChange & Readonly<{ mailing?: LinkMailing | null }>,
  account: Account,
  { email: typed, role }: Readonly<{ email: string; role: MemberRole }>,
): Promise<Invited & Readonly<{ isSent: boolean }>> {
  const { actor, mailing = null } = services
  requireRight(actor, "people")
  const email = findEmailAddress(typed)
  if (email === null) throw new UserError(`${typed} is not an e-mail address`)
  const { id: accountId, username, isSuspended } = account
  if (isSuspended) throw new UserError(`account ${username} is suspended; resume it first`)
  const { members, invitations } = await readTeam(services, account)
  if (members.length + invitations.length >= teamMax)
    throw new TeamFull(`account ${username} has ${teamMax} people and invitations`)
  const [name = ""] = email.split("@")
  const invited = await invite(services, { accountId, role, name, email }, (link) =>
    mailing === null
      ? []
      : createLinkEmails(
          mailing,
          { name, email, locale: null },
          { kind: "team_invitation", team: username, ...link },
        ),
  )
  await recordAccountEvent(services, account, "invited", { subjectName: email })
  return invited
}

export class TeamFull extends UserError {
  override name = "TeamFull"
}

/** Returns false if it is not, or no longer, one of this account. */
export async function withdrawMemberInvitation(
  services: TeamChange & Pick<PeopleServices, "invitations">,
  account: Account,
  id: string,
): Promise<boolean> {
  requireRight(services.actor, "people")
  const { invitations } = await readTeam(services, account)
  if (!invitations.some((each) => each.id === id)) return false
  await services.invitations.remove(id)
  return true
}

/** Tells the person by e-mail. `role` is null for somebody who leaves. Returns false for the last owner and if the person is not in the team. */
export async function putMemberRole(
  services: TeamChange & Notifying,
  account: Account,
  { personId, name, role: current }: Member,
  role: MemberRole | null,
): Promise<boolean> {
  requireRight(services.actor, "people")
  if (role === current) return true
  const person = await services.people.find(personId)
  if (!(await services.people.changeMember(account.id, personId, role))) return false
  const action = role === null ? "member_removed" : (`member_${role}` as const)
  await recordAccountEvent(services, account, action, { subjectName: name })
  if (person !== null) await notifyPerson(services, person, action, account)
  return true
}

import { type MemberRole, type OperatorRole, requireRight } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import { recordEvent } from "../access/audit-operations.ts"
import type { Account } from "../accounts/account.ts"
import { recordAccountEvent } from "../accounts/account-operations.ts"
import { findEmailAddress } from "../mail/email.ts"
import { UserError } from "../platform/error.ts"
import { lowerAscii } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type Invited, type Inviting, invite } from "./invitation-operations.ts"
import { namesOf } from "./password.ts"
import {
  type Member,
  type Operator,
  type OperatorStore,
  type Person,
  parsePersonName,
  teamMax,
} from "./person.ts"
import { createLinkEmails, notifyPerson, recordPersonEvent } from "./person-email-operations.ts"
import { hashNewPassword, removeTwoFactor, setPassword } from "./security-operations.ts"
import type { LinkMailing, Notifying, PeopleServices, TwoFactorPolicy } from "./services.ts"
import type { Invitation, Session } from "./session.ts"

/** `mailing` is null or absent if links are only shown. */
export type OperatorManagement = Recording &
  Notifying &
  Inviting &
  Pick<PeopleServices, "people" | "operators" | "passwords" | "hasher"> &
  Readonly<{ mailing?: LinkMailing | null }>

type InvitedOperator = Invited & Readonly<{ isSent: boolean }>

/** Null: the operator gets a link instead. */
export type NewPassword = string | null

export type NewOperator = Readonly<{ name: string; email: string | null; role: OperatorRole }>

/** Throws UserError for an existing or invalid name, or an unacceptable password. */
export async function createOperator(
  services: OperatorManagement,
  { name: typed, email, role }: NewOperator,
  password: NewPassword,
): Promise<InvitedOperator | null> {
  const { actor, people, operators, passwords, hasher, now, mailing = null } = services
  requireRight(actor, "operate")
  const name = parsePersonName(typed)
  if ((await operators.findByName(name)) !== null)
    throw new UserError(`operator ${name} already exists`)
  if (password === null) {
    const emailsOf = (invited: Invited) =>
      mailing === null
        ? []
        : createLinkEmails(
            mailing,
            { name, email, locale: null },
            { kind: "operator_invitation", ...invited },
          )
    const invited = await invite(services, { operatorRole: role, name, email }, emailsOf)
    await recordEvent(services, { kind: "operator", action: "invited" }, name)
    return invited
  }
  // Hashes first: a rejected password must not leave a stored person.
  const hash = await hashNewPassword(hasher, namesOf({ name, email }), password)
  const id = await people.insert({ name, email, createdAt: formatTimestamp(now()) })
  if (id === null) throw new UserError(`${name} already exists; choose another name, or --link`)
  await operators.insert(id, role)
  await passwords.put(id, hash)
  await recordEvent(services, { kind: "operator", action: `role_${role}` }, name)
  return null
}

/** A new password ends every session of the person; a link does so when it is used. */
export async function resetPassword(
  services: OperatorManagement,
  person: Person,
  password: NewPassword,
): Promise<InvitedOperator | null> {
  requireRight(services.actor, "operate")
  if (password !== null) {
    await setPassword(services, person, password)
    await recordPersonEvent(services, person, "password")
    return null
  }
  const { mailing = null } = services
  const emailsOf = (invited: Invited) =>
    mailing === null
      ? []
      : createLinkEmails(mailing, person, { kind: "password_reset", ...invited })
  const invited = await invite(services, { personId: person.id, name: person.name }, emailsOf)
  await recordPersonEvent(services, person, "invited")
  return invited
}

/**
 * For somebody who lost phone and recovery codes. The old password and identities end too: alone they were not enough to
 * sign in.
 */
export async function resetPasswordAndTwoFactor(
  services: OperatorManagement & Pick<PeopleServices, "twoFactor" | "passkeys" | "identities">,
  person: Person,
  password: NewPassword,
): Promise<InvitedOperator | null> {
  requireRight(services.actor, "operate")
  if (password === null) await services.passwords.put(person.id, null)
  const invited = await resetPassword(services, person, password)
  if (await services.identities.disconnectAll(person.id))
    await recordPersonEvent(services, person, "identity_removed")
  await removeTwoFactor(services, person)
  return invited
}

/** Throws UserError for a text that is not an e-mail address. Empty for none. */
export function parseEmail(text: string): string | null {
  if (text.trim() === "") return null
  const email = findEmailAddress(text)
  if (email === null) throw new UserError(`"${text}" is not an e-mail address`)
  return email
}

/** The old address gets an e-mail, too. */
export async function putEmail(
  services: Recording & Notifying & Pick<PeopleServices, "people">,
  person: Person,
  email: string | null,
): Promise<void> {
  requireRight(services.actor, "operate")
  await services.people.putEmail(person.id, email)
  await recordPersonEvent(services, person, "email")
  if (email !== person.email) await notifyPerson(services, { ...person, email }, "email")
}

type OperatorChange = Recording & Notifying & Pick<PeopleServices, "operators">

/** The next request of the operator has the new role. Throws UserError for the last admin, here and below. */
export async function changeOperatorRole(
  services: OperatorChange,
  operator: Operator,
  role: OperatorRole,
): Promise<void> {
  requireRight(services.actor, "operate")
  if (operator.role === role) return
  if (!(await services.operators.putRole(operator.id, role))) throw new LastAdmin(operator.name)
  await recordEvent(services, { kind: "operator", action: `role_${role}` }, operator.name)
  await notifyPerson(services, operator, `role_${role}`)
}

export async function removeOperator(services: OperatorChange, operator: Operator): Promise<void> {
  requireRight(services.actor, "operate")
  if (!(await services.operators.remove(operator.id))) throw new LastAdmin(operator.name)
  await recordEvent(services, { kind: "operator", action: "removed" }, operator.name)
  await notifyPerson(services, operator, "operator_removed")
}

/** Throws UserError for the last admin. */
export async function removePerson(
  services: OperatorChange & Pick<PeopleServices, "people">,
  person: Person,
): Promise<void> {
  const operator = await services.operators.find(person.id)
  if (operator !== null) await removeOperator(services, operator)
  await services.people.remove(person.id)
  await recordPersonEvent(services, person, "removed")
}

/** Those of operators with this name. Returns how many. */
export async function withdrawInvitations(
  services: Recording & Pick<PeopleServices, "invitations">,
  name: string,
): Promise<number> {
  const { actor, invitations, now } = services
  requireRight(actor, "operate")
  const all = await invitations.list("operators", formatTimestamp(now()))
  const named = all.filter((each) => lowerAscii(each.name) === lowerAscii(name))
  for (const { id } of named) await invitations.remove(id)
  if (named.length > 0) await recordEvent(services, { kind: "operator", action: "removed" }, name)
  return named.length
}

export class LastAdmin extends UserError {
  override name = "LastAdmin"
  constructor(operator: string) {
    super(`${operator} is the last admin; make another operator an admin first`)
  }
}

/** Also while an operator uses the workspace of an author. A passkey is two factors. */
export async function lacksRequiredFactor(
  {
    twoFactor,
    twoFactorPolicy,
  }: Pick<PeopleServices, "twoFactor"> & Readonly<{ twoFactorPolicy: TwoFactorPolicy }>,
  { personId, isByPasskey }: Pick<Session, "personId" | "isByPasskey">,
): Promise<boolean> {
  if (isByPasskey || !(await twoFactorPolicy.isRequired())) return false
  return (await twoFactor.find(personId)) === null
}

/** Whoever knows only the password must not add a factor, nor remove passkeys. */
export const mustUsePasskey = async (
  services: Parameters<typeof lacksRequiredFactor>[0] & Pick<PeopleServices, "passkeys">,
  session: Pick<Session, "personId" | "isByPasskey">,
): Promise<boolean> =>
  (await lacksRequiredFactor(services, session)) &&
  (await services.passkeys.list(session.personId)).length > 0

export async function setTwoFactorPolicy(
  services: Recording & Readonly<{ twoFactorPolicy: TwoFactorPolicy }>,
  isRequired: boolean,
): Promise<void> {
  requireRight(services.actor, "operate")
  await services.twoFactorPolicy.put(isRequired)
  const action = isRequired ? "second_factor_required" : "second_factor_optional"
  await recordEvent(services, { kind: "operator", action }, "")
}

/** Throws UserError if the operator does not exist. */
export async function requireOperator(
  operators: Pick<OperatorStore, "findByName">,
  name: string,
): Promise<Operator> {
  const operator = await operators.findByName(name)
  if (operator === null) throw new UserError(`operator ${name} does not exist`)
  return operator
}

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

/** Who belongs to the operators and to the team of an account: who joins, with which role, and who leaves. */

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
import { type Member, type Operator, type Person, parsePersonName, teamMax } from "./person.ts"
import { createLinkEmails, notifyPerson, recordPersonEvent } from "./person-email-operations.ts"
import { hashNewPassword, removeTwoFactor, setPassword } from "./security-operations.ts"
import type { Notifying, PeopleServices } from "./services.ts"
import type { Session } from "./session.ts"

type Management = Recording &
  Notifying &
  Inviting &
  Partial<Pick<PeopleServices, "mailing">> &
  Pick<PeopleServices, "people" | "operators" | "passwords" | "hasher">

/**
 * Without a password, the operator gets a link instead. Throws UserError for an existing or invalid name, or an
 * unacceptable password.
 */
export async function createOperator(
  services: Management,
  {
    name: typed,
    email,
    role,
  }: Readonly<{ name: string; email: string | null; role: OperatorRole }>,
  password: string | null,
): Promise<Invited | null> {
  const { actor, people, operators, passwords, hasher, now, mailing } = services
  requireRight(actor, "operate")
  const name = parsePersonName(typed)
  if ((await operators.findByName(name)) !== null)
    throw new UserError(`operator ${name} already exists`)
  if (password === null) {
    const recipient = { name, email, locale: null }
    const invited = await invite(services, { operatorRole: role, name, email }, (link) =>
      createLinkEmails(mailing, recipient, { kind: "operator_invitation" }, link),
    )
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

/** A new password ends every session of the person; a link, for null, does so when it is used. */
export async function resetPassword(
  services: Management,
  person: Person,
  password: string | null,
): Promise<Invited | null> {
  requireRight(services.actor, "operate")
  if (password !== null) {
    await setPassword(services, person, password)
    await recordPersonEvent(services, person, "password")
    return null
  }
  const invited = await invite(services, { personId: person.id, name: person.name }, (link) =>
    createLinkEmails(services.mailing, person, { kind: "password_reset" }, link),
  )
  await recordPersonEvent(services, person, "invited")
  return invited
}

/**
 * For somebody who lost phone and recovery codes. The old password and identities end too: alone they were not enough to
 * sign in.
 */
export async function resetPasswordAndTwoFactor(
  services: Management & Pick<PeopleServices, "twoFactor" | "passkeys" | "identities">,
  person: Person,
  password: string | null,
): Promise<Invited | null> {
  requireRight(services.actor, "operate")
  if (password === null) await services.passwords.put(person.id, null)
  const invited = await resetPassword(services, person, password)
  if (await services.identities.disconnectAll(person.id))
    await recordPersonEvent(services, person, "identity_removed")
  await removeTwoFactor(services, person)
  return invited
}

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
  { twoFactor, twoFactorPolicy }: Pick<PeopleServices, "twoFactor" | "twoFactorPolicy">,
  { personId, isByPasskey }: Pick<Session, "personId" | "isByPasskey">,
): Promise<boolean> {
  if (isByPasskey || !(await twoFactorPolicy.isRequired())) return false
  return (await twoFactor.find(personId)) === null
}

/** Whoever knows only the password must not add a factor, nor remove passkeys. */
export const mustUsePasskey = async (
  services: Pick<PeopleServices, "twoFactor" | "twoFactorPolicy" | "passkeys">,
  session: Pick<Session, "personId" | "isByPasskey">,
): Promise<boolean> =>
  (await lacksRequiredFactor(services, session)) &&
  (await services.passkeys.list(session.personId)).length > 0

export async function setTwoFactorPolicy(
  services: Recording & Pick<PeopleServices, "twoFactorPolicy">,
  isRequired: boolean,
): Promise<void> {
  requireRight(services.actor, "operate")
  await services.twoFactorPolicy.put(isRequired)
  const action = isRequired ? "second_factor_required" : "second_factor_optional"
  await recordEvent(services, { kind: "operator", action }, "")
}

type TeamChange = Recording & Pick<PeopleServices, "people">

export async function readTeam(
  { people, invitations, now }: Pick<PeopleServices, "people" | "invitations" | "now">,
  { id: accountId }: Pick<Account, "id">,
) {
  const members = await people.listMembers(accountId)
  return { members, invitations: await invitations.list({ accountId }, formatTimestamp(now())) }
}

/** Throws UserError for an invalid address, a full team or a suspended account. */
export async function inviteMember(
  services: Inviting & TeamChange & Partial<Pick<PeopleServices, "mailing">>,
  account: Account,
  { email: typed, role }: Readonly<{ email: string; role: MemberRole }>,
): Promise<Invited> {
  requireRight(services.actor, "people")
  const email = findEmailAddress(typed)
  if (email === null) throw new UserError(`${typed} is not an e-mail address`)
  const { id: accountId, username: team, isSuspended } = account
  if (isSuspended) throw new UserError(`account ${team} is suspended; resume it first`)
  const { members, invitations } = await readTeam(services, account)
  if (members.length + invitations.length >= teamMax)
    throw new TeamFull(`account ${team} has ${teamMax} people and invitations`)
  const [name = ""] = email.split("@")
  const recipient = { name, email, locale: null }
  const invited = await invite(services, { accountId, role, name, email }, (link) =>
    createLinkEmails(services.mailing, recipient, { kind: "team_invitation", team }, link),
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

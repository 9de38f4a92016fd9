import { type Actor, requireRight } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import { createEvent, recordEvent, tallyPerHour } from "../access/audit-operations.ts"
import { type Account, accountBodyOf } from "../accounts/account.ts"
import { recordAccountEvent } from "../accounts/account-operations.ts"
import { findEmailAddress, type NewEmail } from "../mail/email.ts"
import { DomainError, UserError } from "../platform/error.ts"
import type { Locale } from "../platform/locale.ts"
import { daySeconds, formatTimestamp, secondsAfter, type Timestamp } from "../platform/time.ts"
import { renderData } from "../webhooks/webhook.ts"
import type { Identity } from "./identity.ts"
import { namesOf } from "./password.ts"
import { type Person, parsePersonName } from "./person.ts"
import {
  createLinkEmails,
  encryptEmail,
  notifyPerson,
  recordPersonEvent,
} from "./person-email-operations.ts"
import { hashNewPassword } from "./security-operations.ts"
import type { LinkMailing, Notifying, PeopleServices, ResetRequesting } from "./services.ts"
import type { Invitation } from "./session.ts"
import { areSuspended, type Identified, type Visit } from "./sign-in-operations.ts"

const invitationSeconds = 7 * daySeconds
/** For "Forgot your password?", which anybody can submit. */
const resetSeconds = 3600

export type Inviting = Pick<PeopleServices, "invitations" | "tokens" | "now">

type Link = Readonly<{ token: string; expiresAt: Timestamp }>

/** The token of a link that lets its holder choose a password, once. `isSent`: the outbox has an e-mail with the link. */
export type Invited = Link & Readonly<{ isSent: boolean }>

/** Without a person, the link is for a new one, with a role. */
type Invitee = Partial<Omit<Invitation, "id" | "tokenDigest" | "expiresAt">> &
  Pick<Invitation, "name">

/** `createEmails` returns the e-mails with the link. They are stored together with it. */
export async function invite(
  services: Inviting,
  invitee: Invitee,
  createEmails: (link: Link) => readonly NewEmail[] = () => [],
  seconds = invitationSeconds,
): Promise<Invited> {
  const { link, invitation } = createInvitation(services, invitee, seconds)
  const emails = createEmails(link)
  await services.invitations.insertAll([invitation], [], emails)
  return { ...link, isSent: emails.length > 0 }
}

function createInvitation(
  { tokens, now }: Pick<PeopleServices, "tokens" | "now">,
  invitee: Invitee,
  seconds: number,
): Readonly<{ link: Link; invitation: Invitation }> {
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), seconds)
  const invitation = {
    ...{ personId: null, accountId: null, role: null, operatorRole: null, email: null },
    ...invitee,
    id: `invitation_${tokens.create().slice(0, 16)}`,
    tokenDigest: tokens.digest(token),
    expiresAt,
  }
  return { link: { token, expiresAt }, invitation }
}

/** `mailing` is null or absent if the links are only shown. */
type InvitingAuthors = Inviting &
  Recording &
  Pick<PeopleServices, "eventCipher" | "people"> &
  Partial<Pick<PeopleServices, "mailing">> &
  Readonly<{ linkOf: (token: string) => string }>

export type InvitedAccount = Invited & Readonly<{ username: string; email?: string }>

/** Invites the owner of the account. Throws UserError for a suspended account. */
export async function inviteAuthor(
  services: InvitingAuthors,
  account: Account,
): Promise<InvitedAccount> {
  requireRight(services.actor, "invite")
  const { username, isSuspended } = account
  if (isSuspended) throw new UserError(`account ${username} is suspended; resume it first`)
  const [invited] = await inviteAll(services, [account])
  if (invited === undefined) throw new Error("the invitation was not created")
  await recordAccountEvent(services, account, "invited")
  return invited
}

/** Writes take little of the time, and the first links appear immediately. */
const pageAccounts = 500

/** Skips suspended accounts. A page is written before it is yielded: printed links work and are in the audit log. */
export async function* inviteAccounts(
  services: InvitingAuthors & Pick<PeopleServices, "accounts">,
  audience: "all" | "without password",
): AsyncGenerator<readonly InvitedAccount[]> {
  let after = ""
  for (;;) {
    const page = await services.accounts.list(after, pageAccounts)
    const last = page.at(-1)
    if (last === undefined) return
    const idsWithPassword =
      audience === "all" ? [] : await services.accounts.listWithPassword(after, last.username)
    const invited = page.filter((each) => !each.isSuspended && !idsWithPassword.includes(each.id))
    if (invited.length > 0) {
      const links = await inviteAll(services, invited)
      const subject = { kind: "account", action: "invited" } as const
      await tallyPerHour(services, createEvent(services, subject, links.length))
      yield links
    }
    after = last.username
  }
}

async function inviteAll(
  services: InvitingAuthors,
  accounts: readonly Account[],
): Promise<readonly InvitedAccount[]> {
  const { people, invitations, eventCipher, mailing, linkOf, now } = services
  const type = "account.invited"
  // In turn: 500 concurrent reads would wait for the connections of PostgreSQL longer than one may take.
  const created = await Array.fromAsync(accounts, async (account) => {
    const { id, username } = account
    const owner = await people.findOwner(id)
    const invitee = { accountId: id, role: "owner", name: username } as const
    const { link, invitation } = createInvitation(services, invitee, invitationSeconds)
    const { email } = accountBodyOf(account)
    const known = email === "" ? {} : { email }
    const recipient = owner ?? { name: username, email, locale: null }
    const emails = createLinkEmails(mailing, recipient, { kind: "author_invitation" }, link)
    // The token is a secret, so its event is encrypted.
    const text = renderData(type, { ...known, url: linkOf(link.token) })
    const data = Buffer.from(eventCipher.encrypt(text, type)).toString("base64")
    const at = formatTimestamp(now())
    const event = { type, at, account: { id, username }, data, isEncrypted: true } as const
    const invited = { username, ...known, ...link, isSent: emails.length > 0 }
    return { invitation, event, emails, invited }
  })
  await invitations.insertAll(
    created.map(({ invitation }) => invitation),
    created.map(({ event }) => event),
    created.flatMap(({ emails }) => emails),
  )
  return created.map(({ invited }) => invited)
}

export type InvitedPerson = Readonly<{
  invitation: Invitation
  /** The one whose password it is, also the owner of an account who was invited as such; null for a new person. */
  person: Person | null
  /** Whose team the person joins; null for operators and for somebody who only sets a new password. */
  account: Account | null
}>

/** Null if the link is unknown, used or expired. Throws `account_suspended`; the link works again after a resumption. */
export async function findInvited(
  services: Inviting & Pick<PeopleServices, "people" | "operators" | "accounts">,
  token: string,
): Promise<InvitedPerson | null> {
  const { invitations, people, accounts, tokens, now } = services
  const invitation = await invitations.find(tokens.digest(token), formatTimestamp(now()))
  if (invitation === null) return null
  const { personId, accountId, role, email } = invitation
  const account = accountId === null ? null : await accounts.find(accountId)
  const isForOwner = account !== null && role === "owner" && email === null
  const owner = isForOwner ? await people.findOwner(account.id) : null
  const person = personId === null ? owner : await people.find(personId)
  const isClosed = person === null ? account?.isSuspended : await isShutOut(services, person)
  if (isClosed) throw new DomainError("account_suspended")
  return { invitation, person, account }
}

const isShutOut = async (
  { people, operators }: Pick<PeopleServices, "people" | "operators">,
  { id }: Pick<Person, "id">,
): Promise<boolean> =>
  areSuspended(await people.listMemberships(id)) && (await operators.find(id)) === null

type Accepting = Inviting &
  Omit<Recording & Notifying, "actor"> &
  Pick<PeopleServices, "people" | "operators" | "accounts" | "hasher">

/**
 * Null as for `findInvited`; "taken" if somebody has the name. The link is checked again after the slow hashing: one of
 * two concurrent uses succeeds.
 */
export async function acceptInvitation(
  services: Accepting,
  token: string,
  chosen: Readonly<{ name: string; password: string }>,
  from: Visit,
): Promise<Identified | "taken" | null> {
  const { hasher, invitations, people, tokens, now } = services
  const invited = await findInvited(services, token)
  if (invited === null) return null
  const name = invited.person?.name ?? parsePersonName(chosen.name)
  if (!(await isFreeName(services, invited, name))) return "taken"
  const email = invited.person?.email ?? invited.invitation.email
  const hash = await hashNewPassword(hasher, namesOf({ name, email }), chosen.password)
  const at = formatTimestamp(now())
  const id = await invitations.accept(tokens.digest(token), at, { name, hash })
  if (id === "taken") return id
  const person = id === null ? null : await people.find(id)
  if (person === null) return null
  await recordAccepted(actAs(services, invited, person, from), invited, person, "password")
  return { person, passwordHash: hash }
}

/** A name wins at the sign-in: nobody may take somebody else's address or the username of another account. */
async function isFreeName(
  { accounts }: Pick<PeopleServices, "accounts">,
  { invitation, person, account }: InvitedPerson,
  name: string,
): Promise<boolean> {
  const { role, operatorRole, email } = invitation
  if (person !== null || name === email) return true
  const isOwn = role === "owner" && email === null && name === account?.username
  const isByAdmin = operatorRole !== null && name === invitation.name
  if (isOwn || isByAdmin) return true
  return !name.includes("@") && (await accounts.findByUsername(name)) === null
}

/** Null as for `findInvited`. A new person is named like the invitation, or with a number if somebody has this name. */
export async function acceptByIdentity(
  services: Omit<Accepting, "hasher">,
  token: string,
  identity: Identity,
  from: Visit,
): Promise<Person | null> {
  const { invitations, people, tokens, now } = services
  const invited = await findInvited(services, token)
  if (invited === null) return null
  const at = formatTimestamp(now())
  for (let attempt = 1; ; attempt += 1) {
    const { name: wanted } = invited.invitation
    const [start = ""] = wanted.split("@")
    const name = attempt === 1 ? wanted : `${start}-${attempt}`
    if (!(await isFreeName(services, invited, name))) continue
    const id = await invitations.accept(tokens.digest(token), at, { name, identity })
    if (id === "taken") continue
    const person = id === null ? null : await people.find(id)
    if (person !== null) {
      const acting = actAs(services, invited, person, from)
      await recordAccepted(acting, invited, person, "identity_connected")
    }
    return person
  }
}

const actAs = <Services>(
  services: Services,
  { invitation }: InvitedPerson,
  { name }: Pick<Person, "name">,
  from: Visit,
): Services & Readonly<{ actor: Actor }> => ({
  ...services,
  actor: { kind: invitation.operatorRole === null ? "author" : "operator", name, ...from },
})

async function recordAccepted(
  acting: Recording & Notifying,
  invited: InvitedPerson,
  person: Person,
  action: "password" | "identity_connected",
): Promise<void> {
  if (invited.person === null) await recordRole(acting, invited, person)
  await recordPersonEvent(acting, person, action, invited.account)
}

async function recordRole(
  acting: Recording,
  { account, invitation: { role, operatorRole } }: InvitedPerson,
  { name }: Person,
): Promise<void> {
  if (account !== null && role !== null)
    await recordAccountEvent(acting, account, `member_${role}`, { subjectName: name })
  if (operatorRole !== null)
    await recordEvent(acting, { kind: "operator", action: `role_${operatorRole}` }, name)
}

/** For somebody who is signed in. Returns false as for `findInvited`, and for a link to a new password. */
export async function joinByInvitation(
  services: Omit<Accepting, "hasher">,
  token: string,
  person: Person,
  from: Visit,
): Promise<boolean> {
  const { invitations, tokens, now } = services
  const invited = await findInvited(services, token)
  if (invited === null || invited.person !== null) return false
  const memberships = await services.people.listMemberships(person.id)
  // A link must not take a role away.
  if (memberships.some(({ accountId }) => accountId === invited.account?.id)) return false
  const at = formatTimestamp(now())
  if (!(await invitations.join(tokens.digest(token), at, person.id))) return false
  const acting = actAs(services, invited, person, from)
  await recordRole(acting, invited, person)
  const { role, operatorRole } = invited.invitation
  if (role !== null) await notifyPerson(acting, person, `member_${role}`, invited.account)
  if (operatorRole !== null) await notifyPerson(acting, person, `role_${operatorRole}`)
  return true
}

/**
 * Nothing is looked up before the response, so it does not reveal who has an account. Returns false if the text is not
 * an e-mail address. Throws SignInRejected.
 */
export async function requestReset(
  services: ResetRequesting,
  { address, locale, ipRange }: Readonly<{ address: string; locale: Locale; ipRange: string }>,
): Promise<boolean> {
  const { emails, resetThrottle, now } = services
  const to = findEmailAddress(address)
  if (to === null) return false
  await resetThrottle.count({ name: to, ipRange })
  const expiresAt = secondsAfter(now(), resetSeconds)
  const request = { kind: "reset_request", to, locale } as const
  await emails.insert([encryptEmail(services, request, expiresAt)])
  return true
}

const peopleMax = 5

/**
 * Puts one e-mail per person into the outbox, also for accounts that nobody owns yet. The mail goes to the stored
 * address, not to the typed one.
 */
export async function answerReset(
  services: Inviting & Pick<PeopleServices, "people" | "operators">,
  mailing: LinkMailing,
  email: string,
): Promise<void> {
  const { people } = services
  const send = (invitee: Invitee, recipient: Pick<Person, "name" | "email" | "locale">) => {
    const about = { kind: "password_reset" } as const
    const createEmails = (link: Link) => createLinkEmails(mailing, recipient, about, link)
    return invite(services, invitee, createEmails, resetSeconds)
  }
  for (const person of await people.listByEmail(email, peopleMax)) {
    if (await isShutOut(services, person)) continue
    await send({ personId: person.id, name: person.name }, person)
  }
  for (const { id: accountId, username: name } of await people.listUnowned(email, peopleMax))
    await send({ accountId, role: "owner", name }, { name, email, locale: null })
}

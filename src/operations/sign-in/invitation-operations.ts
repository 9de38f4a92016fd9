import { type Account, type AccountStore, accountBodyOf } from "../../domain/catalog/account.ts"
import { lowerAscii } from "../../domain/catalog/purchase-code.ts"
import { renderData } from "../../domain/events/event.ts"
import {
  findEmailAddress,
  type LinkEmail,
  type NewEmail,
  type OutboxEntry,
  type ResetRequest,
} from "../../domain/mail/email.ts"
import { type Operator, type OperatorStore, requireRight } from "../../domain/sign-in/operator.ts"
import { type Invitation, invitationSeconds, resetSeconds } from "../../domain/sign-in/session.ts"
import { UserError } from "../../domain/values/error.ts"
import { type Locale, locales } from "../../domain/values/locale.ts"
import {
  formatTimestamp,
  secondsAfter,
  type Timestamp,
} from "../../domain/values/time/timestamp.ts"
import type { Needs } from "../operation.ts"
import { type Recording, recordAccountEvent, recordManyInvited } from "../record-event.ts"
import type { SessionStart, SignedIn, Visit } from "./session-operations.ts"
import { hashNewPassword, type Owners, startVerifiedSession } from "./sign-in.ts"

export type Inviting = Needs<"invitations" | "tokens" | "now">

/** The token of a link that lets its holder choose a password, once, within a week. */
export type Invited = Readonly<{ token: string; expiresAt: Timestamp }>

/** The token is a secret, so its webhook event is encrypted. */
export type InvitingAuthors = Inviting &
  Needs<"eventCipher"> &
  Readonly<{
    linkOf: (token: string) => string
    /** Null or absent if the links are only shown. */
    mailing?: LinkMailing<Account> | null
  }>

/** Throws UserError for a suspended account. */
export async function inviteAuthor(
  services: InvitingAuthors & Recording,
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

/** `emailsOf` returns the e-mails with the link. They are stored together with it. */
export async function inviteAccount(
  services: Inviting,
  ownerId: number,
  emailsOf: (invited: Invited) => Promise<readonly NewEmail[]> = async () => [],
  seconds = invitationSeconds,
): Promise<Invited & Readonly<{ isSent: boolean }>> {
  const { invited, invitation } = createInvitation(services, ownerId, seconds)
  const emails = await emailsOf(invited)
  await services.invitations.insertAll([invitation], [], emails)
  return { ...invited, isSent: emails.length > 0 }
}

/** Only the link contains the token. */
function createInvitation(
  { tokens, now }: Needs<"tokens" | "now">,
  ownerId: number,
  seconds: number,
): Readonly<{ invited: Invited; invitation: Invitation }> {
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), seconds)
  const invitation = { tokenDigest: tokens.digest(token), ownerId, expiresAt }
  return { invited: { token, expiresAt }, invitation }
}

/** `email` is absent if the account has none. `isSent`: the outbox has an e-mail with the link. */
export type InvitedAccount = Invited &
  Readonly<{ username: string; email?: string; isSent: boolean }>

/** Writes take little of the time, and the first links appear immediately. */
const pageAccounts = 500

/** Skips suspended accounts. A page is written before it is yielded: printed links work and are in the audit log. */
export async function* inviteAccounts(
  services: InvitingAuthors & Recording & Needs<"accounts">,
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
      await recordManyInvited(services, links.length)
      yield links
    }
    after = last.username
  }
}

async function inviteAll(services: InvitingAuthors, accounts: readonly Account[]) {
  // In turn: 500 concurrent reads would wait for the connections of PostgreSQL longer than one may take.
  const created = await Array.fromAsync(accounts, (account) => createForAuthor(services, account))
  const at = formatTimestamp(services.now())
  await services.invitations.insertAll(
    created.map(({ invitation }) => invitation),
    created.map(({ account: { id, username }, email, invited: { token } }) => {
      const text = renderData(type, { ...email, url: services.linkOf(token) })
      const data = Buffer.from(services.eventCipher.encrypt(text, type)).toString("base64")
      return { type, at, account: { id, username }, data, isEncrypted: true }
    }),
    created.flatMap(({ emails }) => emails),
  )
  return created.map(({ account: { username }, email, invited, emails }) => ({
    username,
    ...email,
    ...invited,
    isSent: emails.length > 0,
  }))
}

async function createForAuthor(services: InvitingAuthors, account: Account) {
  const { mailing = null } = services
  const created = createInvitation(services, account.id, invitationSeconds)
  const link = { kind: "author_invitation", ...created.invited } as const
  const emails = mailing === null ? [] : await createLinkEmails(mailing, account, link)
  const { email } = accountBodyOf(account)
  return { account, ...created, emails, email: email === "" ? {} : { email } }
}

const type = "account.invited"

/** Null if the link is unknown, used or expired. Throws `account_suspended`; the link works again after a resumption. */
export async function findInvited<Owner extends { id: number }>(
  { invitations, tokens, now }: Inviting,
  owners: Owners<Owner>,
  token: string,
): Promise<Owner | null> {
  const ownerId = await invitations.find(tokens.digest(token), formatTimestamp(now()))
  return ownerId === null ? null : owners.find(ownerId)
}

/** Null as for `findInvited`. The link is checked again after the slow hashing: one of two concurrent uses succeeds. */
export async function setInvitedPassword<Owner extends { id: number }>(
  services: Inviting & Needs<"hasher">,
  owners: Owners<Owner>,
  token: string,
  password: string,
): Promise<Readonly<{ owner: Owner; hash: string }> | null> {
  const { hasher, invitations, tokens, now } = services
  const invited = await findInvited(services, owners, token)
  if (invited === null) return null
  const hash = await hashNewPassword(hasher, owners.namesOf(invited), password)
  const ownerId = await invitations.accept(tokens.digest(token), formatTimestamp(now()), hash)
  const owner = ownerId === null ? null : await owners.find(ownerId)
  return owner && { owner, hash }
}

/** Returns null for an owner with two-factor authentication, who signs in with a code. */
export async function startInvitedSession<Owner extends { id: number }>(
  services: SessionStart & Needs<"twoFactor">,
  owner: Owner,
  hash: string,
  from: Visit,
): Promise<SignedIn<Owner> | null> {
  const hasFactor = (await services.twoFactor.find(owner.id)) !== null
  return hasFactor ? null : startVerifiedSession(services, owner, "disabled", hash, from)
}

export type Encrypting = Needs<"emailCipher" | "now">

export function encryptEmail(
  { emailCipher, now }: Encrypting,
  entry: OutboxEntry,
  expiresAt: Timestamp,
): NewEmail {
  const id = emailCipher.createEmailId()
  const encrypted = emailCipher.encrypt(JSON.stringify(entry), id)
  return { id, encrypted, createdAt: formatTimestamp(now()), expiresAt }
}

export const authorLink = (baseUrl: string, token: string) => `${baseUrl}/invite/${token}`
export const operatorLink = (baseUrl: string, token: string) => `${baseUrl}/console/invite/${token}`

/** How links are sent to authors or operators. */
export type LinkMailing<Owner> = Encrypting &
  Readonly<{
    linkOf(token: string): string
    /** Null without a valid address. */
    addressOf(owner: Owner): string | null
    recipientOf(owner: Owner): Promise<Readonly<{ locale: Locale; name: string }>>
  }>

export const createAuthorMailing = (
  services: Encrypting & Needs<"preferences">,
  siteLocale: Locale,
  baseUrl: string,
): LinkMailing<Account> => ({
  ...services,
  linkOf: (token) => authorLink(baseUrl, token),
  addressOf: (account) => findEmailAddress(accountBodyOf(account).email),
  async recipientOf({ id, username }) {
    const chosen = await services.preferences.findLocale(id)
    return { locale: locales.find((each) => each === chosen) ?? siteLocale, name: username }
  },
})

export const createOperatorMailing = (
  services: Encrypting,
  siteLocale: Locale,
  baseUrl: string,
): LinkMailing<Pick<Operator, "name" | "email">> => ({
  ...services,
  linkOf: (token) => operatorLink(baseUrl, token),
  addressOf: ({ email }) => email,
  recipientOf: async ({ name }) => ({ locale: siteLocale, name }),
})

/** Returns an empty list for an owner without an address. */
export async function createLinkEmails<Owner>(
  mailing: LinkMailing<Owner>,
  owner: Owner,
  { kind, token, expiresAt }: Invited & Pick<LinkEmail, "kind">,
): Promise<readonly NewEmail[]> {
  const to = mailing.addressOf(owner)
  if (to === null) return []
  const recipient = { to, ...(await mailing.recipientOf(owner)) }
  const email = { kind, ...recipient, url: mailing.linkOf(token), expiresAt } as const
  return [encryptEmail(mailing, email, expiresAt)]
}

/** "Forgot your password?" Nothing is looked up before the response, so it does not reveal who has an account. */
export type ResetRequesting = Encrypting &
  Needs<"emails" | "resetThrottle"> &
  Pick<ResetRequest, "owners">

/** Returns false if the text is not an e-mail address. Throws SignInRejected. */
export async function requestReset(
  services: ResetRequesting,
  { address, locale, ipRange }: Readonly<{ address: string; locale: Locale; ipRange: string }>,
): Promise<boolean> {
  const { emails, resetThrottle, owners, now } = services
  const to = findEmailAddress(address)
  if (to === null) return false
  await resetThrottle.count({ name: to, ipRange })
  const expiresAt = secondsAfter(now(), resetSeconds)
  const request = { kind: "reset_request", owners, to, locale } as const
  await emails.insert([encryptEmail(services, request, expiresAt)])
  return true
}

/** More accounts with one address would be an import error. */
const ownersMax = 5

export const listAuthorsByEmail = async (
  accounts: Pick<AccountStore, "listByEmail">,
  email: string,
): Promise<readonly Account[]> =>
  (await accounts.listByEmail(email, ownersMax)).filter(({ isSuspended }) => !isSuspended)

export const listOperatorsByEmail = async (operators: Pick<OperatorStore, "list">, email: string) =>
  (await operators.list()).filter((each) => lowerAscii(each.email ?? "") === lowerAscii(email))

/** Puts one e-mail per owner into the outbox. The mail goes to the stored address, not to the typed one. */
export async function answerReset<Owner extends { id: number }>(
  services: Inviting,
  mailing: LinkMailing<Owner>,
  owners: readonly Owner[],
): Promise<void> {
  for (const owner of owners) {
    const emailsOf = (invited: Invited) =>
      createLinkEmails(mailing, owner, { kind: "password_reset", ...invited })
    await inviteAccount(services, owner.id, emailsOf, resetSeconds)
  }
}

/** E-mails to people: links, and changes of how they sign in and what they may do. */

import type { AuditAction, Recording } from "../access/audit-event.ts"
import { createEvent } from "../access/audit-operations.ts"
import type { Account } from "../accounts/account.ts"
import {
  findEmailAddress,
  type LinkEmail,
  type NewEmail,
  type OutboxEntry,
  type PersonChange,
} from "../mail/email.ts"
import { locales } from "../platform/locale.ts"
import { daySeconds, formatTimestamp, secondsAfter, type Timestamp } from "../platform/time.ts"
import type { Person } from "./person.ts"
import type { Encrypting, LinkMailing, Mailing, Notifying } from "./services.ts"

export function encryptEmail(
  { emailCipher, now }: Encrypting,
  entry: OutboxEntry,
  expiresAt: Timestamp,
): NewEmail {
  const id = emailCipher.createEmailId()
  const encrypted = emailCipher.encrypt(JSON.stringify(entry), id)
  return { id, encrypted, createdAt: formatTimestamp(now()), expiresAt }
}

export const invitationLink = (baseUrl: string, token: string) => `${baseUrl}/invite/${token}`

type Recipient = Pick<Person, "name" | "email" | "locale">

/** Returns null for somebody without an address. */
function addressTo({ siteLocale }: Mailing, { name, email, locale }: Recipient) {
  const to = findEmailAddress(email ?? "")
  if (to === null) return null
  return { to, name, locale: locales.find((each) => each === locale) ?? siteLocale }
}

/** Returns an empty list without `mailing`, and for somebody without an address. */
export function createLinkEmails(
  mailing: LinkMailing | null | undefined,
  person: Recipient,
  about: Pick<LinkEmail, "kind" | "team">,
  { token, expiresAt }: Readonly<{ token: string; expiresAt: Timestamp }>,
): readonly NewEmail[] {
  const recipient = mailing && addressTo(mailing, person)
  if (!mailing || !recipient) return []
  const link = { ...about, ...recipient, url: mailing.linkOf(token), expiresAt }
  return [encryptEmail(mailing, link, expiresAt)]
}

const changeSeconds = 7 * daySeconds

/** Puts an e-mail about a change into the outbox. `team` is the account of a `member_` change. */
export async function notifyPerson(
  { emails, notices, actor: { kind, name, ipRange, device = "" }, now }: Notifying,
  person: Recipient,
  change: PersonChange,
  team: Pick<Account, "username"> | null = null,
): Promise<void> {
  const recipient = notices && addressTo(notices, person)
  if (notices === null || recipient === null) return
  // Who of the marketplace it was, and where, is not for authors.
  const isShown = kind === "author" || (kind === "operator" && name === person.name)
  const entry: OutboxEntry = {
    kind: "change",
    change,
    ...recipient,
    team: team?.username ?? "",
    at: formatTimestamp(now()),
    actor: isShown ? { name, ipRange, device } : null,
  }
  await emails.insert([encryptEmail(notices, entry, secondsAfter(now(), changeSeconds))])
}

/** Also e-mails the change to the person. `account` is the one whose workspace it happened in. */
export async function recordPersonEvent(
  recording: Recording & Notifying,
  person: Person,
  action: AuditAction<"person">,
  account: Pick<Account, "id" | "username"> | null = null,
): Promise<void> {
  const event = createEvent(recording, { kind: "person", action })
  await recording.audit.insert({ ...event, account, subjectId: person.name })
  if (action !== "invited" && action !== "rejected") await notifyPerson(recording, person, action)
}

/** E-mails as plain data, and the outbox: a slow or dead mail server never delays a page. */

import {
  createCipher,
  idLength,
  type MasterKey,
  type MasterKeys,
  randomBase62,
} from "../platform/crypto/cipher.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import type { Locale } from "../platform/locale.ts"
import type { Message } from "../platform/problem.ts"
import { daySeconds, type Timestamp } from "../platform/time.ts"

export type AlertKind = "mass_change" | "import" | "pull" | "backup" | "webhook"

export type LinkEmail = Readonly<{
  kind: "author_invitation" | "operator_invitation" | "team_invitation" | "password_reset"
  /** The username of the account whose team it is. */
  team?: string
  name: string
  url: string
  expiresAt: Timestamp
}>

type AlertEmail = Readonly<{
  kind: "alert"
  about: AlertKind
  /** Why the check failed, most important first. */
  problems: readonly Message[]
  url: string
}>

export type PersonChange =
  | ("password" | "email" | "removed" | "second_factor_on" | "second_factor_off")
  | ("passkey_added" | "passkey_removed" | "identity_connected" | "identity_removed")
  | ("member_owner" | "member_developer" | "member_support" | "member_removed")
  | ("role_admin" | "role_support" | "role_viewer" | "operator_removed")

type ChangeEmail = Readonly<{
  kind: "change"
  change: PersonChange
  name: string
  /** The account of a `member_` change. */
  team: string
  at: Timestamp
  /** The person, or another member of the team; null for the marketplace. */
  actor: Readonly<{ name: string; ipRange: string; device: string }> | null
}>

type Addressed<Content> = Content & Readonly<{ to: string; locale: Locale }>

export type Email = Addressed<LinkEmail | AlertEmail | ChangeEmail>
/** A `reset_request` becomes one `password_reset` per person when it is sent: the response does not reveal whether one exists. */
export type OutboxEntry = Email | Addressed<Readonly<{ kind: "reset_request" }>>

export type NewEmail = Readonly<{
  id: string
  encrypted: Uint8Array
  createdAt: Timestamp
  /** The e-mail is deleted at this time: its link has expired, or the alert is old. */
  expiresAt: Timestamp
}>

/** An e-mail that no other node sends until the lease ends. `attempts` includes this one. */
export type LeasedEmail = Pick<NewEmail, "id" | "encrypted"> &
  Readonly<{ attempts: number; leasedUntilMs: number }>

export interface EmailStore {
  insert(emails: readonly NewEmail[]): Promise<void>
  /** Due e-mails, those that expire first: a reset link before a thousand invitations. Cheap if none is due, because an idle sender calls it every second. */
  lease(nowMs: number, untilMs: number, rowsMax: number): Promise<readonly LeasedEmail[]>
  /** Does nothing if another node has the lease by now. */
  retry(email: Pick<LeasedEmail, "id" | "leasedUntilMs">, atMs: number): Promise<void>
  remove(id: string): Promise<void>
  /** `since`: when the oldest was created; `until`: when the first expires. Null if the outbox is empty. */
  findWaiting(): Promise<Readonly<{ count: number; since: Timestamp; until: Timestamp }> | null>
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}

export const alertSeconds = daySeconds
/** An e-mail that is older shows that the mail server does not accept e-mails. */
export const emailDelayMsMax = 30 * 60_000

const emailUnitsMax = 254
const atom = "[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?"
const emailForm = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`, "u")

/** Returns null for a text that is not one address. No spaces, quotes, commas or line breaks: it becomes a header. */
export function findEmailAddress(text: string): string | null {
  const trimmed = text.trim()
  return trimmed.length <= emailUnitsMax && emailForm.test(trimmed) ? trimmed : null
}

export type MailServer = Readonly<{
  host: string
  port: number
  /** `immediate`: `smtps://`. STARTTLS is `required` with credentials, `offered` without, `none` on this machine. */
  tls: "immediate" | "required" | "offered" | "none"
  credentials: Readonly<{ user: string; password: string }> | null
  from: string
}>

export const describeMailServer = ({ host, port }: MailServer) => `${host}:${port}`

export type EmailCipher = ReturnType<typeof createEmailCipher>

/** Links are secrets, so the text is encrypted. Bound to the id, so that ciphertexts cannot be exchanged. */
export const createEmailCipher = (master: MasterKey | MasterKeys) => ({
  createEmailId: () => `mail_${randomBase62(idLength)}`,
  ...createCipher<string>(master, "e-mail", (id) => [id]),
})

const mailFailureMetadataKey = "failure of the mail server"

/** The mail server has accepted no connection since `since`. */
export type MailFailure = Readonly<{ since: Timestamp; problem: Message }>

export async function findMailFailure(
  metadata: Pick<MetadataStore, "find">,
): Promise<MailFailure | null> {
  const failure = await metadata.find(mailFailureMetadataKey)
  return failure === null ? null : JSON.parse(failure)
}

export async function recordMailServer(
  metadata: Pick<MetadataStore, "find" | "put" | "remove">,
  problem: Message | null,
  at: Timestamp,
): Promise<void> {
  const failure = await findMailFailure(metadata)
  if (problem !== null) {
    const since = failure?.since ?? at
    await metadata.put(mailFailureMetadataKey, JSON.stringify({ since, problem }))
  } else if (failure !== null) await metadata.remove(mailFailureMetadataKey)
}

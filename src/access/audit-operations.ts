import type { Account } from "../accounts/account.ts"
import type { StoredKey } from "../keys/key.ts"
import type { Person } from "../people/person.ts"
import { type Notifying, notifyPerson } from "../people/person-email-operations.ts"
import type { SignInOutcome } from "../people/sign-in-failures.ts"
import { formatTimestamp, secondsBefore } from "../platform/time.ts"
import type { FoundItem, FoundPurchase } from "../purchases/operator-reads.ts"
import type { Needs } from "../store/needs.ts"
import { type ListedEndpoint, ownerOf, shownUrl } from "../webhooks/endpoint.ts"
import type { Actor, AuditAction, AuditEvent, AuditSubject } from "./audit-event.ts"

export type Recording = Needs<"audit" | "now" | "actor">

const createEvent = ({ now, actor }: Needs<"now" | "actor">, subject: AuditSubject, count = 1) => ({
  ...subject,
  at: formatTimestamp(now()),
  actor,
  account: null,
  subjectId: "",
  subjectName: "",
  count,
})

/** Repetitions within a minute are one event: an author can repeat a change without end. */
const tallyPerMinute = ({ audit, now }: Recording, event: AuditEvent): Promise<void> =>
  audit.tally(event, secondsBefore(now(), 60))

export function recordKeyEvent(
  recording: Recording,
  { accountId, username, id, name }: Pick<StoredKey, "accountId" | "username" | "id" | "name">,
  action: AuditAction<"key">,
): Promise<void> {
  const account = { id: accountId, username }
  const event = createEvent(recording, { kind: "key", action })
  return tallyPerMinute(recording, { ...event, account, subjectId: id, subjectName: name })
}

export function recordAccountEvent(
  recording: Recording,
  { id, username }: Pick<Account, "id" | "username">,
  action: AuditAction<"account">,
  details: Partial<Pick<AuditEvent, "subjectName" | "isByFeed" | "note">> = {},
): Promise<void> {
  const event = createEvent(recording, { kind: "account", action })
  return recording.audit.insert({
    ...event,
    account: { id, username },
    subjectId: username,
    ...details,
  })
}

/** Also e-mails the change to the person. `account` is the one whose workspace it happened in. */
export async function recordPersonEvent(
  recording: Recording & Notifying,
  person: Person,
  action: AuditAction<"person">,
  account: Pick<Account, "id" | "username"> | null = null,
): Promise<void> {
  const event = createEvent(recording, { kind: "person", action })
  const concerned = account && { id: account.id, username: account.username }
  await recording.audit.insert({ ...event, account: concerned, subjectId: person.name })
  if (action !== "invited" && action !== "rejected") await notifyPerson(recording, person, action)
}

/** Repetitions within an hour are one event. */
const tallyPerHour = ({ audit }: Needs<"audit">, event: AuditEvent): Promise<void> =>
  audit.tally(event, `${event.at.slice(0, 13)}:00:00Z`)

/** `route` is a pattern as in `POST /console/authors/:id/suspend`: ids and codes that somebody tried are not stored. */
export const recordRejected = (
  recording: Recording,
  route: string,
  account: Pick<Account, "id" | "username"> | null = null,
): Promise<void> => {
  const kind = recording.actor.kind === "operator" ? "operator" : "person"
  const event = createEvent(recording, { kind, action: "rejected" })
  const concerned = account && { id: account.id, username: account.username }
  return tallyPerHour(recording, { ...event, account: concerned, subjectId: route })
}

export const recordManyInvited = (recording: Recording, count: number): Promise<void> =>
  tallyPerHour(recording, createEvent(recording, { kind: "account", action: "invited" }, count))

/** `pushed` is the number of records, null for a feed that was not pushed; `keys` the API keys that it added. */
export async function recordFeed(recording: Recording, pushed: number | null, keys: number) {
  if (pushed !== null)
    await tallyPerHour(
      recording,
      createEvent(recording, { kind: "feed", action: "pushed" }, pushed),
    )
  if (keys > 0)
    await tallyPerHour(recording, createEvent(recording, { kind: "feed", action: "keys" }, keys))
}

/** `isRevokedByFeed` is unknown on an author's own page. */
export type AuthoredPurchase = Pick<FoundPurchase, "code" | "accountId" | "username"> &
  Partial<Pick<FoundPurchase, "isRevokedByFeed">>

export function recordPurchaseEvent(
  recording: Recording,
  { code, accountId, username, isRevokedByFeed: isByFeed }: AuthoredPurchase,
  action: AuditAction<"purchase">,
  { subjectName = "", note }: Readonly<{ subjectName?: string; note?: string }>,
): Promise<void> {
  const account = { id: accountId, username }
  const event = createEvent(recording, { kind: "purchase", action })
  return recording.audit.insert({ ...event, account, subjectId: code, subjectName, isByFeed, note })
}

export function recordItemEvent(
  recording: Recording,
  { id, accountId, username }: Pick<FoundItem, "id" | "accountId" | "username">,
  action: AuditAction<"item">,
  note?: string,
): Promise<void> {
  const account = { id: accountId, username }
  const event = {
    ...createEvent(recording, { kind: "item", action }),
    ...{ account, subjectId: String(id), note },
  }
  return note === undefined ? tallyPerMinute(recording, event) : recording.audit.insert(event)
}

/** `subjectId` is the name of the operator or token, or the id of the key that signs or that was removed. */
export const recordEvent = (
  recording: Recording,
  subject: Extract<AuditSubject, { kind: "operator" | "token" | "signing_key" }>,
  subjectId: string,
): Promise<void> => recording.audit.insert({ ...createEvent(recording, subject), subjectId })

/** Sign-ins of one hour are one event, so that guesses do not fill the log. Throttled attempts have no IP range. */
export function recordOperatorSignIn(
  { audit, now }: Needs<"audit" | "now">,
  outcome: SignInOutcome,
  operator: string,
  ipRange: string,
): Promise<void> {
  const actor: Actor = {
    kind: "operator",
    name: outcome === "ok" ? operator : "",
    ipRange: outcome === "throttled" ? "" : ipRange,
  }
  const event = createEvent({ now, actor }, { kind: "operator", action: signInActions[outcome] })
  return tallyPerHour({ audit }, { ...event, subjectId: operator })
}

const signInActions = {
  ok: "signed_in",
  wrong: "sign_in_failed",
  throttled: "sign_in_slowed",
  suspended: "sign_in_failed",
} as const satisfies Readonly<Record<SignInOutcome, AuditAction<"operator">>>

export function recordEndpointEvent(
  recording: Recording,
  endpoint: ListedEndpoint,
  action: AuditAction<"webhook">,
): Promise<void> {
  const subjectName = shownUrl(endpoint.url)
  const subject = { account: ownerOf(endpoint), subjectId: endpoint.id, subjectName }
  const event = { ...createEvent(recording, { kind: "webhook", action }), ...subject }
  return tallyPerMinute(recording, event)
}

import type { Account } from "../domain/catalog/account.ts"
import { type ListedEndpoint, ownerOf, shownUrl } from "../domain/events/endpoint.ts"
import type { StoredKey } from "../domain/keys/api-key.ts"
import type {
  Actor,
  AuditAction,
  AuditEvent,
  AuditKind,
  AuditStore,
} from "../domain/sign-in/audit-event.ts"
import type { SignInOutcome } from "../domain/sign-in/sign-in-failures.ts"
import type { FoundItem, FoundPurchase } from "../domain/usage/operator-reads.ts"
import { formatTimestamp, secondsBefore } from "../domain/values/time/timestamp.ts"

export type Tally = Omit<Recording, "audit"> & Readonly<{ audit: Pick<AuditStore, "tally"> }>

export type Recording = Readonly<{
  audit: Pick<AuditStore, "insert" | "tally">
  now: () => Date
  actor: Actor
}>

const createEvent = <Kind extends AuditKind>(
  { now, actor }: Pick<Recording, "now" | "actor">,
  kind: Kind,
  action: AuditAction<Kind>,
  count = 1,
) => ({
  at: formatTimestamp(now()),
  actor,
  kind,
  action,
  account: null,
  subjectId: "",
  subjectName: "",
  count,
})

/** Repetitions within a minute are one event: an author can repeat a change without end. */
const tallyPerMinute = ({ audit, now }: Tally, event: AuditEvent): Promise<void> =>
  audit.tally(event, secondsBefore(now(), 60))

export function recordKeyEvent(
  tally: Tally,
  { accountId, username, id, name }: Pick<StoredKey, "accountId" | "username" | "id" | "name">,
  action: AuditAction<"key">,
): Promise<void> {
  const account = { id: accountId, username }
  const event = createEvent(tally, "key", action)
  return tallyPerMinute(tally, { ...event, account, subjectId: id, subjectName: name })
}

export function recordAccountEvent(
  recording: Recording,
  { id, username }: Pick<Account, "id" | "username">,
  action: AuditAction<"account">,
  details: Pick<AuditEvent, "isByFeed" | "note"> = {},
): Promise<void> {
  const event = createEvent(recording, "account", action)
  return recording.audit.insert({
    ...event,
    account: { id, username },
    subjectId: username,
    ...details,
  })
}

/** Repetitions within an hour are one event. */
const tallyPerHour = ({ audit }: Pick<Tally, "audit">, event: AuditEvent): Promise<void> =>
  audit.tally(event, `${event.at.slice(0, 13)}:00:00Z`)

export const recordManyInvited = (tally: Tally, count: number): Promise<void> =>
  tallyPerHour(tally, createEvent(tally, "account", "invited", count))

/** `pushed` is the number of records, null for a feed that was not pushed; `keys` the API keys that it added. */
export async function recordFeed(tally: Tally, pushed: number | null, keys: number): Promise<void> {
  if (pushed !== null) await tallyPerHour(tally, createEvent(tally, "feed", "pushed", pushed))
  if (keys > 0) await tallyPerHour(tally, createEvent(tally, "feed", "keys", keys))
}

/** `isRevokedByFeed` is unknown on an author's own page. */
export type AuthoredPurchase = Pick<FoundPurchase, "code" | "accountId" | "author"> &
  Partial<Pick<FoundPurchase, "isRevokedByFeed">>

export function recordPurchaseEvent(
  recording: Recording,
  { code, accountId, author, isRevokedByFeed: isByFeed }: AuthoredPurchase,
  action: AuditAction<"purchase">,
  { subjectName = "", note }: Readonly<{ subjectName?: string; note?: string }>,
): Promise<void> {
  const account = { id: accountId, username: author }
  const event = createEvent(recording, "purchase", action)
  return recording.audit.insert({ ...event, account, subjectId: code, subjectName, isByFeed, note })
}

export function recordItemEvent(
  tally: Tally,
  { id, accountId, author }: Pick<FoundItem, "id" | "accountId" | "author">,
  action: AuditAction<"item">,
): Promise<void> {
  const account = { id: accountId, username: author }
  const event = createEvent(tally, "item", action)
  return tallyPerMinute(tally, { ...event, account, subjectId: String(id) })
}

export const recordOperatorEvent = (
  recording: Recording,
  subjectId: string,
  action: AuditAction<"operator">,
): Promise<void> =>
  recording.audit.insert({ ...createEvent(recording, "operator", action), subjectId })

/**
 * Sign-ins of one hour are one event, so that guesses do not fill the log. `operator` is null for an unknown name.
 * The IP range is omitted for unknown names and throttled attempts.
 */
export function recordOperatorSignIn(
  { audit, now }: Omit<Tally, "actor">,
  outcome: SignInOutcome,
  operator: string | null,
  ipRange: string,
): Promise<void> {
  const hasIpRange = operator !== null && outcome !== "throttled"
  const actor: Actor = {
    kind: "operator",
    name: outcome === "ok" ? (operator ?? "") : "",
    ipRange: hasIpRange ? ipRange : "",
  }
  const event = createEvent({ now, actor }, "operator", signInActions[outcome])
  return tallyPerHour({ audit }, { ...event, subjectId: operator ?? "" })
}

const signInActions = {
  ok: "signed_in",
  wrong: "sign_in_failed",
  throttled: "sign_in_slowed",
  suspended: "sign_in_failed",
} as const satisfies Readonly<Record<SignInOutcome, AuditAction<"operator">>>

export function recordEndpointEvent(
  tally: Tally,
  endpoint: ListedEndpoint,
  action: AuditAction<"webhook">,
): Promise<void> {
  const subjectName = shownUrl(endpoint.url)
  const subject = { account: ownerOf(endpoint), subjectId: endpoint.id, subjectName }
  const event = { ...createEvent(tally, "webhook", action), ...subject }
  return tallyPerMinute(tally, event)
}

/** `subjectId` is the id of the key that signs from now on, or of the compromised key that was removed. */
export const recordSigningKeyEvent = (
  recording: Recording,
  subjectId: string,
  action: AuditAction<"signing_key">,
): Promise<void> =>
  recording.audit.insert({ ...createEvent(recording, "signing_key", action), subjectId })

export const recordTokenEvent = (
  recording: Recording,
  subjectId: string,
  action: AuditAction<"token">,
): Promise<void> =>
  recording.audit.insert({ ...createEvent(recording, "token", action), subjectId })

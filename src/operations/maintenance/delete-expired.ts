import type { SiteStore } from "../../domain/catalog/site.ts"
import { type MessageStore, messageDays } from "../../domain/events/message.ts"
import { tombstoneMs } from "../../domain/feed/feed-record.ts"
import type { FeedStore } from "../../domain/feed/feed-store.ts"
import type { EmailStore } from "../../domain/mail/email.ts"
import { type AuditStore, auditSeconds } from "../../domain/sign-in/audit-event.ts"
import {
  type InvitationStore,
  type SessionStore,
  type SignInLinkStore,
  sessionIdleSeconds,
  sessionLifeSeconds,
} from "../../domain/sign-in/session.ts"
import type { SignInFailureStore } from "../../domain/sign-in/sign-in-failures.ts"
import type { CountStore } from "../../domain/usage/usage.ts"
import { daysBefore, formatTimestamp, secondsBefore } from "../../domain/values/time/timestamp.ts"

type SignIns = Readonly<{
  sessions: Pick<SessionStore, "deleteExpired">
  invitations: Pick<InvitationStore, "deleteExpired">
}>

export type ExpiringStores = SignIns &
  Readonly<{
    operatorSignIn: SignIns
    audit: Pick<AuditStore, "deleteExpired">
    signInLinks: Pick<SignInLinkStore, "deleteExpired">
    signInFailures: Pick<SignInFailureStore, "deleteExpired">
    counts: Pick<CountStore, "deleteExpired">
    feed: Pick<FeedStore, "deleteOldTombstones">
    messages: Pick<MessageStore, "deleteExpired">
    emails: Pick<EmailStore, "deleteExpired">
  }>

type Pace = Readonly<{
  now: () => Date
  /** Between two batches, so that requests are not delayed. */
  pause(): Promise<void>
}>

/** SQLite deletes this many rows in about 3 ms, during which it serves no request. */
const batchRowsMax = 300

export async function deleteExpired(stores: ExpiringStores, { now, pause }: Pace): Promise<void> {
  const { operatorSignIn, signInLinks, signInFailures, counts, audit, feed, messages, emails } =
    stores
  const tombstonesBeforeMs = now().getTime() - tombstoneMs
  const idleSince = secondsBefore(now(), sessionIdleSeconds)
  const createdBefore = secondsBefore(now(), sessionLifeSeconds)
  const batches = [
    () => signInFailures.deleteExpired(now().getTime(), batchRowsMax),
    ...[stores, operatorSignIn].flatMap(({ sessions, invitations }) => [
      () => sessions.deleteExpired(idleSince, createdBefore, batchRowsMax),
      () => invitations.deleteExpired(formatTimestamp(now()), batchRowsMax),
    ]),
    () => signInLinks.deleteExpired(formatTimestamp(now()), batchRowsMax),
    () => emails.deleteExpired(formatTimestamp(now()), batchRowsMax),
    () => audit.deleteExpired(secondsBefore(now(), auditSeconds), batchRowsMax),
    () => counts.deleteExpired(formatTimestamp(now()), batchRowsMax),
    () => feed.deleteOldTombstones(tombstonesBeforeMs, batchRowsMax),
    () => messages.deleteExpired(daysBefore(formatTimestamp(now()), messageDays), batchRowsMax),
  ]
  for (const deleteBatch of batches) {
    while ((await deleteBatch()) >= batchRowsMax) await pause()
  }
}

/** Each step returns the next cursor, null at the end. */
async function deleteInBatches<Cursor>(
  first: Cursor,
  pause: Pace["pause"],
  step: (after: Cursor) => Promise<Cursor | null>,
): Promise<void> {
  let after = await step(first)
  while (after !== null) {
    await pause()
    after = await step(after)
  }
}

export async function pruneDeliveries(
  messages: Pick<MessageStore, "prune">,
  { pause }: Pick<Pace, "pause">,
): Promise<void> {
  await deleteInBatches("", pause, (after) => messages.prune(after, batchRowsMax))
}

/** Rows that are read: few of them have expired. */
const siteRowsMax = 2_000

export async function pruneUsage(
  counts: Pick<CountStore, "prune">,
  sites: Pick<SiteStore, "deleteExpired">,
  { now, pause }: Pace,
): Promise<void> {
  const at = formatTimestamp(now())
  await deleteInBatches("", pause, (after) => counts.prune(at, after, batchRowsMax))
  await deleteInBatches<string | null>(null, pause, (after) =>
    sites.deleteExpired(at, after, siteRowsMax),
  )
}

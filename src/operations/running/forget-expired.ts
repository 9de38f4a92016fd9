import type { SiteStore } from "../../domain/catalogue/sites.ts"
import { type MessageStore, messageDays } from "../../domain/events/message.ts"
import { tombstoneMs } from "../../domain/feed/as-of.ts"
import type { FeedStore } from "../../domain/feed/feed.ts"
import { type AuditStore, auditSeconds } from "../../domain/sign-in/audit-event.ts"
import type { InvitationStore, SignInLinkStore } from "../../domain/sign-in/invitation.ts"
import {
  type SessionStore,
  sessionIdleSeconds,
  sessionLifeSeconds,
} from "../../domain/sign-in/session.ts"
import type { SignInFailureStore } from "../../domain/sign-in/sign-in-failures.ts"
import type { CountStore } from "../../domain/usage/usage.ts"
import { daysBefore, formatTimestamp, secondsBefore } from "../../domain/values/time/timestamp.ts"

type SignIns = Readonly<{
  sessions: Pick<SessionStore, "forget">
  invitations: Pick<InvitationStore, "forget">
}>

export type ExpiringStores = SignIns &
  Readonly<{
    operatorSignIn: SignIns
    audit: Pick<AuditStore, "forget">
    signInLinks: Pick<SignInLinkStore, "forget">
    signInFailures: Pick<SignInFailureStore, "forget">
    counts: Pick<CountStore, "forget">
    feed: Pick<FeedStore, "forgetTombstones">
    messages: Pick<MessageStore, "forget">
  }>

type Pace = Readonly<{
  now: () => Date
  /** Between two batches, so that requests are not held up. */
  pause(): Promise<void>
}>

/** An embedded store removes so many rows in about 3 ms, and answers no request meanwhile. */
const batchRowsMax = 300

export async function forgetExpired(stores: ExpiringStores, { now, pause }: Pace): Promise<void> {
  const { operatorSignIn, signInLinks, signInFailures, counts, audit, feed, messages } = stores
  const tombstonesBeforeMs = now().getTime() - tombstoneMs
  const idleSince = secondsBefore(now(), sessionIdleSeconds)
  const bornBefore = secondsBefore(now(), sessionLifeSeconds)
  const batches = [
    () => signInFailures.forget(now().getTime(), batchRowsMax),
    ...[stores, operatorSignIn].flatMap(({ sessions, invitations }) => [
      () => sessions.forget(idleSince, bornBefore, batchRowsMax),
      () => invitations.forget(formatTimestamp(now()), batchRowsMax),
    ]),
    () => signInLinks.forget(formatTimestamp(now()), batchRowsMax),
    () => audit.forget(secondsBefore(now(), auditSeconds), batchRowsMax),
    () => counts.forget(formatTimestamp(now()), batchRowsMax),
    () => feed.forgetTombstones(tombstonesBeforeMs, batchRowsMax),
    () => messages.forget(daysBefore(formatTimestamp(now()), messageDays), batchRowsMax),
  ]
  for (const forgetBatch of batches) {
    while ((await forgetBatch()) >= batchRowsMax) await pause()
  }
}

/** Each step returns where the next one begins, null at the end. */
async function goThrough<Place>(
  first: Place,
  pause: Pace["pause"],
  step: (after: Place) => Promise<Place | null>,
): Promise<void> {
  let after = await step(first)
  while (after !== null) {
    await pause()
    after = await step(after)
  }
}

/** Goes through the deliveries of all endpoints, in small batches. */
export async function thinDeliveries(
  messages: Pick<MessageStore, "thin">,
  { pause }: Pick<Pace, "pause">,
): Promise<void> {
  await goThrough("", pause, (after) => messages.thin(after, batchRowsMax))
}

/** Rows that are read to find those that are too old: few are. */
const siteRowsMax = 2_000

/** Goes through the usage of all keys and all sites, in small batches. */
export async function thinUsage(
  counts: Pick<CountStore, "thin">,
  sites: Pick<SiteStore, "forget">,
  { now, pause }: Pace,
): Promise<void> {
  const at = formatTimestamp(now())
  await goThrough("", pause, (after) => counts.thin(at, after, batchRowsMax))
  await goThrough<string | null>(null, pause, (after) => sites.forget(at, after, siteRowsMax))
}

import { auditSeconds } from "../access/audit-event.ts"
import { tombstoneMs } from "../feed/feed-record.ts"
import { sessionIdleSeconds, sessionLifeSeconds } from "../people/session.ts"
import { daysBefore, formatTimestamp, secondsBefore } from "../platform/time.ts"
import type { SiteStore } from "../purchases/site.ts"
import type { CountStore } from "../usage/usage.ts"
import { type MessageStore, messageDays } from "../webhooks/message.ts"
import type { Store } from "./store.ts"

type Pace = Readonly<{
  now: () => Date
  /** Between two batches, so that requests are not delayed. */
  pause(): Promise<void>
}>

/** SQLite deletes this many rows in about 3 ms, during which it serves no request. */
const batchRowsMax = 300

export async function deleteExpired(store: Store, { now, pause }: Pace): Promise<void> {
  const { sessions, invitations, signInLinks, signInFailures, counts, audit } = store
  const { feed, messages, emails } = store
  const at = formatTimestamp(now())
  const tombstonesBeforeMs = now().getTime() - tombstoneMs
  const idleSince = secondsBefore(now(), sessionIdleSeconds)
  const createdBefore = secondsBefore(now(), sessionLifeSeconds)
  const batches = [
    () => signInFailures.deleteExpired(now().getTime(), batchRowsMax),
    () => sessions.deleteExpired(idleSince, createdBefore, batchRowsMax),
    () => invitations.deleteExpired(at, batchRowsMax),
    () => signInLinks.deleteExpired(at, batchRowsMax),
    () => emails.deleteExpired(at, batchRowsMax),
    () => audit.deleteExpired(secondsBefore(now(), auditSeconds), batchRowsMax),
    () => counts.deleteExpired(at, batchRowsMax),
    () => feed.deleteOldTombstones(tombstonesBeforeMs, batchRowsMax),
    () => messages.deleteExpired(daysBefore(at, messageDays), batchRowsMax),
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

export const pruneDeliveries = (
  messages: Pick<MessageStore, "prune">,
  { pause }: Pick<Pace, "pause">,
) => deleteInBatches("", pause, (after) => messages.prune(after, batchRowsMax))

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

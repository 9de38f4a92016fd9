import type { Account } from "../domain/catalogue/account.ts"
import type { SecretCounts } from "../domain/feed/feed.ts"
import type { StoredKey } from "../domain/keys/api-key.ts"
import {
  type Actor,
  type AuditAction,
  type AuditStore,
  auditActions,
} from "../domain/sign-in/audit-event.ts"
import type { FoundPurchase } from "../domain/usage/operator-reads.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"

/** The services that record what an actor does, and how often. */
export type Tally = Omit<Trace, "audit"> & Readonly<{ audit: Pick<AuditStore, "tally"> }>

/** The services that record what an actor does. */
export type Trace = Readonly<{
  audit: Pick<AuditStore, "insert">
  now: () => Date
  actor: Actor
}>

export function recordKeyEvent(
  { audit, now, actor }: Trace,
  { accountId, username, id, name }: Pick<StoredKey, "accountId" | "username" | "id" | "name">,
  action: AuditAction<"key">,
): Promise<void> {
  return audit.insert({
    ...{ at: formatTimestamp(now()), actor, kind: "key", action },
    account: { id: accountId, username },
    ...{ subjectId: id, subjectName: name, count: 1 },
  })
}

export function recordAccountEvent(
  { audit, now, actor }: Trace,
  { id, username }: Pick<Account, "id" | "username">,
  action: AuditAction<"account">,
  isByFeed?: boolean,
): Promise<void> {
  return audit.insert({
    at: formatTimestamp(now()),
    actor,
    kind: "account",
    action,
    account: { id, username },
    subjectId: username,
    subjectName: "",
    count: 1,
    isByFeed,
  })
}

const ofNobody = { account: null, subjectId: "", subjectName: "" } as const

/** One event for all of them. */
export function recordManyInvited({ audit, now, actor }: Tally, count: number): Promise<void> {
  return audit.tally({
    ...ofNobody,
    at: formatTimestamp(now()),
    actor,
    kind: "account",
    action: "invited",
    count,
  })
}

/** `pushed` is the number of records; null for a feed that was not pushed. */
export async function recordFeed(
  { audit, now, actor }: Tally,
  pushed: number | null,
  { keys, passwords }: SecretCounts,
): Promise<void> {
  const counts = { pushed, keys: keys || null, passwords: passwords || null }
  for (const action of auditActions.feed) {
    const count = counts[action]
    if (count === null) continue
    const at = formatTimestamp(now())
    await audit.tally({ ...ofNobody, at, actor, kind: "feed", action, count })
  }
}

export function recordPurchaseEvent(
  { audit, now, actor }: Trace,
  { code, accountId, author, isRevokedByFeed }: FoundPurchase,
  action: AuditAction<"purchase">,
): Promise<void> {
  return audit.insert({
    at: formatTimestamp(now()),
    actor,
    kind: "purchase",
    action,
    account: { id: accountId, username: author },
    subjectId: code,
    subjectName: "",
    count: 1,
    isByFeed: isRevokedByFeed,
  })
}

export function recordOperatorEvent(
  { audit, now, actor }: Trace,
  name: string,
  action: AuditAction<"operator">,
): Promise<void> {
  return audit.insert({
    ...{ at: formatTimestamp(now()), actor, kind: "operator", action },
    account: null,
    ...{ subjectId: name, subjectName: "", count: 1 },
  })
}

export function recordTokenEvent(
  { audit, now, actor }: Trace,
  name: string,
  action: AuditAction<"token">,
): Promise<void> {
  return audit.insert({
    ...ofNobody,
    at: formatTimestamp(now()),
    actor,
    kind: "token",
    action,
    subjectId: name,
    count: 1,
  })
}

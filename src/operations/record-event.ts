import type { Account } from "../domain/account.ts"
import type { StoredKey } from "../domain/api-key.ts"
import type { Actor, AuditAction, AuditStore } from "../domain/audit-event.ts"
import type { FoundPurchase } from "../domain/operator-reads.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

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
    ...{ subjectId: id, subjectName: name },
  })
}

export const recordAccountEvent = (
  trace: Trace,
  account: Pick<Account, "id" | "username">,
  action: AuditAction<"account">,
): Promise<void> => recordAccountEvents(trace, [account], action)

/** All of them or none. */
export function recordAccountEvents(
  { audit, now, actor }: Trace,
  accounts: readonly Pick<Account, "id" | "username">[],
  action: AuditAction<"account">,
): Promise<void> {
  const at = formatTimestamp(now())
  return audit.insert(
    ...accounts.map(({ id, username }) => ({
      ...{ at, actor, kind: "account" as const, action },
      account: { id, username },
      ...{ subjectId: username, subjectName: "" },
    })),
  )
}

export function recordPurchaseEvent(
  { audit, now, actor }: Trace,
  { code, accountId, author }: Pick<FoundPurchase, "code" | "accountId" | "author">,
  action: AuditAction<"purchase">,
): Promise<void> {
  return audit.insert({
    ...{ at: formatTimestamp(now()), actor, kind: "purchase", action },
    account: { id: accountId, username: author },
    ...{ subjectId: code, subjectName: "" },
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
    ...{ subjectId: name, subjectName: "" },
  })
}

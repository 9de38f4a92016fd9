import { requireRight } from "../access/actor.ts"
import type { AuditAction, AuditEvent, Recording } from "../access/audit-event.ts"
import { createEvent } from "../access/audit-operations.ts"
import type { KeyOperation } from "../contract/operation.ts"
import { DomainError, UserError } from "../platform/error.ts"
import type { Account, AccountStore } from "./account.ts"

export const readAccount: KeyOperation<
  Readonly<{ accounts: Pick<AccountStore, "find"> }>,
  null,
  Account
> = async ({ accounts }, key) => {
  const account = await accounts.find(key.accountId)
  // The account was deleted after its key was found; its keys are deleted with it.
  if (account === null) throw new DomainError("unknown_key")
  return account
}

/** For the command line. Throws UserError. */
export async function requireAccount(
  accounts: Pick<AccountStore, "findByUsername">,
  username: string,
): Promise<Account> {
  const account = await accounts.findByUsername(username)
  if (account === null) throw new UserError(`account ${username} does not exist`)
  return account
}

/** Recorded in the audit log if it changed anything or has a note. */
export async function setSuspended(
  services: Recording & Readonly<{ accounts: AccountStore }>,
  account: Account,
  isSuspended: boolean,
  note = "",
): Promise<void> {
  requireRight(services.actor, "operate")
  // Resuming also ends a suspension by the feed, so the feed's value is read first.
  const { isByFeed } = await services.accounts.findSuspension(account.id)
  const isNew = await services.accounts.setSuspended(account.id, isSuspended, services.now())
  const action = isSuspended ? "suspended" : "resumed"
  if (isNew || note !== "") await recordAccountEvent(services, account, action, { isByFeed, note })
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

/** PostgreSQL rejects larger numbers as an ID. */
const idMax = 2 ** 31 - 1

const parseAccountId = (text: string): number | null =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= idMax ? Number(text) : null

export async function findAuthor(
  { accounts }: Readonly<{ accounts: Pick<AccountStore, "find"> }>,
  id: string | undefined,
): Promise<Account | null> {
  const parsed = parseAccountId(id ?? "")
  return parsed === null ? null : accounts.find(parsed)
}

/** The ports that an adapter implements, opened and closed together. */

import type { AuditStore } from "../access/audit-event.ts"
import type { AccountStore, AuthorSearch } from "../accounts/account.ts"
import type { FeedStore, PullStore } from "../feed/import-run.ts"
import type { ItemSearch, ItemStore } from "../items/item.ts"
import type { ApiKeyStore, KeySearch } from "../keys/key.ts"
import type { EmailStore } from "../mail/email.ts"
import type { IdentityStore } from "../people/identity.ts"
import type { OperatorStore, OperatorTokenStore } from "../people/operator.ts"
import type { PasskeyStore } from "../people/passkey.ts"
import type { PasswordStore } from "../people/password.ts"
import type { PersonStore } from "../people/person.ts"
import type { InvitationStore, SessionStore, SignInLinkStore } from "../people/session.ts"
import type { SignInFailureStore } from "../people/sign-in-failures.ts"
import type { TwoFactorStore } from "../people/two-factor.ts"
import type { Message } from "../platform/problem.ts"
import type { Timestamp } from "../platform/time.ts"
import { openDeadline } from "../platform/timers.ts"
import type { OperatorReads } from "../purchases/operator-reads.ts"
import type { PurchaseStore } from "../purchases/purchase.ts"
import type { SaleStore } from "../purchases/sale.ts"
import type { SiteStore } from "../purchases/site.ts"
import type { SigningKeyStore } from "../signing/signing-key.ts"
import type { CountStore, FailedRequestStore, UsageStore } from "../usage/usage.ts"
import type { EndpointStore } from "../webhooks/endpoint.ts"
import type { MessageStore } from "../webhooks/message.ts"
import type { NodeStore } from "./node.ts"

export type Store = Readonly<{
  accounts: AccountStore
  items: ItemStore
  purchases: PurchaseStore
  sales: SaleStore
  sites: SiteStore
  keys: ApiKeyStore
  feed: FeedStore
  pulls: PullStore
  endpoints: EndpointStore
  messages: MessageStore
  emails: EmailStore
  metadata: MetadataStore
  itemSearch: ItemSearch
  people: PersonStore
  passwords: PasswordStore
  passkeys: PasskeyStore
  identities: IdentityStore
  sessions: SessionStore
  invitations: InvitationStore
  twoFactor: TwoFactorStore
  operators: OperatorStore
  operatorTokens: OperatorTokenStore
  signInLinks: SignInLinkStore
  audit: AuditStore
  counts: CountStore
  usage: UsageStore
  failedRequests: FailedRequestStore
  signInFailures: SignInFailureStore
  signingKeys: SigningKeyStore
  encryptedRows: EncryptedRowStore
  nodes: NodeStore
  operatorReads: OperatorReads
  keySearch: KeySearch
  authorSearch: AuthorSearch
  checks: StoreChecks
  schemaVersion: number
  /** Resolves if the catalog can be read, also from a standby. Throws StoreUnavailable otherwise. */
  probe(): Promise<void>
  /**
   * Resolves when only a restart can make the store usable again, for example after a disk failed to save a write.
   * From then on this thread writes nothing, and `close` leaves the files unchanged.
   */
  untilFailed(): Promise<StoreUnavailable>
  /** Writes of this thread. A write that only timed out on a lock counts as neither. Performs no I/O. */
  writeTimes(): Readonly<WriteTimes>
  close(): Promise<void>
}>

/** Facts about the database by name, such as the canary of its master key. Stored in the table `marks`. */
export interface MetadataStore {
  find(name: string): Promise<string | null>
  /** Stores the value unless the name has one. Returns the stored value. */
  putIfAbsent(name: string, value: string): Promise<string>
  put(name: string, value: string): Promise<void>
  /** Like `put`, and deletes `removed` in the same transaction. */
  putInPlaceOf(name: string, value: string, removed: string): Promise<void>
  remove(name: string): Promise<void>
}

/** Identifies the master key: with another one all API keys would be unknown, so it is rejected before any write. */
export const canaryMetadataKey = "master key canary"
export const lastBackupMetadataKey = "newest backup"
/** Why the server's last backup failed; deleted after the next complete one. */
export const failedBackupMetadataKey = "failure of the last backup"
/** Present if the last daily backup has no account. */
export const emptyBackupMetadataKey = "empty backup"
export const backupMetadataKeys = [
  emptyBackupMetadataKey,
  lastBackupMetadataKey,
  failedBackupMetadataKey,
]

export type LastBackup = Readonly<{ at: Timestamp; bytes: number }>

export async function findLastBackup(
  metadata: Pick<MetadataStore, "find">,
): Promise<LastBackup | null> {
  const found = await metadata.find(lastBackupMetadataKey)
  return found === null ? null : JSON.parse(found)
}

const hourMs = 3_600_000

/** A day, and two hours for late timers and slow copies. */
export const backupAgeMsMax = 26 * hourMs

export async function recordBackup(
  metadata: Pick<MetadataStore, "putInPlaceOf">,
  backup: LastBackup,
): Promise<void> {
  const text = JSON.stringify(backup)
  await metadata.putInPlaceOf(lastBackupMetadataKey, text, failedBackupMetadataKey)
}

const mailFailureMetadataKey = "failure of the mail server"

/** The mail server has accepted no connection since `since`. */
export type MailFailure = Readonly<{ since: Timestamp; problem: Message }>

export async function findMailFailure(
  metadata: Pick<MetadataStore, "find">,
): Promise<MailFailure | null> {
  const failure = await metadata.find(mailFailureMetadataKey)
  return failure === null ? null : JSON.parse(failure)
}

/** `problem` is null if the mail server works. */
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

/** `required` if operators need two-factor authentication. */
export const twoFactorMetadataKey = "operators' second factor"

/** The store did not respond, so the result is unknown. A retry may succeed. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable"
}

const requestMsMax = 2_000

/** How long a request waits for the database, whatever it waits for: a connection, a lock or a slow disk. */
export const openRequestDeadline = () =>
  openDeadline(
    requestMsMax,
    () => new StoreUnavailable(`the database did not respond within ${requestMsMax / 1000} s`),
  )

/** No database server responds, but one may soon: it is down, starting or out of connections. */
export class StoreUnreachable extends StoreUnavailable {
  override name = "StoreUnreachable"
}

/** When a write last succeeded and last failed, by `performance.now()`; 0 is never. */
export type WriteTimes = { succeededAtMs: number; failedAtMs: number }

export const createWriteTimes = (): WriteTimes => ({ succeededAtMs: 0, failedAtMs: 0 })

/** Longer than the minute between two heartbeats, which are writes too. */
const failureHeldMs = 90_000

/** Returns false until a later write succeeded and none failed for a while: on a full disk a small write can fit. */
export const isWritable = ({ succeededAtMs, failedAtMs }: Readonly<WriteTimes>, nowMs: number) =>
  failedAtMs === 0 || (succeededAtMs > failedAtMs && nowMs - failedAtMs >= failureHeldMs)

/** Reads for `pazar doctor` only. */
export interface StoreChecks {
  /** Empty if no corruption was found. `isThorough` also compares indexes with rows, several times as slow. */
  listCorruption(isThorough: boolean): Promise<readonly string[]>
  /** When the last import or audited action was, by the clock that recorded it; null if there is none. */
  findNewestTimestamp(): Promise<Timestamp | null>
  /** The clock of the database server; null on SQLite. */
  readClock(): Promise<Date | null>
  /** Always null on SQLite: a database that cannot be written cannot be opened. */
  findReadOnly(): Promise<"standby" | "setting" | null>
}

/** `lookup` is null for rows other than API keys. */
export type EncryptedSecret = Readonly<{ encrypted: Uint8Array; lookup: Uint8Array | null }>

/** The ciphertext is bound to `owner`, which starts with the id of the row. */
export type EncryptedRow = Readonly<{
  table: string
  owner: readonly string[]
  encrypted: Uint8Array
}>
export type Reencrypt = (row: EncryptedRow) => EncryptedSecret | null

export interface EncryptedRowStore {
  /** One transaction per batch. Skips rows that another process changed. `purpose` names the sub-key of a column. */
  rewrite(
    createReencrypt: (purpose: string) => Reencrypt,
    onBatch: (table: string, rows: number) => void,
  ): Promise<number>
}

/** The ports that an adapter implements, opened and closed together. */
import type { AccountStore } from "./catalog/account.ts"
import type { AuthorSearch } from "./catalog/author-search.ts"
import type { ItemStore } from "./catalog/item.ts"
import type { ItemSearch } from "./catalog/item-search.ts"
import type { PurchaseStore } from "./catalog/purchase.ts"
import type { SaleStore } from "./catalog/sale.ts"
import type { SiteStore } from "./catalog/site-limits.ts"
import type { EndpointStore } from "./events/endpoint.ts"
import type { MessageStore } from "./events/message.ts"
import type { FeedStore } from "./feed/feed-record.ts"
import type { PullStore } from "./feed/pull.ts"
import type { NodeStore } from "./health/node.ts"
import type { StoreChecks } from "./health/store-checks.ts"
import type { ApiKeyStore } from "./keys/api-key.ts"
import type { EncryptedRowStore } from "./keys/encrypted-rows.ts"
import type { KeySearch } from "./keys/key-search.ts"
import type { SigningKeyStore } from "./keys/signing-key.ts"
import type { EmailStore } from "./mail/email.ts"
import type { AuditStore } from "./sign-in/audit-event.ts"
import type { InvitationStore, SignInLinkStore } from "./sign-in/invitation.ts"
import type { OperatorStore, OperatorTokenStore } from "./sign-in/operator.ts"
import type { PasswordStore } from "./sign-in/password.ts"
import type { SessionStore } from "./sign-in/session.ts"
import type { SignInFailureStore } from "./sign-in/sign-in-failures.ts"
import type { TwoFactorStore } from "./sign-in/two-factor.ts"
import type { FailedRequestStore } from "./usage/failed-requests.ts"
import type { OperatorLists } from "./usage/operator-lists.ts"
import type { OperatorReads } from "./usage/operator-reads.ts"
import type { CountStore, UsageStore } from "./usage/usage.ts"
import type { WriteTimes } from "./usage/write-times.ts"
import type { Timestamp } from "./values/time/timestamp.ts"

/** Authors and operators have separate sign-in stores: a session of one is unknown to the other. */
export type SignInStores = Readonly<{
  passwords: PasswordStore
  sessions: SessionStore
  invitations: InvitationStore
  twoFactor: TwoFactorStore
}>

/** The sign-in stores at this level are those of authors. */
export type Store = SignInStores &
  Readonly<{
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
    operators: OperatorStore
    operatorSignIn: SignInStores
    operatorTokens: OperatorTokenStore
    signInLinks: SignInLinkStore
    preferences: PreferenceStore
    audit: AuditStore
    counts: CountStore
    usage: UsageStore
    failedRequests: FailedRequestStore
    signInFailures: SignInFailureStore
    signingKeys: SigningKeyStore
    encryptedRows: EncryptedRowStore
    nodes: NodeStore
    operatorReads: OperatorReads
    operatorLists: OperatorLists
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
}

/** Identifies the master key: with another one all API keys would be unknown, so it is rejected before any write. */
export const canaryMetadataKey = "master key canary"

export const lastBackupMetadataKey = "last backup"
export const lastBackupBytesMetadataKey = "bytes of the last backup"
/** Why the server's last backup failed; deleted after the next complete one. */
export const failedBackupMetadataKey = "failure of the last backup"
export const backupMetadataKeys = [
  lastBackupMetadataKey,
  lastBackupBytesMetadataKey,
  failedBackupMetadataKey,
]

/** `bytes` is null for a backup by an older version. */
export type LastBackup = Readonly<{ at: Timestamp; bytes: number | null }>

export async function findLastBackup(
  metadata: Pick<MetadataStore, "find">,
): Promise<LastBackup | null> {
  const at = await metadata.find(lastBackupMetadataKey)
  const bytes = await metadata.find(lastBackupBytesMetadataKey)
  return at === null ? null : { at, bytes: bytes === null ? null : Number(bytes) }
}

const hourMs = 3_600_000

/** A day, and two hours for late timers and slow copies. */
export const backupAgeMsMax = 26 * hourMs

export async function recordBackup(
  metadata: Pick<MetadataStore, "put" | "putInPlaceOf">,
  bytes: number,
  at: Timestamp,
): Promise<void> {
  await metadata.put(lastBackupBytesMetadataKey, `${bytes}`)
  await metadata.putInPlaceOf(lastBackupMetadataKey, at, failedBackupMetadataKey)
}

/** `required` if operators need two-factor authentication. */
export const twoFactorMetadataKey = "operators' second factor"

export interface PreferenceStore {
  findLocale(accountId: number): Promise<string | null>
  putLocale(accountId: number, locale: string): Promise<void>
}

/** The store did not respond, so the result is unknown. A retry may succeed. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable"
}

/** The database was moved and accepts no writes. The message says where it is. */
export class StoreMoved extends StoreUnavailable {
  override name = "StoreMoved"
}

/** No database server responds, but one may soon: it is down, starting or out of connections. */
export class StoreUnreachable extends StoreUnavailable {
  override name = "StoreUnreachable"
}

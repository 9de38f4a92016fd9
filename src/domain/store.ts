/** A store: the ports the program needs, opened and closed together. */
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
import type { SigningKeyStore } from "./keys/signing-key.ts"
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

/** Authors and operators each have their own: a session of one is unknown to the other. */
export type SignInStores = Readonly<{
  passwords: PasswordStore
  sessions: SessionStore
  invitations: InvitationStore
  twoFactor: TwoFactorStore
}>

/** The sign-in stores at the top are those of the authors. */
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
    authorSearch: AuthorSearch
    checks: StoreChecks
    /** The version of its tables, which this program was written for. */
    schemaVersion: number
    /** Resolves when the catalogue can be read, also from a standby; else throws `StoreUnavailable`. */
    probe(): Promise<void>
    /**
     * Resolves when only a restart of this process can make the store usable again, as after a disk failed to
     * save a write. This thread writes nothing any more then, and `close` leaves the files as they are.
     */
    untilFailed(): Promise<StoreUnavailable>
    /** Of this thread. A write that only waited too long for a lock of another one counts as neither. Does no I/O. */
    writeTimes(): Readonly<WriteTimes>
    close(): Promise<void>
  }>

/** Facts about the store itself, by name, such as the canary of its master key. In the table `marks`. */
export interface MetadataStore {
  find(name: string): Promise<string | null>
  /** Keeps the first value a name is given and answers with what is kept. */
  putIfAbsent(name: string, value: string): Promise<string>
  /** Replaces what is kept. */
  put(name: string, value: string): Promise<void>
  /** The same, and removes another name, both or neither. */
  putInPlaceOf(name: string, value: string, removed: string): Promise<void>
}

/**
 * A store recognises its master key by a canary. With another key all API keys would be unknown, so a
 * wrong one is refused before anything is written with it.
 */
export const canaryMetadataKey = "master key canary"

/** The names under which it is noted when the last backup was complete, and its size. */
export const lastBackupMetadataKey = "last backup"
export const lastBackupBytesMetadataKey = "bytes of the last backup"
/** Why the server could not make one; there until one is complete. */
export const failedBackupMetadataKey = "failure of the last backup"
export const backupMetadataKeys = [
  lastBackupMetadataKey,
  lastBackupBytesMetadataKey,
  failedBackupMetadataKey,
]

/** `bytes` is null for a backup of an older version. */
export type LastBackup = Readonly<{ at: Timestamp; bytes: number | null }>

/** Null where the program itself has made none. */
export async function findLastBackup(
  metadata: Pick<MetadataStore, "find">,
): Promise<LastBackup | null> {
  const at = await metadata.find(lastBackupMetadataKey)
  const bytes = await metadata.find(lastBackupBytesMetadataKey)
  return at === null ? null : { at, bytes: bytes === null ? null : Number(bytes) }
}

const hourMs = 3_600_000

/** How old the newest backup may become: a day, and two hours because a timer may be late and a copy takes time. */
export const backupAgeMsMax = 26 * hourMs

export async function recordBackup(
  metadata: Pick<MetadataStore, "put" | "putInPlaceOf">,
  bytes: number,
  at: Timestamp,
): Promise<void> {
  await metadata.put(lastBackupBytesMetadataKey, `${bytes}`)
  await metadata.putInPlaceOf(lastBackupMetadataKey, at, failedBackupMetadataKey)
}

/** The name under which it is kept that operators need a second factor: `required`, or anything else. */
export const twoFactorMetadataKey = "operators' second factor"

export interface PreferenceStore {
  /** Null when nothing was chosen. */
  findLocale(accountId: number): Promise<string | null>
  putLocale(accountId: number, locale: string): Promise<void>
}

/** The store could not be asked, so the answer is unknown. Trying again may help. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable"
}

/** The store was moved: only the new one takes writes. The message says where it is. */
export class StoreMoved extends StoreUnavailable {
  override name = "StoreMoved"
}

/** No server answers at the address of the store, and one may soon: it is down, starting or full. */
export class StoreUnreachable extends StoreUnavailable {
  override name = "StoreUnreachable"
}

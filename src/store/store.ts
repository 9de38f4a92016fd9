/** The ports that an adapter implements, opened and closed together. */
import type { AuditStore } from "../access/audit-event.ts"
import type { OperatorTokenStore } from "../access/token.ts"
import type { AccountStore, AuthorSearch } from "../accounts/account.ts"
import type { FeedStore, PullStore } from "../feed/import-run.ts"
import type { ItemSearch, ItemStore } from "../items/item.ts"
import type { ApiKeyStore, KeySearch } from "../keys/key.ts"
import type { EmailStore } from "../mail/email.ts"
import type { PeopleStores } from "../people/services.ts"
import type { SignInFailureStore } from "../people/sign-in-throttle.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import type { WriteTimes } from "../platform/database/sql.ts"
import type { StoreUnavailable } from "../platform/error.ts"
import type { Timestamp } from "../platform/time.ts"
import type { PurchaseStore } from "../purchases/purchase.ts"
import type { SaleStore } from "../purchases/sale.ts"
import type { SiteStore } from "../purchases/site.ts"
import type { SigningKeyStore } from "../signing/signing-key.ts"
import type { CountStore, FailedRequestStore, UsageStore } from "../usage/usage.ts"
import type { MessageStore } from "../webhooks/message.ts"
import type { EndpointStore } from "../webhooks/webhook.ts"
import type { NodeStore } from "./node.ts"
import type { RowCounts } from "./row-counts.ts"

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
  operatorTokens: OperatorTokenStore
  audit: AuditStore
  counts: CountStore
  usage: UsageStore
  failedRequests: FailedRequestStore
  signInFailures: SignInFailureStore
  signingKeys: SigningKeyStore
  encryptedRows: EncryptedRowStore
  nodes: NodeStore
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
}> &
  PeopleStores

/** Reads for `pazar doctor` only. */
export interface StoreChecks {
  /** Counts every row: takes seconds with many millions of purchases. */
  countRows(): Promise<RowCounts>
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

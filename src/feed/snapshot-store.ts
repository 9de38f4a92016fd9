import type { Account } from "../accounts/account.ts"
import { feedAccountColumns } from "../accounts/account-store.ts"
import type { Item } from "../items/item.ts"
import type { StoredKey } from "../keys/key.ts"
import { type KeyRow, selectStoredKeys, toKey } from "../keys/key-store.ts"
import { type Sql, sql } from "../platform/database/sql.ts"
import type { PurchaseRecord } from "../purchases/purchase.ts"
import { feedRevoked } from "../purchases/purchase-store.ts"
import { pendingColumns } from "./batch-reads-store.ts"
import { fromPendingRow, type PendingRow } from "./feed-record.ts"
import type { Snapshot } from "./import-run.ts"

export type SnapshotSource = Readonly<{
  /** The SQL that sorts key ids by code point. */
  keyIdOrder: Sql
  readPages<Row>(select: Sql): AsyncGenerator<readonly Row[]>
  /** A page also ends at about `pageBytesMax` of bodies. */
  readLongRows<Row extends WithBody>(
    columns: Sql,
    body: Sql,
    from: Sql,
  ): AsyncGenerator<readonly Row[]>
  close(): Promise<void>
}>

export type WithBody = Readonly<{ body: string }>

export const pageRows = 1_000

export function createSnapshot(source: SnapshotSource): Snapshot {
  const { keyIdOrder, readPages, readLongRows, close } = source
  return {
    readAccounts: () =>
      readLongRows<Account>(feedAccountColumns, sql`body`, sql`accounts ORDER BY username`),
    readKeys: () =>
      mapPages(
        readPages<KeyRow<StoredKey>>(
          sql`${selectStoredKeys} ORDER BY a.username, k.created_at, ${keyIdOrder}`,
        ),
        (row) => toKey<StoredKey>(row),
      ),
    readItems: () =>
      mapPages(
        readLongRows<Item & Pick<Account, "username">>(
          sql`i.id, i.account_id, i.is_hidden, i.body, i.download_url, a.username`,
          sql`i.body`,
          sql`items i JOIN accounts a ON a.id = i.account_id ORDER BY i.id`,
        ),
        ({ username: author, ...row }) => ({ ...row, author }),
      ),
    readPurchases: () =>
      readPages<PurchaseRecord>(sql`
        SELECT code, item_id, ${feedRevoked}, buyer, valid_until, site_limit, before_item, after_item
        FROM purchases ORDER BY folded, code`),
    readPending: () =>
      mapPages(
        readPages<PendingRow>(sql`
          SELECT ${pendingColumns} FROM pending_records t ORDER BY t.kind, t.needs, t.identity`),
        fromPendingRow,
      ),
    close,
  }
}

async function* mapPages<Row, Mapped>(
  pages: AsyncGenerator<readonly Row[]>,
  map: (row: Row) => Mapped,
): AsyncGenerator<readonly Mapped[]> {
  for await (const page of pages) yield page.map(map)
}

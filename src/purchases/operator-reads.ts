/** Reads across all accounts, only for operators. The API and the workspace read one account at a time. */
import type { Suspension } from "../accounts/account.ts"
import type { FoundItem, ListedItem } from "../items/item.ts"
import type { WidelyUsedKey } from "../keys/key.ts"
import type { DayRange } from "../platform/time.ts"
import type { RowCounts } from "../store/row-counts.ts"
import type { BusyAuthor } from "../usage/usage.ts"
import type { FoundPurchase } from "./purchase.ts"

export interface OperatorReads {
  /** Authors with the most requests, without test keys. */
  listBusiest(range: DayRange, rowsMax: number): Promise<readonly BusyAuthor[]>
  /** Counts every row: takes seconds with many millions of purchases. */
  countRows(): Promise<RowCounts>
  /** Finds hidden items too. */
  findItem(id: number): Promise<FoundItem | null>
  /** Items of all authors whose name contains the text, and the one with this ID. Highest id first. */
  searchItems(text: string, rowsMax: number): Promise<readonly ListedItem[]>
  /** Both are false if the account does not exist. */
  findSuspension(accountId: number): Promise<Suspension>
  /** ASCII case-insensitive; usually none or one. */
  listPurchases(code: string): Promise<readonly FoundPurchase[]>
  /** Secret and imported keys used from at least `ipRangesMin` IP ranges since the day `since`, also inactive ones. */
  listWidelyUsed(
    since: string,
    ipRangesMin: number,
    rowsMax: number,
  ): Promise<readonly WidelyUsedKey[]>
}

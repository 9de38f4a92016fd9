/** Reads across all accounts, only for operators. The API and the workspace read one account at a time. */
import type { Account } from "../accounts/account.ts"
import type { Item } from "../items/item.ts"
import type { StoredKey } from "../keys/key.ts"
import { pluralize } from "../platform/text.ts"
import type { DayRange } from "../platform/time.ts"
import type { Purchase } from "./purchase.ts"

export type RowCounts = Readonly<Record<"accounts" | "items" | "purchases" | "keys", number>>

export const describeCounts = ({ accounts, items, purchases }: Omit<RowCounts, "keys">) =>
  [pluralize(accounts, "account"), pluralize(items, "item"), pluralize(purchases, "purchase")].join(
    ", ",
  )

/** The name and state of the author. */
type Authored = Pick<Account, "username" | "isSuspended">
export type FoundItem = Item & Authored & Readonly<{ purchases: number }>

/** An account is suspended if the feed or an operator suspended it. */
export type Suspension = Readonly<{ isByFeed: boolean; isByOperator: boolean }>

export type FoundPurchase = Purchase &
  Authored &
  Readonly<{
    /** A purchase is revoked if the feed or an operator revoked it. */
    isRevokedByFeed: boolean
    isRevokedByOperator: boolean
  }>

export type WidelyUsedKey = Pick<
  StoredKey,
  "id" | "accountId" | "username" | "kind" | "name" | "expiresAt" | "revokedAt" | "replacedAt"
> &
  Readonly<{ ipRanges: number }>

export type BusyAuthor = Readonly<{ accountId: number; username: string; calls: number }>

export type ListedItem = Pick<Item, "id" | "accountId"> &
  Readonly<{ name: string; username: string }>

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

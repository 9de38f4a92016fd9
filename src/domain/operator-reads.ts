/**
 * Reads across all accounts, for the operator's commands. No request is answered from here: every look-up
 * of the API and of the workspace is bound to its account.
 */
import type { Item } from "./item.ts"
import type { Purchase } from "./purchase.ts"

export type RowCounts = Readonly<{
  accounts: number
  items: number
  purchases: number
  keys: number
}>

type Authored = Readonly<{ author: string; isAuthorSuspended: boolean }>

export type FoundItem = Item &
  Authored &
  Readonly<{
    /** How many were sold, revoked ones included. */
    purchases: number
  }>

export type FoundPurchase = Purchase & Authored

export interface OperatorReads {
  /** Counts every row, which takes seconds for many millions of purchases. */
  countRows(): Promise<RowCounts>
  /** Finds hidden items too. Null when there is no item of this id. */
  findItem(id: number): Promise<FoundItem | null>
  /** Every purchase whose code equals `code` but for the case of ASCII letters; usually none or one. */
  listPurchases(code: string): Promise<readonly FoundPurchase[]>
}

/**
 * Reads across all accounts, for the operator's commands and console. No request of anybody else is answered
 * from here: every look-up of the API and of the workspace is bound to its account.
 */
import type { Item } from "../catalog/item.ts"
import type { Purchase } from "../catalog/purchase.ts"
import type { StoredKey } from "../keys/api-key.ts"
import { pluralize } from "../values/text.ts"

export type RowCounts = Readonly<{
  accounts: number
  items: number
  purchases: number
  keys: number
}>

/** `1 account, 2 items, 0 purchases`. */
export const describeCounts = ({ accounts, items, purchases }: Omit<RowCounts, "keys">) =>
  [pluralize(accounts, "account"), pluralize(items, "item"), pluralize(purchases, "purchase")].join(
    ", ",
  )

type Authored = Readonly<{ author: string; isAuthorSuspended: boolean }>

export type FoundItem = Item &
  Authored &
  Readonly<{
    /** How many were sold, revoked ones included. */
    purchases: number
  }>

/** The feed's and the operator's word on a suspension. Either one suspends the account. */
export type Suspension = Readonly<{ isByFeed: boolean; isByOperator: boolean }>

export type FoundPurchase = Purchase &
  Authored &
  Readonly<{
    /** It is revoked if either says so. */
    isRevokedByFeed: boolean
    isRevokedByOperator: boolean
  }>

export type WidelyUsedKey = Pick<
  StoredKey,
  "id" | "accountId" | "username" | "kind" | "name" | "expiresAt" | "revokedAt" | "replacedAt"
> &
  Readonly<{ ipRanges: number }>

export interface OperatorReads {
  /** Counts every row, which takes seconds for many millions of purchases. */
  countRows(): Promise<RowCounts>
  /** Finds hidden items too. Null when there is no item of this id. */
  findItem(id: number): Promise<FoundItem | null>
  /** Neither where there is no such account. */
  findSuspension(accountId: number): Promise<Suspension>
  /** Every purchase whose code equals `code` but for the case of ASCII letters; usually none or one. */
  listPurchases(code: string): Promise<readonly FoundPurchase[]>
  /**
   * Keys that may do everything and were used from at least `networksMin` networks since the day `since`, the most
   * widely used first, at most `rowsMax`. Keys that no longer work are among them.
   */
  listWidelyUsed(
    since: string,
    networksMin: number,
    rowsMax: number,
  ): Promise<readonly WidelyUsedKey[]>
}

/**
 * Purchases, and the port by which operations find them.
 * Rules live here and in operations/. An adapter only reads and writes.
 */
import { DomainError } from "../values/error.ts"
import {
  amount,
  createSchema,
  currency,
  flag,
  invalid,
  optional,
  type ParsedFields,
  shortNonEmpty,
  text,
  timestamp,
} from "../values/schema.ts"
import type { AccountStore } from "./account.ts"
import type { ItemBody, ItemStore } from "./item.ts"
import {
  isPlaceholder,
  isStorablePurchaseCode,
  purchaseCodeCharactersMax,
  type RejectedCode,
} from "./purchase-code.ts"
import {
  type LimitedPurchase,
  limitFor,
  limitsOf,
  type SeenSite,
  type SiteSlots,
} from "./site-limits.ts"

/**
 * The contract's JSON text before and after the item. The item's own text is stored once, with the item.
 */
export type PurchaseText = Readonly<{ beforeItem: string; afterItem: string }>

export type Purchase = Readonly<{
  code: string
  accountId: number
  itemId: number
  isRevoked: boolean
  /** The contract's JSON text, the item in it, as answered. */
  body: string
  /** The buyer's name; null when the store did not tell it. No part of the contract. */
  buyer: string | null
}>

export type PurchaseOnSite = Purchase & LimitedPurchase

/** The purchase that was found by its code, valid or revoked. */
export type RequestedPurchase = Pick<Purchase, "code" | "itemId"> &
  Readonly<{
    /** Where a valid one is used, if the request told. */
    seenSite?: SeenSite
  }>

/** The answer to a code is "no". */
export class CodeRejected extends DomainError {
  readonly rejected: RejectedCode
  /** That of a revoked code. */
  readonly purchase: RequestedPurchase | null

  constructor(
    reason: "unknown_code" | "revoked_code" | "site_limit",
    refused: RejectedCode,
    purchase: RequestedPurchase | null = null,
  ) {
    super(reason)
    this.rejected = refused
    this.purchase = purchase
  }
}

export type PurchaseRecord = PurchaseText &
  Readonly<{
    code: string
    itemId: number
    /** The feed's word. */
    isRevoked: boolean
    /** An operator refunded it; no feed takes that back. */
    isRevokedByOperator?: boolean | undefined
    buyer: string | null
  }>

export interface PurchaseStore {
  /**
   * Every purchase of the account's items whose code equals `code` but for the case of ASCII
   * letters; usually none or one. Revoked purchases and those of hidden items are included. `site` is the one
   * whose last day is asked for.
   */
  listByCode(
    accountId: number,
    code: string,
    site?: string | null,
  ): Promise<readonly PurchaseOnSite[]>
  /**
   * An operator's word about the purchase with this exact code. It wins over the feed's; without it, the
   * feed's counts. False if there is no such purchase.
   */
  setRevokedByOperator(code: string, isRevoked: boolean): Promise<boolean>
}

const purchaseCodeSchema = { type: "string", minLength: 1, maxLength: purchaseCodeCharactersMax }

export const storedCode = createSchema(purchaseCodeSchema, (value, field) => {
  const code = text(value, field)
  if (isStorablePurchaseCode(code)) return code
  throw invalid(field, "not_a_code", { max: purchaseCodeCharactersMax })
})

/** A patch may name a code that an earlier version took. */
const soldCode = createSchema(
  purchaseCodeSchema,
  (value, field) => {
    const code = storedCode(value, field)
    if (!isPlaceholder(code)) return code
    throw invalid(field, "placeholder", { value: code })
  },
  storedCode,
)

/** The contract's members but `item`, which a feed names by its id. */
export const purchaseFields = {
  purchase_code: soldCode,
  license_type: shortNonEmpty,
  price: amount,
  currency,
  supported_until: optional(timestamp),
  downloaded: flag,
  date: timestamp,
}

export type PurchaseFields = Readonly<ParsedFields<typeof purchaseFields>>

/** The contract's Purchase: what `body` holds. */
export type PurchaseBody = PurchaseFields & Readonly<{ item: ItemBody }>

/** The text was checked when it was written. */
export const purchaseBodyOf = ({ body }: Pick<Purchase, "body">): PurchaseBody => JSON.parse(body)

/** On how many sites the purchase may be used; null for any number. */
export function siteLimitOf({ siteLimits, body }: LimitedPurchase): number | null {
  if (siteLimits === null) return null
  const limits = limitsOf(siteLimits)
  // Reading the body takes some microseconds.
  const isByLicense = Object.keys(limits.byLicense).length > 0
  return limitFor(limits, isByLicense ? purchaseBodyOf({ body }).license_type : "")
}

export function renderPurchaseText(purchase: PurchaseFields): PurchaseText {
  const { purchase_code, license_type, price, currency, supported_until, downloaded, date } =
    purchase
  const before = JSON.stringify({ purchase_code, license_type, price, currency })
  // The store finds the date by its place at the end.
  const after = JSON.stringify({ supported_until, downloaded, date })
  return { beforeItem: `${before.slice(0, -1)},"item":`, afterItem: `,${after.slice(1)}` }
}

/** The members that `renderPurchaseText` made this text of. */
export const purchaseFieldsOf = ({ beforeItem, afterItem }: PurchaseText): PurchaseFields =>
  JSON.parse(`${beforeItem}null${afterItem}`)

/** The part of a store that the operations of the API read. */
export type StoredCatalog = Readonly<{
  accounts: Pick<AccountStore, "find">
  items: ItemStore
  purchases: Pick<PurchaseStore, "listByCode">
}>

/** What those operations work with. The sample world is one too. */
export type Catalog = StoredCatalog & Readonly<{ sites: SiteSlots }>

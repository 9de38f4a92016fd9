/** Purchases, their codes and their download links. */
import { createHmac } from "node:crypto"
import type { Authored } from "../accounts/account.ts"
import type { ApiKey } from "../contract/operation.ts"
import { type ItemBody, limitFor, parseLimits, priceUnits } from "../items/item.ts"
import { createTokenCipher, type MasterKeys } from "../platform/crypto/cipher.ts"
import {
  amount,
  createSchema,
  currency,
  flag,
  hasAtMost,
  invalid,
  optional,
  type ParsedFields,
  shortNonEmpty,
  text,
  timestamp,
} from "../platform/schema.ts"
import { isPlaceholder, trimWhitespace } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"
import type { EventType } from "../webhooks/webhook.ts"
import type { LimitedPurchase } from "./site.ts"

/** The contract's JSON before and after the item. The item's JSON is stored once, with the item. */
export type PurchaseText = Readonly<{ beforeItem: string; afterItem: string }>

export type Purchase = Readonly<{
  code: string
  accountId: number
  itemId: number
  isRevoked: boolean
  /** The contract's JSON including the item, exactly as the API returns it. */
  body: string
  /** Not part of the contract. Null if the feed had no buyer. */
  buyer: string | null
  /** The end of a subscription; null if the code does not expire. Not part of the contract. */
  validUntil: Timestamp | null
  /** Overrides the site limit of the item; null if the purchase has no limit of its own. */
  siteLimit: number | null
}>

export type PurchaseState = "valid" | "refunded" | "expired"

export function stateOfPurchase(
  { isRevoked, validUntil }: Pick<Purchase, "isRevoked" | "validUntil">,
  at: Timestamp,
): PurchaseState {
  if (isRevoked) return "refunded"
  return validUntil !== null && validUntil <= at ? "expired" : "valid"
}

/** The names of the states for operators' programs: a feed sends `revoked`. */
export const stateNames = { valid: "valid", refunded: "revoked", expired: "expired" } as const

export type PurchaseOnSite = Purchase & LimitedPurchase

/** `isRevoked` is the feed's value. */
export type PurchaseRecord = PurchaseText &
  Pick<Purchase, "code" | "itemId" | "isRevoked" | "buyer"> &
  Readonly<{
    /** Operator override: a feed cannot undo it. */
    isRevokedByOperator?: boolean | undefined
    validUntil?: Timestamp | null | undefined
    /** Undefined keeps the stored limit, which the author may have set. */
    siteLimit?: number | null | undefined
  }>

export interface PurchaseStore {
  /**
   * ASCII case-insensitive; usually none or one. Includes revoked purchases. `siteLastDay` belongs to `site`. Includes
   * purchases of items that have moved to another author, if the key was created for them.
   */
  listByCode(
    accountId: number,
    code: string,
    site?: string | null,
    keyId?: string | null,
  ): Promise<readonly PurchaseOnSite[]>
  /** Whether the key could validate the code until its item moved to another author, or was revoked for the item. */
  hasMovedFrom(key: Pick<ApiKey, "id" | "accountId" | "itemIds">, code: string): Promise<boolean>
  /** Sets or removes the operator override, which wins over the feed. Returns false for an unknown code. */
  setRevokedByOperator(code: string, isRevoked: boolean, now: Date): Promise<boolean>
  /** Null removes the limit of this purchase, so that the item's limit applies. Returns false for an unknown code. */
  setSiteLimit(code: string, limit: number | null): Promise<boolean>
}

const purchaseCodeCharactersMax = 255

/** Three invisible characters for each character of the longest code. */
const pastedUnitsMax = 4 * purchaseCodeCharactersMax

/**
 * Normalization sorts the marks of a letter in quadratic time. Unicode's Stream-Safe Text Format allows thirty. NFKC
 * turns the two listed letters into marks.
 */
const longRunOfMarks = /[\p{M}\uff9e\uff9f]{31}/u
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
const dash = /\p{Dash}/gu
const plain = /^[!-~]*$/

/**
 * Removes what pasting from e-mails, PDFs and chats adds: ligatures, dashes, invisible characters. Returns null if the
 * text cannot be a code: too long, too many marks, or not well-formed Unicode. Whitespace alone is "".
 */
export function normalizePurchaseCode(pasted: string): string | null {
  const trimmed = trimWhitespace(pasted)
  if (trimmed.length > pastedUnitsMax || !trimmed.isWellFormed()) return null
  const code = plain.test(trimmed) ? trimmed : normalForm(trimmed)
  return code !== null && hasAtMost(code, purchaseCodeCharactersMax) ? code : null
}

/** An invisible character between a letter and its accent would keep NFKC from composing them. NFKC can add spaces. */
function normalForm(text: string): string | null {
  const visible = text.replace(invisible, "")
  if (longRunOfMarks.test(visible)) return null
  const normal = trimWhitespace(visible.normalize("NFKC").replace(dash, "-"))
  return longRunOfMarks.test(normal) ? null : normal
}

export function isStorablePurchaseCode(code: string): boolean {
  return code !== "" && normalizePurchaseCode(code) === code && !code.includes("\ufffd")
}

const charactersMin = 8
/** Each word costs up to three look-ups. */
const wordsMax = 30
const punctuation = "\"'`‘’“”„«»()\\[\\]{}<>*,;:!?.…"
const opening = new RegExp(`^[${punctuation}]+`, "u")
const closing = new RegExp(`[${punctuation}]+$`, "u")
/** The label in `code:8f14…`. Only letters, so that no part of a code is removed. */
const label = /^\p{L}+[:=]+/u

/**
 * Returns the words of a message that may be codes; only a look-up can tell. Each has up to three readings:
 * unchanged, without surrounding punctuation, without a label. Part of a longer code is never a candidate.
 */
export function listCodeCandidates(pasted: string): readonly (readonly string[])[] {
  const words = new Set(pasted.split(/\p{White_Space}+/u))
  return [...words]
    .map(readWord)
    .filter((readings) => readings.length > 0)
    .slice(0, wordsMax)
}

function readWord(word: string): readonly string[] {
  const whole = normalizePurchaseCode(word) ?? ""
  const bare = whole.replace(opening, "").replace(closing, "")
  const unlabelled = bare.replace(label, "").replace(opening, "")
  return [...new Set([whole, bare, unlabelled])].filter(
    (text) => text.length >= charactersMin && /\d/.test(text),
  )
}

const purchaseCodeSchema = { type: "string", minLength: 1, maxLength: purchaseCodeCharactersMax }

export const storedCode = createSchema(purchaseCodeSchema, (value, field) => {
  const code = text(value, field)
  if (isStorablePurchaseCode(code)) return code
  throw invalid(field, "not_a_code", { max: purchaseCodeCharactersMax })
})

/** A patch may name a placeholder that an earlier version accepted as a code. */
const soldCode = createSchema(
  purchaseCodeSchema,
  (value, field) => {
    const code = storedCode(value, field)
    if (!isPlaceholder(code)) return code
    throw invalid(field, "placeholder", { value: code })
  },
  storedCode,
)

/** The contract's fields without `item`, which a feed references by its id. */
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
type PurchaseBody = PurchaseFields & Readonly<{ item: ItemBody }>

/** `body` was validated when it was written. */
export const purchaseBodyOf = ({ body }: Pick<Purchase, "body">): PurchaseBody => JSON.parse(body)

export function resolveSiteLimit({
  siteLimit,
  siteLimits,
  body,
}: Pick<LimitedPurchase, "siteLimit" | "siteLimits" | "body">): number | null {
  if (siteLimit !== null || siteLimits === null) return siteLimit
  const limits = parseLimits(siteLimits)
  // Parse the body only if a limit depends on it.
  const isByLicense = Object.keys(limits.byLicense).length > 0
  return limitFor(limits, isByLicense ? purchaseBodyOf({ body }).license_type : "")
}

export function renderPurchaseText(purchase: PurchaseFields): PurchaseText {
  const { purchase_code, license_type, price, currency, supported_until, downloaded, date } =
    purchase
  const before = JSON.stringify({ purchase_code, license_type, price, currency })
  const after = JSON.stringify({ supported_until, downloaded, date })
  return { beforeItem: `${before.slice(0, -1)},"item":`, afterItem: `,${after.slice(1)}` }
}

/** Inverse of `renderPurchaseText`. */
export const purchaseFieldsOf = ({ beforeItem, afterItem }: PurchaseText): PurchaseFields =>
  JSON.parse(`${beforeItem}null${afterItem}`)

/** Larger ones are cut off, so that the sum of a day cannot overflow. */
const summedPriceMax = 1e9
export const toPriceUnits = (price: number): number =>
  Math.round(Math.max(-summedPriceMax, Math.min(price, summedPriceMax)) * priceUnits)

/** The purchase and the item that a download link is bound to, until `expiresAt`. */
export type DownloadGrant = Pick<Purchase, "accountId" | "code" | "itemId"> &
  Readonly<{ expiresAt: Timestamp }>

export interface DownloadLinks {
  /** False without `PAZAR_DOWNLOAD_SECRET`: downloads would not be protected. */
  isEnabled: boolean
  createToken(grant: DownloadGrant): string
  /** Returns null for a token that was not created here. The grant may have expired. */
  parseToken(token: string): DownloadGrant | null
  /** Adds the item's id, the end and a signature of all, which the shop verifies. */
  signUrl(url: string, grant: Pick<DownloadGrant, "itemId" | "expiresAt">): string
}

export type PurchaseChange = PurchaseText &
  Readonly<{
    type: Extract<EventType, `purchase.${string}`>
    itemId: number
    /** If present, only endpoints older than the sale receive the event. */
    soldAt?: Timestamp
    /** The item may be deleted in the same batch. */
    isRemoved: boolean
  }>

export type FoundPurchase = Purchase &
  Authored &
  Readonly<{
    /** A purchase is revoked if the feed or an operator revoked it. */
    isRevokedByFeed: boolean
    isRevokedByOperator: boolean
  }>

/** The shop checks that the file belongs to this item: the author of another one may have chosen the URL. */
const itemParameter = "pazar_item"

/** `secret` is shared with the shop. Tokens are encrypted, because URLs are logged and must not contain codes. */
export function createDownloadLinks(master: MasterKeys, secret: string | null): DownloadLinks {
  const { createToken, parseToken } = createTokenCipher<DownloadGrant, null>(
    master,
    "download",
    () => [],
  )
  return {
    isEnabled: secret !== null,
    createToken: (grant) => createToken(grant, null),
    parseToken: (token) => parseToken(token, null),
    signUrl(text, { itemId, expiresAt }) {
      const url = Object.assign(new URL(text), { hash: "" })
      // `delete` also changes the encoding of other parameters.
      if (url.searchParams.has(itemParameter)) url.searchParams.delete(itemParameter)
      const { href } = url
      const added = `${itemParameter}=${itemId}&expires=${Date.parse(expiresAt) / 1000}`
      const signed = `${href}${href.includes("?") ? "&" : "?"}${added}`
      const signature = createHmac("sha256", secret ?? "")
        .update(signed)
        .digest("base64url")
      return `${signed}&signature=${signature}`
    },
  }
}

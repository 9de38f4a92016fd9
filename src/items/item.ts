import type { Authored } from "../accounts/account.ts"
import { UserError } from "../platform/error.ts"
import {
  amount,
  createSchema,
  currency,
  identifier,
  invalid,
  isObject,
  list,
  longText,
  nonEmptyList,
  optional,
  type ParsedFields,
  record,
  shortText,
  text,
  timestamp,
  url,
} from "../platform/schema.ts"

export type Item = Readonly<{
  id: number
  accountId: number
  isHidden: boolean
  /** The contract's JSON, exactly as the API returns it. */
  body: string
  /** The file that buyers download. Not part of the contract. */
  downloadUrl: string | null
}>

export type ItemRecord = Pick<Item, "id" | "isHidden" | "body"> &
  Readonly<{ author: string; downloadUrl?: string | null | undefined }>

export interface ItemStore {
  /** Finds hidden items too. */
  find(accountId: number, id: number): Promise<Item | null>
  /** Visible items only. Returns null if the account does not exist. */
  findList(accountId: number): Promise<ListPages | null>
}

export type ListPages = Readonly<{
  /** Changes with every change of the visible items and never repeats: the list's ETag contains it. */
  version: string
  /** Highest id first, from `idMax` down. Null if the account was deleted: the list must not seem to be complete. */
  read(idMax: number, rowsMax: number): Promise<ListPage | null>
}>

/** A single item may be larger. Every client that reads a list holds one page in memory. */
export const pageBytesMax = 1_000_000

export function countPage(sizes: readonly number[]): number {
  let bytes = 0
  const end = sizes.findIndex((size) => {
    bytes += size
    return bytes > pageBytesMax
  })
  return end === -1 ? sizes.length : Math.max(1, end)
}

export type ListPage = Readonly<{
  count: number
  lastId: number
  isLast: boolean
  /** The items' JSON, separated by commas, in UTF-8. */
  bytes: Uint8Array<ArrayBuffer>
}>

const threeNumbers = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/

const version = createSchema({ type: "string", pattern: threeNumbers.source }, (value, field) => {
  const dotted = text(value, field)
  if (threeNumbers.test(dotted)) return dotted
  throw invalid(field, "not_a_version")
})

const screenshots = optional(nonEmptyList(url))
export const audioMediaFields = { thumbnail: url, preview_audio: url, screenshots }

export const otherMediaFields = {
  thumbnail: url,
  preview_image: url,
  preview_video: optional(url),
  screenshots,
}

const audioMedia = record(audioMediaFields)
const otherMedia = record(otherMediaFields)

export const isAudio = (media: unknown): boolean =>
  isObject(media) && Object.hasOwn(media, "preview_audio")

const forbiddenForAudio = Object.keys(otherMediaFields).filter(
  (name) => !Object.hasOwn(audioMediaFields, name),
)

/** Removes media fields that the item's kind does not allow. Returns whether any were removed. */
export function dropForbiddenMedia(media: Record<string, unknown>): boolean {
  if (!isAudio(media)) return false
  const forbidden = forbiddenForAudio.filter((name) => Object.hasOwn(media, name))
  for (const name of forbidden) delete media[name]
  return forbidden.length > 0
}

/** A patch can change the kind, so it may remove any preview. The resulting item is validated. */
const anyPreview = { preview_audio: optional(url), preview_image: optional(url) }
const mediaPatch = record({ ...otherMediaFields, ...anyPreview }).patch

const media = createSchema(
  { oneOf: [audioMedia.jsonSchema, otherMedia.jsonSchema] },
  (value, field) => (isAudio(value) ? audioMedia(value, field) : otherMedia(value, field)),
  mediaPatch,
)

export const itemFields = {
  id: identifier,
  name: shortText,
  description: longText,
  category: shortText,
  sub_category: shortText,
  options: list(shortText),
  version,
  demo_link: url,
  tags: list(shortText),
  media,
  price: record({ regular: amount, extended: amount }),
  currency,
  published_at: timestamp,
}

export const itemSchema = record(itemFields)

/** Clients read responses of up to 256 KB, with the purchase and a signature. */
const itemBytesMax = 200 * 1024

/** Throws InvalidRecord. */
export function checkItemSize<Sized extends Pick<Item, "body">>(item: Sized): Sized {
  const bytes = Buffer.byteLength(item.body)
  if (bytes <= itemBytesMax) return item
  throw invalid("record", "item_too_large", { bytes: `${bytes}`, max: itemBytesMax })
}

/** Buyers run what they download: https only, except for files on this machine. */
const downloadAddress = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/)/i
/** PHP also reads ` expires[]` as `expires`; others separate parameters by semicolons. */
const signedParameter = /[?&;][^a-z0-9_]*(?:expires|signature)(?![a-z0-9_-])/i

/** A URL that is not one was removed before. Throws InvalidRecord. */
export function checkDownloadUrl<Url extends string | null | undefined>(downloadUrl: Url): Url {
  if (typeof downloadUrl !== "string") return downloadUrl
  if (!downloadAddress.test(downloadUrl)) throw invalid("download_url", "not_an_https_url")
  // Cannot fail, unlike `decodeURIComponent`.
  const decoded = new URL(downloadUrl).search.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  if (signedParameter.test(decoded)) throw invalid("download_url", "signed_parameter")
  return downloadUrl
}

export type ItemBody = Readonly<ParsedFields<typeof itemFields>>

/** `body` was validated when it was written. */
export const itemBodyOf = ({ body }: Pick<Item, "body">): ItemBody => JSON.parse(body)

/** A minus reverses the order. */
export const itemSorts = ["published", "-published", "name", "-name", "price", "-price"] as const
export type ItemSort = (typeof itemSorts)[number]
export type ItemQuery = Readonly<{
  text: string
  sort: ItemSort
  after: string | null
  rowsMax: number
}>
type ItemPage = Readonly<{ items: readonly ItemSummary[]; next: string | null }>

/** The fields that lists show. A whole item may take a megabyte. */
export type ItemSummary = Pick<Item, "id" | "isHidden"> &
  Pick<ItemBody, "name" | "category" | "currency"> &
  Readonly<{ thumbnail: string; price: number; publishedAt: string }>

export interface ItemSearch {
  /** Matches names, ignoring case and accents, and the exact id. */
  search(accountId: number, query: ItemQuery): Promise<ItemPage>
  /** In the order of the ids; omits items of other accounts. */
  listByIds(accountId: number, ids: readonly number[]): Promise<readonly ItemSummary[]>
  /** All items with this name. Without one, all items whose name contains the text. */
  listIdsByName(accountId: number, text: string): Promise<readonly number[]>
  count(accountId: number): Promise<number>
  /** For operators: the item of any author, also a hidden one. */
  findOfAny(id: number): Promise<FoundItem | null>
  /** For operators: items of all authors whose name contains the text, and the one with this ID. Highest id first. */
  listOfAny(text: string, rowsMax: number): Promise<readonly ListedItem[]>
}

/** In ten-thousandths of the currency, because sums of integers are exact. */
export const priceUnits = 10_000

export type FoundItem = Item & Authored & Readonly<{ purchases: number }>

export type ListedItem = Pick<Item, "id" | "accountId"> &
  Readonly<{ name: string; username: string }>

export type SiteLimits = Readonly<{
  sites: number | null
  byLicense: Readonly<Record<string, number>>
}>

export const noLimits: SiteLimits = { sites: null, byLicense: {} }
export const siteLimitMax = 10_000

/** An exact license type wins over one that differs in case. */
export function limitFor({ sites, byLicense }: SiteLimits, licenseType: string): number | null {
  if (Object.hasOwn(byLicense, licenseType)) return byLicense[licenseType] ?? null
  const folded = licenseType.toLowerCase()
  const same = Object.entries(byLicense).find(([name]) => name.toLowerCase() === folded)
  return same === undefined ? sites : same[1]
}

export const hasLimit = ({ sites, byLicense }: SiteLimits) =>
  sites !== null || Object.keys(byLicense).length > 0

export const renderLimits = (limits: SiteLimits) =>
  hasLimit(limits) ? JSON.stringify(limits) : null

export const parseLimits = (text: string | null): SiteLimits =>
  text === null ? noLimits : JSON.parse(text)

export function findSiteLimit(text: string): number | null {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return isSiteLimit(limit) ? limit : null
}

export function parseSiteLimit(text: string): number {
  const limit = findSiteLimit(text)
  if (limit !== null) return limit
  throw new UserError(`the site limit must be a number from 1 to ${siteLimitMax}`)
}

const isSiteLimit = (limit: unknown): limit is number =>
  typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= siteLimitMax

export const siteLimitField = createSchema<number>(
  { type: "integer", minimum: 1, maximum: siteLimitMax },
  (value, field) => {
    if (isSiteLimit(value)) return value
    throw invalid(field, "not_an_integer", { min: 1, max: siteLimitMax })
  },
)

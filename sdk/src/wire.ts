/** Types of the API's JSON. Newer servers may send more fields. Times are ISO 8601 in UTC; amounts are in `currency`. */

/** Error code in the header `Pazar-Reason`. Never translated or renamed. */
export type Reason =
  | "ok"
  | "missing_key"
  | "unknown_key"
  | "revoked_key"
  | "expired_key"
  | "key_not_allowed"
  | "account_suspended"
  | "missing_parameter"
  | "invalid_parameter"
  | "no_items"
  | "unknown_item"
  | "unknown_code"
  | "revoked_code"
  | "expired_code"
  | "site_limit"
  | "no_download"
  | "method_not_allowed"
  | "unknown_path"
  | "too_large"
  | "rate_limited"
  | "unavailable"

export type Account = Readonly<{
  name: Readonly<{ firstname: string; lastname: string; full_name: string }>
  username: string
  email: string
  balance: number
  currency: string
  profile: Profile
  registered_at: string
}>

export type Profile = Readonly<{
  heading: string
  description: string
  contact: Readonly<{ email: string }>
  /** URLs by name of the social network. */
  social_links: Readonly<Record<string, string>>
  media: Readonly<{ avatar: string; cover: string }>
}>

export type Item = Readonly<{
  id: number
  name: string
  description: string
  category: string
  sub_category: string
  options: readonly string[]
  /** Three numbers with dots, such as `1.4.0`. */
  version: string
  demo_link: string
  tags: readonly string[]
  media: ItemMedia
  /** By license type. */
  price: Readonly<{ regular: number; extended: number }>
  currency: string
  published_at: string
}>

/** URLs of an item's files. Audio items have `preview_audio` instead of `preview_image`; video items also have `preview_video`. */
export type ItemMedia = Readonly<{
  thumbnail: string
  preview_image?: string
  preview_video?: string
  preview_audio?: string
  screenshots?: readonly string[]
}>

/** One page of an account's purchases. */
export type PurchasePage = Readonly<{
  purchases: readonly Purchase[]
  /** Pass it as `after` for the next page. Null on the last page. */
  next: string | null
}>

/** A site where a code was used. Days are dates in UTC, such as `2026-06-15`. */
export type PurchaseSite = Readonly<{
  site: string
  first_day: string
  last_day: string
  /** Test sites use no slot. */
  test: boolean
}>

export type Purchase = Readonly<{
  /** The code as sold, regardless of how the buyer typed it. */
  purchase_code: string
  license_type: string
  price: number
  currency: string
  item: Item
  /** Absent without support. */
  supported_until?: string
  downloaded: boolean
  date: string
}>

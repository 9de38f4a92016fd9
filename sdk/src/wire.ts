/** The API's JSON and its constants, as types. A newer server may send members that are not listed here. */

/** The constant in the header `Pazar-Reason`. It is never translated, and no name is ever changed. */
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
  | "site_limit"
  | "method_not_allowed"
  | "unknown_path"
  | "too_large"
  | "rate_limited"
  | "unavailable"

/** The account that owns the key. */
export type Account = Readonly<{
  name: Readonly<{ firstname: string; lastname: string; full_name: string }>
  username: string
  email: string
  /** In `currency`. */
  balance: number
  /** Three letters. */
  currency: string
  profile: Profile
  /** ISO 8601, UTC. */
  registered_at: string
}>

/** The public part of an account. */
export type Profile = Readonly<{
  heading: string
  description: string
  contact: Readonly<{ email: string }>
  /** Network name to link. */
  social_links: Readonly<Record<string, string>>
  media: Readonly<{ avatar: string; cover: string }>
}>

/** Something an author sells. */
export type Item = Readonly<{
  id: number
  name: string
  description: string
  category: string
  sub_category: string
  options: readonly string[]
  /** Three numbers with dots. */
  version: string
  demo_link: string
  tags: readonly string[]
  media: ItemMedia
  /** The prices of the two licence kinds, in `currency`. */
  price: Readonly<{ regular: number; extended: number }>
  currency: string
  /** ISO 8601, UTC. */
  published_at: string
}>

/** URLs of an item's files. */
export type ItemMedia = Readonly<{
  thumbnail: string
  /** All items but audio. */
  preview_image?: string
  /** Video items only. */
  preview_video?: string
  /** Audio items only. */
  preview_audio?: string
  /** Only if there are any. */
  screenshots?: readonly string[]
}>

/** A sale of an item to a buyer. */
export type Purchase = Readonly<{
  /** The code as it was sold, however the buyer typed it. */
  purchase_code: string
  license_type: string
  /** The price that the buyer paid, in `currency`. */
  price: number
  currency: string
  item: Item
  /** ISO 8601, UTC; absent without support. */
  supported_until?: string
  downloaded: boolean
  /** ISO 8601, UTC. */
  date: string
}>

/** Types of the API's JSON. A newer server may send more fields. */

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
  | "site_limit"
  | "method_not_allowed"
  | "unknown_path"
  | "too_large"
  | "rate_limited"
  | "unavailable"

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
  /** Prices of the two license types, in `currency`. */
  price: Readonly<{ regular: number; extended: number }>
  currency: string
  /** ISO 8601, UTC. */
  published_at: string
}>

/** URLs of an item's files. */
export type ItemMedia = Readonly<{
  thumbnail: string
  /** Absent for audio items. */
  preview_image?: string
  /** Video items only. */
  preview_video?: string
  /** Audio items only. */
  preview_audio?: string
  /** Absent without screenshots. */
  screenshots?: readonly string[]
}>

export type Purchase = Readonly<{
  /** The code as sold, regardless of how the buyer typed it. */
  purchase_code: string
  license_type: string
  /** Price paid, in `currency`. */
  price: number
  currency: string
  item: Item
  /** ISO 8601, UTC; absent without support. */
  supported_until?: string
  downloaded: boolean
  /** ISO 8601, UTC. */
  date: string
}>

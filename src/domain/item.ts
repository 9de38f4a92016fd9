/** Items: what an author sells. */
import type { Awaitable } from "./awaitable.ts"
import {
  amount,
  currency,
  InvalidRecord,
  identifier,
  list,
  nonEmptyList,
  optional,
  record,
  type Shape,
  text,
  timestamp,
  url,
} from "./shape.ts"

export type Item = Readonly<{
  id: number
  accountId: number
  isHidden: boolean
  /** The contract's JSON text, as answered. */
  body: string
}>

/** An item as it enters the store. */
export type ItemRecord = Readonly<{ id: number; author: string; isHidden: boolean; body: string }>

export interface ItemStore {
  /** Null when the account has no item of this id, hidden ones included. */
  find(accountId: number, id: number): Awaitable<Item | null>
  /** The account's visible items; null when there is no such account. */
  findList(accountId: number): Awaitable<ItemPages | null>
}

/** Read page by page, each at its own moment. */
export type ItemPages = Readonly<{
  /**
   * Changes whenever the visible items do, and never comes back: what a client may keep its copy of
   * the list under.
   */
  version: string
  /**
   * Items with ids up to `idMax`, newest id first, at most `limit`; never older than `version`. Null
   * when the account is gone: the list must not seem to end there.
   */
  read(idMax: number, limit: number): Awaitable<ItemPage | null>
}>

/** Put together by the store: two hundred items one by one cost four times as much. */
export type ItemPage = Readonly<{
  count: number
  /** The smallest; 0 when there is none. */
  lastId: number
  /** The items' JSON texts, commas between them, in UTF-8. */
  bytes: Uint8Array<ArrayBuffer>
}>

const dotted = /^\d{1,9}(\.\d{1,9}){0,2}$/

/** Completed to major.minor.patch. */
const version: Shape<string> = (value, member) => {
  const given = text(value, member)
  if (!dotted.test(given)) {
    throw new InvalidRecord(member, "must be a dotted version number, major.minor.patch")
  }
  const parts = given.split(".")
  return [...parts, "0", "0"].slice(0, 3).join(".")
}

const mediaMembers = record({
  thumbnail: url,
  preview_image: optional(url),
  preview_video: optional(url),
  preview_audio: optional(url),
  screenshots: optional(nonEmptyList(url)),
})

/** Audio items have sound and no picture; video items have both picture and video. */
const media: typeof mediaMembers = (value, member) => {
  const given = mediaMembers(value, member)
  const isAudio = given.preview_audio !== undefined
  if (isAudio && given.preview_video !== undefined) {
    throw new InvalidRecord(`${member}.preview_video`, "must be left out for an audio item")
  }
  if (isAudio && given.preview_image !== undefined) {
    throw new InvalidRecord(`${member}.preview_image`, "must be left out for an audio item")
  }
  if (!isAudio && given.preview_image === undefined) {
    throw new InvalidRecord(`${member}.preview_image`, "is missing (only audio items have none)")
  }
  return given
}

export const itemMembers = {
  id: identifier,
  name: text,
  description: text,
  category: text,
  sub_category: text,
  options: list(text),
  version,
  demo_link: url,
  tags: list(text),
  media,
  price: record({ regular: amount, extended: amount }),
  currency,
  published_at: timestamp,
}

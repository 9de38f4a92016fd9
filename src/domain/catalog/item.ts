import {
  amount,
  createSchema,
  currency,
  identifier,
  invalid,
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
} from "../values/schema.ts"

export type Item = Readonly<{
  id: number
  accountId: number
  isHidden: boolean
  /** The contract's JSON text, as answered. */
  body: string
}>

export type ItemRecord = Readonly<{ id: number; author: string; isHidden: boolean; body: string }>

export interface ItemStore {
  /** Finds hidden items too. Null when the account has no item of this id. */
  find(accountId: number, id: number): Promise<Item | null>
  /** The account's visible items; null when there is no such account. */
  findList(accountId: number): Promise<ListPages | null>
}

/** Read page by page, each at its own moment. */
export type ListPages = Readonly<{
  /**
   * Changes whenever the visible items do, and is never used again: the entity tag of the list is made
   * of it.
   */
  version: string
  /**
   * Items with ids up to `idMax`, newest id first, at most `rowsMax` and about `pageBytesMax`; never older
   * than `version`. Null when the account is gone: the list must not seem to end there.
   */
  read(idMax: number, rowsMax: number): Promise<ListPage | null>
}>

/** The texts of one page of items; a single item may be longer. Each client that reads a list keeps a page in memory. */
export const pageBytesMax = 1_000_000

/** How many items, of these sizes, make the first page: one at least. */
export function countPage(sizes: readonly number[]): number {
  let bytes = 0
  const end = sizes.findIndex((size) => {
    bytes += size
    return bytes > pageBytesMax
  })
  return end === -1 ? sizes.length : Math.max(1, end)
}

/** Concatenated by the store: two hundred items one by one cost four times as much. */
export type ListPage = Readonly<{
  count: number
  /** The smallest; 0 when there is none. */
  lastId: number
  /** Whether the account has no items with smaller ids. */
  isLast: boolean
  /** The items' JSON texts, commas between them, in UTF-8. */
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
  typeof media === "object" && media !== null && Object.hasOwn(media, "preview_audio")

const forbiddenForAudio = Object.keys(otherMediaFields).filter(
  (name) => !Object.hasOwn(audioMediaFields, name),
)

/** Removes the media that the item's kind does not have, in place; true if there was any. */
export function dropForbiddenMedia(media: Record<string, unknown>): boolean {
  if (!isAudio(media)) return false
  const forbidden = forbiddenForAudio.filter((name) => Object.hasOwn(media, name))
  for (const name of forbidden) delete media[name]
  return forbidden.length > 0
}

/** A patch can change the kind, so it may remove any preview; the item it makes is checked. */
const mediaPatch = record({
  thumbnail: url,
  preview_audio: optional(url),
  preview_image: optional(url),
  preview_video: optional(url),
  screenshots,
}).patch

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

/** The contract's Item: what `body` holds. */
export type ItemBody = Readonly<ParsedFields<typeof itemFields>>

/** The text was checked when it was written. */
export const itemBodyOf = ({ body }: Pick<Item, "body">): ItemBody => JSON.parse(body)

import type { Timestamp } from "../values/time/timestamp.ts"
import type { KeyKind } from "./api-key.ts"

/** The first value is the default. */
export const keySorts = ["created", "used", "name"] as const
export type KeySort = (typeof keySorts)[number]

export type KeyQuery = Readonly<{
  /** Null for the keys of all accounts. */
  accountId: number | null
  kind: KeyKind | null
  /** Whether a key is neither revoked nor expired. */
  isLive: boolean | null
  at: Timestamp
  /** Part of the name, or the id; an empty text matches all. */
  text: string
  /** Keys that match the text by their last characters, which are encrypted. */
  matchingIds: readonly string[]
  sort: KeySort
  isDescending: boolean
  offset: number
  rowsMax: number
}>

export interface KeySearch {
  /** Keys that were never used are the least recently used. Ties are ordered newest first. */
  search(query: KeyQuery): Promise<Readonly<{ ids: readonly string[]; total: number }>>
}

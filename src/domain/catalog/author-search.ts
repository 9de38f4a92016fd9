/** Authors as an operator looks for them, across all accounts. */
import { foldLetters } from "../values/text.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

/** The busiest come first, so that they are seen without a choice. */
export const authorSorts = ["calls", "seen", "name"] as const
export type AuthorSort = (typeof authorSorts)[number]

export type AuthorQuery = Readonly<{
  text: string
  sort: AuthorSort
  /** Now: calls of the seven days up to it are counted. */
  at: Timestamp
  offset: number
  rowsMax: number
}>

/** The fields of an account that a search compares, and its state. */
export type AuthorTitle = Readonly<{
  id: number
  username: string
  fullName: string
  email: string
  isSuspended: boolean
}>

/** As long as the log of failed calls. */
export const authorCallDays = 7

export type AuthorFacts = AuthorTitle &
  Readonly<{
    items: number
    /** Refunded ones included. */
    purchases: number
    /** Revoked ones are left out. */
    keys: number
    /** Of seven days, without those of test keys and of keys that no longer work. */
    calls: number
    hasPassword: boolean
    /** An invitation is open. */
    isInvited: boolean
    /** When a page was seen or a key used; null if neither is known. */
    lastSeenAt: Timestamp | null
  }>

type FoundAuthors = Readonly<{ authors: readonly AuthorFacts[]; total: number }>

export interface AuthorSearch {
  /**
   * Those that hold the text in their name, e-mail address or username; all for an empty text. The most or the latest
   * first; equal ones by username.
   */
  search(query: AuthorQuery): Promise<FoundAuthors>
  find(id: number, at: Timestamp): Promise<AuthorFacts | null>
}

/**
 * One page of those whose name, e-mail address or username holds the text, in the order given, and how
 * many match. Not in SQL: no database folds letters as Turkish searches on any keyboard need.
 */
export function pickAuthors(
  titles: readonly AuthorTitle[],
  { text, offset, rowsMax }: Pick<AuthorQuery, "text" | "offset" | "rowsMax">,
): Readonly<{ page: readonly AuthorTitle[]; total: number }> {
  const wanted = foldLetters(text)
  const matching = titles.filter(({ username, fullName, email }) =>
    [username, fullName, email].some((value) => foldLetters(value).includes(wanted)),
  )
  return { page: matching.slice(offset, offset + rowsMax), total: matching.length }
}

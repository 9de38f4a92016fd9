import { foldLetters } from "../values/text.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

/** The first value is the default. */
export const authorSorts = ["calls", "seen", "name"] as const
export type AuthorSort = (typeof authorSorts)[number]

export type AuthorQuery = Readonly<{
  text: string
  sort: AuthorSort
  isDescending: boolean
  /** `calls` covers the seven days up to this timestamp. */
  at: Timestamp
  offset: number
  rowsMax: number
}>

export type AuthorTitle = Readonly<{
  id: number
  username: string
  fullName: string
  email: string
  isSuspended: boolean
}>

export const authorCallDays = 7

export type AuthorFacts = AuthorTitle &
  Readonly<{
    items: number
    purchases: number
    /** Neither revoked nor expired. */
    keys: number
    /** Requests of the last `authorCallDays`, without test keys and inactive keys. */
    calls: number
    hasPassword: boolean
    isInvited: boolean
    /** The last page view or key use; null if neither was recorded. */
    lastSeenAt: Timestamp | null
  }>

type FoundAuthors = Readonly<{ authors: readonly AuthorFacts[]; total: number }>

export interface AuthorSearch {
  /** Matches full name, email address and username; an empty text matches all. Ties are ordered by username. */
  search(query: AuthorQuery): Promise<FoundAuthors>
  find(id: number, at: Timestamp): Promise<AuthorFacts | null>
}

/** Not in SQL: no database folds letters as Turkish searches need. */
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

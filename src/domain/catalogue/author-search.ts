/** Authors as an operator looks for them: beside operator-reads.ts the only port that reads across accounts. */
import { foldLetters } from "../values/text.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

type AuthorQuery = Readonly<{ text: string; offset: number; rowsMax: number }>

/** The fields of an account that a search compares, and its state. */
export type AuthorTitle = Readonly<{
  id: number
  username: string
  fullName: string
  email: string
  isSuspended: boolean
}>

export type AuthorFacts = AuthorTitle &
  Readonly<{
    items: number
    /** At most `purchasesCounted`: counting all sales of a large author takes too long for a page. */
    purchases: number
    /** Revoked ones are left out. */
    keys: number
    /** Ever, also when no session is left. */
    hasSignedIn: boolean
    /** When a page was seen or, by the hour, a key used; null if neither is known. */
    lastSeenAt: Timestamp | null
  }>

type FoundAuthors = Readonly<{ authors: readonly AuthorFacts[]; total: number }>

export interface AuthorSearch {
  /** By username, those that hold the text in their name, e-mail address or username; all for an empty text. */
  search(query: AuthorQuery): Promise<FoundAuthors>
  /** Null when there is no such account. */
  find(id: number): Promise<AuthorFacts | null>
}

export const purchasesCounted = 1_000

/**
 * One page of those whose name, e-mail address or username holds the text, in the order given, and how
 * many match. Not in SQL: no database folds letters as Turkish searches on any keyboard need.
 */
export function pickAuthors(
  titles: readonly AuthorTitle[],
  { text, offset, rowsMax }: AuthorQuery,
): Readonly<{ page: readonly AuthorTitle[]; total: number }> {
  const wanted = foldLetters(text)
  const matching = titles.filter(({ username, fullName, email }) =>
    [username, fullName, email].some((value) => foldLetters(value).includes(wanted)),
  )
  return { page: matching.slice(offset, offset + rowsMax), total: matching.length }
}

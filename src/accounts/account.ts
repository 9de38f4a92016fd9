import {
  amount,
  createSchema,
  currency,
  invalid,
  longText,
  map,
  type ParsedFields,
  record,
  shortText,
  text,
  timestamp,
  url,
} from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"

export type Account = Readonly<{
  id: number
  username: string
  /** The contract's JSON, exactly as the API returns it. */
  body: string
  /** A suspended account's keys are rejected and its workspace is closed. No data is deleted. */
  isSuspended: boolean
}>

export type AccountRecord = Omit<Account, "id">

export interface AccountStore {
  find(id: number): Promise<Account | null>
  findByUsername(username: string): Promise<Account | null>
  /** By username (code points), starting after `afterUsername`. */
  list(afterUsername: string, rowsMax: number): Promise<readonly Account[]>
  /** Ids of the accounts with a member who has a password, among the usernames after `afterUsername` up to `lastUsername`. */
  listWithPassword(afterUsername: string, lastUsername: string): Promise<readonly number[]>
  /** Both are false if the account does not exist. */
  findSuspension(id: number): Promise<Suspension>
  /**
   * Sets or removes the operator override. A suspension wins over the feed. Removing it also lifts a suspension by the
   * feed. Returns whether the state changed.
   */
  setSuspended(id: number, isSuspended: boolean, now: Date): Promise<boolean>
}

const maxLength = 255

export const username = createSchema(
  { type: "string", minLength: 1, maxLength },
  (value, field) => {
    const name = text(value, field)
    if (name !== "" && name.length <= maxLength && trimWhitespace(name) === name) return name
    throw invalid(field, "not_a_username", { max: maxLength })
  },
)

export const accountFields = {
  name: record({ firstname: shortText, lastname: shortText, full_name: shortText }),
  username,
  email: shortText,
  balance: amount,
  currency,
  profile: record({
    heading: shortText,
    description: longText,
    contact: record({ email: shortText }),
    social_links: map(url),
    media: record({ avatar: url, cover: url }),
  }),
  registered_at: timestamp,
}

/** `body` was validated when it was written. */
export const accountBodyOf = ({
  body,
}: Pick<Account, "body">): Readonly<ParsedFields<typeof accountFields>> => JSON.parse(body)

/** The first value is the default. */
export const authorSorts = ["calls", "seen", "name"] as const
export type AuthorSort = (typeof authorSorts)[number]

export const authorCallDays = 7

export type AuthorFacts = Omit<Account, "body"> &
  Readonly<{
    fullName: string
    email: string
    items: number
    purchases: number
    keys: number
    /** Requests of the last `authorCallDays`, without test keys and inactive keys. */
    calls: number
    hasPassword: boolean
    isInvited: boolean
    /** The last page view or key use; null if neither was recorded. */
    lastSeenAt: Timestamp | null
  }>

export interface AuthorSearch {
  /** Matches full name, email address and username; an empty text matches all. Ties are ordered by username. */
  search(
    query: Readonly<{
      text: string
      sort: AuthorSort
      isDescending: boolean
      /** `calls` covers the seven days up to this timestamp. */
      at: Timestamp
      offset: number
      rowsMax: number
    }>,
  ): Promise<Readonly<{ authors: readonly AuthorFacts[]; total: number }>>
  find(id: number, at: Timestamp): Promise<AuthorFacts | null>
}

/** An account is suspended if the feed or an operator suspended it. */
export type Suspension = Readonly<{ isByFeed: boolean; isByOperator: boolean }>

export const describeAuthor = ({ username, isSuspended }: Authored) =>
  isSuspended ? `${username} (suspended)` : username

export type Authored = Pick<Account, "username" | "isSuspended">

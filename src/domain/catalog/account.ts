/** Accounts: authors on the marketplace, each the owner of items and keys. */
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
} from "../values/schema.ts"
import { trimWhitespace } from "../values/text.ts"

export type Account = Readonly<{
  id: number
  username: string
  /** The contract's JSON text, as answered. */
  body: string
  /** Its keys are refused and its author cannot sign in. Nothing is deleted. */
  isSuspended: boolean
}>

export type AccountRecord = Omit<Account, "id">

export interface AccountStore {
  find(id: number): Promise<Account | null>
  /** By the exact name; null when there is none. */
  findByUsername(username: string): Promise<Account | null>
  /** Those with this name, whatever the case of its ASCII letters; at most `rowsMax`. */
  listByUsername(username: string, rowsMax: number): Promise<readonly Account[]>
  /** Those with this e-mail address, whatever the case of its ASCII letters; at most `rowsMax`. */
  listByEmail(email: string, rowsMax: number): Promise<readonly Account[]>
  /** In the order of their names (by code point), those after `username`, at most `rowsMax`. */
  list(afterUsername: string, rowsMax: number): Promise<readonly Account[]>
  /** The ids of those that have a password, of those named after the first name up to the last. */
  listWithPassword(afterUsername: string, lastUsername: string): Promise<readonly number[]>
  /**
   * An operator's word. A suspension wins over the feed's word until it is taken back, and ends the sessions
   * of the account, all or nothing. `false` also ends a suspension by the feed, until its next one. Answers
   * whether that is new.
   */
  setSuspended(id: number, isSuspended: boolean): Promise<boolean>
}

const usernameUnitsMax = 255

const usernameSchema = { type: "string", minLength: 1, maxLength: usernameUnitsMax }

export const username = createSchema(usernameSchema, (value, field) => {
  const name = text(value, field)
  if (name !== "" && name.length <= usernameUnitsMax && trimWhitespace(name) === name) return name
  throw invalid(field, "not_a_username", { max: usernameUnitsMax })
})

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

/** The contract's Account: what `body` holds. */
export type AccountBody = Readonly<ParsedFields<typeof accountFields>>

/** The text was checked when it was written. */
export const accountBodyOf = ({ body }: Pick<Account, "body">): AccountBody => JSON.parse(body)

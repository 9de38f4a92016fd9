/** People, who sign in. An account of the marketplace is data; its team and the operators are people. */
import type { MemberRole, OperatorRole } from "../access/actor.ts"
import { UserError } from "../platform/error.ts"
import { trimWhitespace } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"

export type Person = Readonly<{
  id: number
  name: string
  /** For links and alerts: the person's own, else that of the account whose author they are; null if none is known. */
  email: string | null
  locale: string | null
  theme: string | null
}>

export type Membership = Readonly<{
  accountId: number
  username: string
  fullName: string
  isSuspended: boolean
  role: MemberRole
}>

/** People and open invitations of one account. */
export const teamMax = 50

export type Member = Readonly<{ personId: number; name: string; role: MemberRole }>

export type ListedPerson = Person &
  Readonly<{
    createdAt: Timestamp
    role: string | null
    accounts: number
    hasPassword: boolean
    hasTwoFactor: boolean
    passkeys: number
    lastSeenAt: Timestamp | null
  }>

export interface PersonStore {
  find(id: number): Promise<Person | null>
  /** ASCII case-insensitive. */
  findByName(name: string): Promise<Person | null>
  /** ASCII case-insensitive. */
  listByEmail(email: string, rowsMax: number): Promise<readonly Person[]>
  /** Accounts with this address that nobody owns and that are not suspended. */
  listUnowned(
    email: string,
    rowsMax: number,
  ): Promise<readonly Readonly<{ id: number; username: string }>[]>
  /** By id, starting after `afterId`. */
  list(afterId: number, rowsMax: number): Promise<readonly ListedPerson[]>
  remove(id: number): Promise<void>
  /**
   * `email` is null for the address of the account that the person owns. Returns null and inserts nothing if the name
   * exists, ASCII case-insensitive.
   */
  insert(person: Pick<ListedPerson, "name" | "email" | "createdAt">): Promise<number | null>
  /** Ends links that were sent to another address. */
  putEmail(id: number, email: string | null): Promise<void>
  putLocale(id: number, locale: string): Promise<void>
  putTheme(id: number, theme: string): Promise<void>
  /** Those that are not suspended first, then by username. */
  listMemberships(personId: number): Promise<readonly Membership[]>
  /** By name. */
  listMembers(accountId: number): Promise<readonly Member[]>
  /**
   * The author: whom the marketplace signs in, and who reads the e-mail address of the account. Nobody whom an owner
   * invited, and no operator: the marketplace and another owner must not sign in as them.
   */
  findOwner(accountId: number): Promise<Person | null>
  /** Like `findOwner`, by the username of the account. */
  findOwnerOf(username: string): Promise<Person | null>
  /** An owner is the author if there is none. Does nothing if the account or the person was deleted concurrently. */
  putMember(accountId: number, personId: number, role: MemberRole, at: Timestamp): Promise<void>
  /**
   * Null removes the person from the team, and deletes a person who then has no role anywhere. Returns false and changes
   * nothing if no owner would remain or the person is not in the team.
   */
  changeMember(accountId: number, personId: number, role: MemberRole | null): Promise<boolean>
}

const nameUnitsMax = 255

/** The name for signing in, usually the username of an account. Throws UserError. */
export function parsePersonName(raw: string): string {
  const name = trimWhitespace(raw).normalize("NFC")
  if (name !== "" && name.length <= nameUnitsMax && !/\p{Cc}/u.test(name)) return name
  throw new UserError(`a name must have 1 to ${nameUnitsMax} characters`)
}

export type Operator = Person & Readonly<{ role: OperatorRole }>

export type ListedOperator = Operator &
  Omit<ListedPerson, "role" | "accounts"> &
  Readonly<{ hasAlerts: boolean }>

export interface OperatorStore {
  /** Without an operator the console does not exist. */
  hasAny(): Promise<boolean>
  find(personId: number): Promise<Operator | null>
  /** ASCII case-insensitive. */
  findByName(name: string): Promise<Operator | null>
  list(): Promise<readonly ListedOperator[]>
  /** Does nothing for an operator. */
  insert(personId: number, role: OperatorRole): Promise<void>
  putAlerts(personId: number, hasAlerts: boolean): Promise<void>
  /** Returns false and changes nothing if no admin would remain. */
  putRole(personId: number, role: OperatorRole): Promise<boolean>
  /**
   * The person is deleted too, unless they belong to a team. Returns false and deletes nothing if no admin would
   * remain.
   */
  remove(personId: number): Promise<boolean>
}

/** Alerts contain paths and URLs of others. */
export const mayGetAlerts = ({ role }: Pick<Operator, "role">) => role !== "viewer"

export const operatorRoleTexts = {
  admin: { name: "Admin", text: "Everything, including operators, webhooks and settings." },
  support: {
    name: "Support",
    text: "Looks up authors and purchases, invites authors, releases sites, redelivers webhook events.",
  },
  viewer: { name: "Viewer", text: "Reads pages and downloads lists. Changes nothing." },
} as const

/** Operators, who use the console, and the tokens of their programs. */

import type { OperatorRole } from "../access/actor.ts"
import type { Timestamp } from "../platform/time.ts"
import type { Person } from "./person.ts"

/** A person who may use the console. */
export type Operator = Person & Readonly<{ role: OperatorRole }>

export type ListedOperator = Operator &
  Readonly<{
    hasPassword: boolean
    hasTwoFactor: boolean
    passkeys: number
    createdAt: Timestamp
    lastSeenAt: Timestamp | null
    /** Whether the operator has left alerts turned on. */
    hasAlerts: boolean
  }>

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

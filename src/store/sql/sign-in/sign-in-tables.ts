/**
 * Authors and operators sign in by the same SQL, each on tables of their own: a session, password or link
 * of one is unknown to the other.
 */
export type SignInTables = Readonly<{
  owners: string
  /** The column of the other tables that refers to `owners`. */
  ownerId: string
  passwords: string
  sessions: string
  invitations: string
  /** Null where owners do not sign in by links. */
  signInLinks: string | null
  twoFactor: string
  recoveryCodes: string
}>

export const authorTables: SignInTables = {
  owners: "accounts",
  ownerId: "account_id",
  passwords: "passwords",
  sessions: "sessions",
  invitations: "invitations",
  signInLinks: "sign_in_links",
  twoFactor: "second_factors",
  recoveryCodes: "recovery_codes",
}

export const operatorTables: SignInTables = {
  owners: "operators",
  ownerId: "operator_id",
  passwords: "operator_passwords",
  sessions: "operator_sessions",
  invitations: "operator_invitations",
  signInLinks: null,
  twoFactor: "operator_second_factors",
  recoveryCodes: "operator_recovery_codes",
}

/** A statement that ends every session of an owner. */
export const endSessionsOf = ({ sessions, ownerId }: SignInTables) =>
  `DELETE FROM ${sessions} WHERE ${ownerId} = $1`

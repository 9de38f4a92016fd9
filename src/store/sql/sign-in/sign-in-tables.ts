/** Authors and operators use the same SQL on separate tables, so that credentials of one never work for the other. */
export type SignInTables = Readonly<{
  owners: string
  /** The column that references `owners`. */
  ownerId: string
  passwords: string
  sessions: string
  invitations: string
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

export const endSessionsOf = ({ sessions, ownerId }: SignInTables) =>
  `DELETE FROM ${sessions} WHERE ${ownerId} = $1`

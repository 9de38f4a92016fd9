import type { Account } from "../../domain/account.ts"

/** The actions of an operator on an author, in the order of the buttons. */
export const authorActions = ["invite", "sign-in-link", "suspend", "resume"] as const
export type AuthorAction = (typeof authorActions)[number]

/** A suspended author can only be resumed, and only a suspended one. */
export const isPossible = (action: AuthorAction, { isSuspended }: Pick<Account, "isSuspended">) =>
  (action === "resume") === isSuspended

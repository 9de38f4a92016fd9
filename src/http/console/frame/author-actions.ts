import type { Suspension } from "../../../domain/usage/operator-reads.ts"

/** The actions of an operator on an author, in the order of the buttons. */
export const authorActions = ["invite", "sign-in-link", "suspend", "resume"] as const
export type AuthorAction = (typeof authorActions)[number]

/** A suspended author is not invited. An operator can suspend one whom the feed has suspended, to keep it so. */
export function isPossible(action: AuthorAction, { isByFeed, isByOperator }: Suspension): boolean {
  if (action === "suspend") return !isByOperator
  return (action === "resume") === (isByFeed || isByOperator)
}

import { UserError } from "../platform/error.ts"

export const operatorRoles = ["admin", "support", "viewer"] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Throws UserError. */
export function parseOperatorRole(text: string): OperatorRole {
  const role = operatorRoles.find((each) => each === text)
  if (role !== undefined) return role
  throw new UserError(`unknown role ${text}; use ${operatorRoles.join(", ")}`)
}

export const memberRoles = ["owner", "developer", "support"] as const
export type MemberRole = (typeof memberRoles)[number]

/** `command`: a person at the command line. `token`: a program with an operator token. */
export const actorKinds = ["operator", "author", "command", "token", "feed"] as const
export type ActorKind = (typeof actorKinds)[number]

export type Actor = Readonly<{
  kind: ActorKind
  /** The person, token or source of the feed. Empty for a command and a failed sign-in of an operator. */
  name: string
  /** Empty for a command and a feed. */
  ipRange: string
  /** Present for an author or operator who acts. It is not stored. */
  role?: MemberRole | OperatorRole
  /** The user agent of a person on a page. It is not stored. */
  device?: string
}>

export const commandLine: Actor = { kind: "command", name: "", ipRange: "" }

/** Who acts, and what each role of a team and of the operators may do. Pages, buttons and operations use this table. */

export const operatorRoles = ["admin", "support", "viewer"] as const
export type OperatorRole = (typeof operatorRoles)[number]

export const memberRoles = ["owner", "developer", "support"] as const
export type MemberRole = (typeof memberRoles)[number]

/** `command`: a person at the command line. `token`: a program with an operator token. */
export const actorKinds = ["operator", "author", "command", "token", "feed"] as const
export type ActorKind = (typeof actorKinds)[number]

export type Actor = Readonly<{
  kind: ActorKind
  /** The person, token or source of the feed. Empty for a command and a failed sign-in of an operator. */
  name: string
  ipRange: string
  /** Present for an author or operator who acts. It is not stored. */
  role?: MemberRole | OperatorRole
  /** The user agent of a person on a page. It is not stored. */
  device?: string
}>

export const commandLine: Actor = { kind: "command", name: "", ipRange: "" }

/**
 * `read`: overview, items, sales and requests; for an operator also the console. `read_setup`: keys and webhooks.
 * `secrets`: whatever shows a new or stored secret. `people`: who belongs to the team. `invite`: links to set a
 * password. `operate`: what only the marketplace does, as suspending an author. `manage`: everything else.
 */
export type Right =
  | ("read" | "read_setup" | "release_sites" | "redeliver")
  | ("manage" | "secrets" | "people" | "invite" | "operate")

const support = ["read", "release_sites"] as const
const developer = [...support, "read_setup", "redeliver", "manage", "secrets"] as const
const viewer = ["read", "read_setup"] as const
const helpDesk = [...viewer, "release_sites", "redeliver", "invite"] as const

type Rights<Role extends string> = Readonly<Record<Role, readonly Right[]>>

const memberRights: Rights<MemberRole> = { owner: [...developer, "people"], developer, support }

/** Nobody sees the secrets of somebody else. */
const operatorRights: Rights<OperatorRole> = {
  admin: [...helpDesk, "manage", "people", "operate"],
  support: helpDesk,
  viewer,
}

/** Of a webhook; null for those of the operators. */
export const rightToSecretOf = (accountId: number | null): Right =>
  accountId === null ? "operate" : "secrets"

export function rightsOf({ kind, role }: Pick<Actor, "kind" | "role">): readonly Right[] {
  const table: Rights<string> = kind === "author" ? memberRights : operatorRights
  return table[role ?? ""] ?? []
}

/** Throws if a person lacks the right, which the pages check first. Programs and commands have their own rules. */
export function requireRight(actor: Pick<Actor, "kind" | "name" | "role">, right: Right): void {
  const isPerson = actor.kind === "operator" || actor.kind === "author"
  if (!isPerson || rightsOf(actor).includes(right)) return
  throw new Error(`${actor.kind} ${actor.name} (${actor.role}) lacks the right ${right}`)
}

/** `wrong` includes unknown names. `suspended`: name and password were correct. */
export const signInOutcomes = ["ok", "wrong", "throttled", "suspended"] as const
export type SignInOutcome = (typeof signInOutcomes)[number]

/** Roles of operators and their rights. Pages and operations ask here. */
import { UserError } from "../values/error.ts"

const rightsOf = {
  admin: ["read", "invite", "release_sites", "redeliver", "manage"],
  support: ["read", "invite", "release_sites", "redeliver"],
  viewer: ["read"],
} as const

export type OperatorRole = keyof typeof rightsOf
export const operatorRoles = ["admin", "support", "viewer"] as const satisfies OperatorRole[]

/**
 * `read`: every page, list and file, and the operator's own account. `invite`: links for authors to set a password.
 * `manage`: everything else.
 */
export type OperatorRight = (typeof rightsOf)[OperatorRole][number]

export const hasRight = (role: OperatorRole, right: OperatorRight): boolean =>
  rightsOf[role].some((each) => each === right)

/** Throws UserError. */
export function parseOperatorRole(text: string): OperatorRole {
  const role = operatorRoles.find((each) => each === text)
  if (role !== undefined) return role
  throw new UserError(`unknown role ${text}; use ${operatorRoles.join(", ")}`)
}

/** Throws if an operator lacks the right, which the pages check first. Other actors have their own rules. */
export function requireRight(
  { kind, name, role }: Readonly<{ kind: string; name: string; role?: OperatorRole }>,
  right: OperatorRight,
): void {
  if (kind !== "operator" || (role !== undefined && hasRight(role, right))) return
  throw new Error(`operator ${name} (${role}) lacks the right ${right}`)
}

import { findEmailAddress } from "../../domain/mail/email.ts"
import {
  type NewOperator,
  type Operator,
  type OperatorRole,
  type OperatorStore,
  type OperatorToken,
  parseOperatorName,
  parseTokenName,
  requireRight,
  type TokenRight,
} from "../../domain/sign-in/operator.ts"
import { UserError } from "../../domain/values/error.ts"
import { formatTimestamp, secondsAfter } from "../../domain/values/time/timestamp.ts"
import { type Overlap, overlapSeconds } from "../keys/key-operations.ts"
import type { Needs } from "../operation.ts"
import { type Recording, recordEvent } from "../record-event.ts"
import {
  createLinkEmails,
  type Invited,
  inviteAccount,
  type LinkMailing,
} from "./invitation-operations.ts"
import { hashNewPassword, operatorsIn } from "./sign-in.ts"

/** `mailing` is null or absent if links are only shown. */
export type OperatorManagement = Recording &
  Needs<"operators" | "operatorSignIn" | "hasher" | "tokens"> &
  Readonly<{ mailing?: LinkMailing<Operator> | null }>

export type InvitedOperator = Invited & Readonly<{ isSent: boolean }>

/** Null: the operator gets a link instead. */
export type NewPassword = string | null

/** Throws UserError for an existing or invalid name, or an unacceptable password. */
export async function createOperator(
  services: OperatorManagement,
  typed: Omit<NewOperator, "createdAt">,
  password: NewPassword,
): Promise<InvitedOperator | null> {
  const { actor, operators, hasher, now } = services
  requireRight(actor, "manage")
  const name = parseOperatorName(typed.name)
  // Hashes first: a rejected password must not leave a stored operator.
  const hash = password === null ? null : await hashNewPassword(hasher, [name], password)
  const operator = { ...typed, name, createdAt: formatTimestamp(now()) }
  const id = await operators.insert(operator)
  if (id === null) throw new UserError(`operator ${name} already exists`)
  await recordEvent(services, { kind: "operator", action: "created" }, name)
  await recordEvent(services, { kind: "operator", action: `role_${operator.role}` }, name)
  if (hash === null) return inviteOperator(services, { id, ...operator }, "operator_invitation")
  await services.operatorSignIn.passwords.put(id, hash)
  return null
}

/** A new password ends every session of the operator; a link does so when it is used. */
export async function resetOperatorPassword(
  services: OperatorManagement,
  operator: Operator,
  password: NewPassword,
): Promise<InvitedOperator | null> {
  requireRight(services.actor, "manage")
  if (password === null) {
    const hasPassword = (await services.operatorSignIn.passwords.find(operator.id)) !== null
    const kind = hasPassword ? "password_reset" : "operator_invitation"
    return inviteOperator(services, operator, kind)
  }
  const ownNames = operatorsIn(services.operators).namesOf(operator)
  const hash = await hashNewPassword(services.hasher, ownNames, password)
  await services.operatorSignIn.passwords.put(operator.id, hash)
  await recordEvent(services, { kind: "operator", action: "password" }, operator.name)
  return null
}

/** For an operator who lost phone and recovery codes. The old password ends too: alone it was not enough to sign in. */
export async function resetPasswordAndTwoFactor(
  services: OperatorManagement,
  operator: Operator,
  password: NewPassword,
): Promise<InvitedOperator | null> {
  const { actor, operatorSignIn } = services
  requireRight(actor, "manage")
  if (password === null) await operatorSignIn.passwords.put(operator.id, null)
  const invited = await resetOperatorPassword(services, operator, password)
  await operatorSignIn.twoFactor.remove(operator.id)
  await recordEvent(services, { kind: "operator", action: "second_factor_off" }, operator.name)
  return invited
}

/** Throws UserError for a text that is not an e-mail address. Empty for none. */
export function parseOperatorEmail(text: string): string | null {
  if (text.trim() === "") return null
  const email = findEmailAddress(text)
  if (email === null) throw new UserError(`"${text}" is not an e-mail address`)
  return email
}

type OperatorChange = Recording & Needs<"operators">

export async function putOperatorEmail(
  services: OperatorChange,
  { id, name }: Operator,
  email: string | null,
): Promise<void> {
  requireRight(services.actor, "manage")
  await services.operators.putEmail(id, email)
  await recordEvent(services, { kind: "operator", action: "email" }, name)
}

/** The next request of the operator has the new role. Throws UserError for the last admin, here and below. */
export async function changeOperatorRole(
  services: OperatorChange,
  operator: Operator,
  role: OperatorRole,
): Promise<void> {
  requireRight(services.actor, "manage")
  if (operator.role === role) return
  if (!(await services.operators.putRole(operator.id, role))) throw new LastAdmin(operator.name)
  await recordEvent(services, { kind: "operator", action: `role_${role}` }, operator.name)
}

export async function removeOperator(services: OperatorChange, operator: Operator): Promise<void> {
  requireRight(services.actor, "manage")
  if (!(await services.operators.remove(operator.id))) throw new LastAdmin(operator.name)
  await recordEvent(services, { kind: "operator", action: "removed" }, operator.name)
}

export class LastAdmin extends UserError {
  override name = "LastAdmin"
  constructor(operator: string) {
    super(`${operator} is the last admin; make another operator an admin first`)
  }
}

/** Whether operators must set up 2FA before they can use the console. */
export type TwoFactorPolicy = Readonly<{
  isRequired(): Promise<boolean>
  put(isRequired: boolean): Promise<void>
}>

export async function setTwoFactorPolicy(
  services: Recording & Readonly<{ twoFactorPolicy: TwoFactorPolicy }>,
  isRequired: boolean,
): Promise<void> {
  requireRight(services.actor, "manage")
  await services.twoFactorPolicy.put(isRequired)
  const action = isRequired ? "second_factor_required" : "second_factor_optional"
  await recordEvent(services, { kind: "operator", action }, "")
}

/** Throws UserError if the operator does not exist. */
export async function requireOperator(
  operators: Pick<OperatorStore, "findByName">,
  name: string,
): Promise<Operator> {
  const operator = await operators.findByName(name)
  if (operator === null) throw new UserError(`operator ${name} does not exist`)
  return operator
}

async function inviteOperator(
  services: OperatorManagement,
  operator: Operator,
  kind: "operator_invitation" | "password_reset",
): Promise<InvitedOperator> {
  const { operatorSignIn, tokens, now, mailing = null } = services
  const { invitations } = operatorSignIn
  const invited = await inviteAccount({ invitations, tokens, now }, operator.id, async (link) =>
    mailing === null ? [] : createLinkEmails(mailing, operator, { kind, ...link }),
  )
  await recordEvent(services, { kind: "operator", action: "invited" }, operator.name)
  return invited
}

export type TokenManagement = Recording & Needs<"operatorTokens" | "tokens">

/** `secret` is shown once. */
export type IssuedToken = OperatorToken & Readonly<{ secret: string }>

/** Throws UserError for an existing or invalid name. */
export async function createToken(
  services: TokenManagement,
  rawName: string,
  rights: readonly TokenRight[],
): Promise<IssuedToken> {
  const { operatorTokens, tokens, now } = services
  const name = parseTokenName(rawName)
  const secret = tokens.create()
  const digest = tokens.digest(secret)
  const token = { name, rights, digest, createdAt: formatTimestamp(now()), old: null }
  if (!(await operatorTokens.insert(token))) throw new UserError(`token ${name} already exists`)
  await recordEvent(services, { kind: "token", action: "created" }, name)
  return { ...token, secret }
}

/** The old token is valid until the overlap period ends or the token is rotated again. Throws UserError. */
export async function rotateToken(
  services: TokenManagement,
  name: string,
  overlap: Overlap,
): Promise<IssuedToken> {
  const { operatorTokens, tokens } = services
  const now = services.now()
  const secret = tokens.create()
  const oldExpiresAt = secondsAfter(now, overlapSeconds[overlap])
  const [digest, createdAt] = [tokens.digest(secret), formatTimestamp(now)]
  const token = await operatorTokens.rotate(name, digest, createdAt, oldExpiresAt)
  if (token === null) throw new UserError(`token ${name} does not exist`)
  await recordEvent(services, { kind: "token", action: "replaced" }, token.name)
  return { ...token, secret }
}

/** Throws UserError for an unknown name. */
export async function removeToken(services: TokenManagement, name: string): Promise<string> {
  const removed = await services.operatorTokens.remove(name)
  if (removed === null) throw new UserError(`token ${name} does not exist`)
  await recordEvent(services, { kind: "token", action: "removed" }, removed)
  return removed
}

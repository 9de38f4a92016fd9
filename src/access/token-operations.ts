import { UserError } from "../platform/error.ts"
import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import type { Recording } from "./audit-event.ts"
import { recordEvent } from "./audit-operations.ts"
import { type Overlap, overlapSeconds } from "./rotation-overlap.ts"
import {
  type OperatorToken,
  type OperatorTokenStore,
  parseTokenName,
  type TokenMaker,
  type TokenRight,
} from "./token.ts"

export type TokenManagement = Recording &
  Readonly<{ operatorTokens: OperatorTokenStore; tokens: TokenMaker }>

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

export async function removeToken(services: TokenManagement, name: string): Promise<string> {
  const removed = await services.operatorTokens.remove(name)
  if (removed === null) throw new UserError(`token ${name} does not exist`)
  await recordEvent(services, { kind: "token", action: "removed" }, removed)
  return removed
}

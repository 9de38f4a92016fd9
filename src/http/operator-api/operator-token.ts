/** The tokens of the operator's paths. */

import { createHash, timingSafeEqual } from "node:crypto"
import { type Caller, RateLimited, type RateLimits } from "../../domain/limits/request-limits.ts"
import type { Actor } from "../../domain/sign-in/audit-event.ts"
import type { FindTokenHolder, TokenRight } from "../../domain/sign-in/operator.ts"
import { DomainError } from "../../domain/values/error.ts"
import { ipRangeOf } from "../../domain/values/ip-range.ts"
import { findBearer } from "../api/request/parameters.ts"
import { unavailableRetryAfter } from "../api/response/headers.ts"

type TokenLimit = Pick<RateLimits, "countInvalid">

/** The holder of an operator token, or the answer to a request without one. */
export type OperatorGuard = (request: Request, caller: Caller) => Promise<Actor | Response>

/** `right` is null for what every operator token may do. */
export function createOperatorGuard(
  findHolder: FindTokenHolder,
  right: TokenRight | null,
  limit: TokenLimit,
  fail: (status: 401 | 429) => Response,
): OperatorGuard {
  return async ({ headers }, caller) => {
    const holder = await findHolder(findBearer(headers))
    if (holder === "no tokens") throw new DomainError("unknown_path")
    const refused = refuseUnless(holder !== null, limit, caller, fail)
    if (refused !== null || holder === null) return refused ?? fail(401)
    if (right !== null && !holder.rights.includes(right)) return refuseRight(right)
    return { kind: "token", name: holder.name, ipRange: ipRangeOf(caller.address()) }
  }
}

const refuseRight = (right: TokenRight) =>
  Response.json(
    { status: "error", msg: `This operator token lacks the right "${right}"` },
    { status: 403 },
  )

/** The answer to a request without the right token; null for one that has it. */
type TokenGuard = (request: Request, caller: Caller) => Response | null

export function createTokenGuard(
  token: string,
  limit: TokenLimit,
  fail: (status: 401 | 429) => Response,
): TokenGuard {
  return ({ headers }, caller) => refuseUnless(hasToken(headers, token), limit, caller, fail)
}

function refuseUnless(
  isRight: boolean,
  limit: TokenLimit,
  caller: Caller,
  fail: (status: 401 | 429) => Response,
): Response | null {
  if (isRight) return null
  try {
    limit.countInvalid(caller)
    return fail(401)
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error
    const response = fail(429)
    response.headers.set("Retry-After", String(error.retryAfterSeconds))
    return response
  }
}

/** Compares digests: neither length nor content of the token shows in the time it takes. */
function hasToken(headers: Headers, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  const given = findBearer(headers)
  return given !== null && timingSafeEqual(digest(token), digest(given))
}

type Status = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 429 | 503

const common = {
  401: "The operator token is missing or wrong",
  405: "Method not allowed",
  429: "Too many wrong tokens; wait before the next try",
} as const

/** Makes the errors of one path. `allow` lists its methods, `own` has the messages that it alone has. */
export function createErrorResponder<Own extends Status>(
  allow: string,
  own: Readonly<Record<Own, string>>,
): (status: Own | keyof typeof common, message?: string) => Response {
  const messages: Readonly<Partial<Record<Status, string>>> = { ...common, ...own }
  const headersOf: Readonly<Partial<Record<Status, Record<string, string>>>> = {
    401: { "WWW-Authenticate": "Bearer" },
    405: { Allow: allow },
    503: { "Retry-After": unavailableRetryAfter },
  }
  return (status, message = messages[status]) =>
    Response.json({ status: "error", msg: message }, { status, headers: headersOf[status] ?? {} })
}

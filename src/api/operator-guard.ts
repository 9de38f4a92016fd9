/** Authentication of the operator API and of the metrics by bearer tokens. */
import { createHash, timingSafeEqual } from "node:crypto"
import type { Actor } from "../access/actor.ts"
import type { FindTokenHolder, TokenRight } from "../access/token.ts"
import { unavailableRetryAfter } from "../contract/response.ts"
import { RateLimited, type RateLimits } from "../keys/rate-limits.ts"
import { DomainError } from "../platform/error.ts"
import { findBearer } from "../platform/http/parameters.ts"
import { type Caller, ipRangeOf } from "../platform/ip-range.ts"

type TokenLimit = Pick<RateLimits, "countInvalid">
type FailToken = (status: 401 | 429) => Response

export type OperatorGuard = (request: Request, caller: Caller) => Promise<Actor | Response>

/** `right` is null for requests that every operator token may send. */
export function createOperatorGuard(
  findHolder: FindTokenHolder,
  right: TokenRight | null,
  limit: TokenLimit,
  fail: FailToken,
): OperatorGuard {
  return async ({ headers }, caller) => {
    const holder = await findHolder(findBearer(headers))
    if (holder === "no tokens") throw new DomainError("unknown_path")
    if (holder === null) return rejectInvalid(limit, caller, fail)
    if (right === null || holder.rights.includes(right)) {
      return { kind: "token", name: holder.name, ipRange: ipRangeOf(caller.address()) }
    }
    const msg = `This operator token lacks the right "${right}"`
    return Response.json({ status: "error", msg }, { status: 403 })
  }
}

export const createTokenGuard =
  (token: string, limit: TokenLimit, fail: FailToken) =>
  ({ headers }: Request, caller: Caller): Response | null =>
    hasToken(headers, token) ? null : rejectInvalid(limit, caller, fail)

function rejectInvalid(limit: TokenLimit, caller: Caller, fail: FailToken): Response {
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

/** Compares digests, so that the duration reveals neither length nor content of the token. */
function hasToken(headers: Headers, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  const sent = findBearer(headers)
  return sent !== null && timingSafeEqual(digest(token), digest(sent))
}

type Status = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 429 | 503

const common = {
  401: "The operator token is missing or invalid",
  405: "Method not allowed",
  429: "Too many invalid tokens; wait before the next attempt",
} as const

/** Creates the error responses of one path. `allow` lists its methods, `own` its own messages. */
export function createErrorResponder<Own extends Status>(
  allow: string,
  own: Readonly<Record<Own, string>>,
): (status: Own | keyof typeof common, message?: string) => Response {
  const messages: Readonly<Partial<Record<Status, string>>> = { ...common, ...own }
  const statusHeaders: Readonly<Partial<Record<Status, Record<string, string>>>> = {
    401: { "WWW-Authenticate": "Bearer" },
    405: { Allow: allow },
    503: { "Retry-After": unavailableRetryAfter },
  }
  return (status, message = messages[status]) =>
    Response.json(
      { status: "error", msg: message },
      { status, headers: statusHeaders[status] ?? {} },
    )
}

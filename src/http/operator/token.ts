/** The tokens of the operator's paths. */
import { createHash, timingSafeEqual } from "node:crypto"
import { type Caller, type Quota, RateLimited, type TokenLimit } from "../../domain/rate-limits.ts"
import { findBearer } from "../api/credentials.ts"
import { setRateLimitHeaders } from "../rate-limit-headers.ts"

/** The answer to a request without the right token; null for one that has it. */
export type TokenGuard = (request: Request, caller: Caller) => Response | null

export function createTokenGuard(
  token: string,
  limit: TokenLimit,
  fail: (status: 401 | 429) => Response,
): TokenGuard {
  return ({ headers }, caller) => {
    try {
      return limit.check(caller, () => hasToken(headers, token)) ? null : fail(401)
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error
      return refuseGuesses(fail, error.quota)
    }
  }
}

export function refuseGuesses(fail: (status: 429) => Response, quota: Quota): Response {
  const response = fail(429)
  setRateLimitHeaders(response.headers, quota, true)
  return response
}

/** Compares digests: neither length nor content of the token shows in the time it takes. */
function hasToken(headers: Headers, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  const given = findBearer(headers)
  return given !== null && timingSafeEqual(digest(token), digest(given))
}

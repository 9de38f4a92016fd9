/** The errors of the operator's paths. */
import { unavailableRetryAfter } from "../retry-after.ts"

const failures = {
  400: { msg: "The feed was cut off; send it again", headers: {} },
  401: {
    msg: "The operator token is missing or wrong",
    headers: { "WWW-Authenticate": "Bearer" },
  },
  405: { msg: "Method not allowed", headers: {} },
  408: { msg: "No data came for a minute; send it again", headers: {} },
  503: {
    msg: "The store is busy or unavailable; send the feed again",
    headers: { "Retry-After": unavailableRetryAfter },
  },
} as const

export type OperatorFailure = keyof typeof failures

/** `allow` lists the methods of the path. */
export function respondFailure(status: OperatorFailure, allow: string): Response {
  const { msg, headers } = failures[status]
  const allowed = status === 405 ? { Allow: allow } : {}
  return Response.json({ status: "error", msg }, { status, headers: { ...headers, ...allowed } })
}

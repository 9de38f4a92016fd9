/** The errors of the operator's paths. */
import { unavailableRetryAfter } from "../api/answer/headers.ts"

type Status = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 429 | 503

const common = {
  401: "The operator token is missing or wrong",
  405: "Method not allowed",
  429: "Too many wrong tokens; wait before the next try",
} as const

/** Makes the errors of one path. `allow` lists its methods, `own` has the messages that it alone has. */
export function createFailures<Own extends Status>(
  allow: string,
  own: Readonly<Record<Own, string>>,
): (status: Own | keyof typeof common) => Response {
  const messages: Readonly<Partial<Record<Status, string>>> = { ...common, ...own }
  const headersOf: Readonly<Partial<Record<Status, Record<string, string>>>> = {
    401: { "WWW-Authenticate": "Bearer" },
    405: { Allow: allow },
    503: { "Retry-After": unavailableRetryAfter },
  }
  return (status) =>
    Response.json(
      { status: "error", msg: messages[status] },
      { status, headers: headersOf[status] ?? {} },
    )
}

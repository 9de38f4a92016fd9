import { DomainError } from "../../../domain/values/error.ts"
import { failureOutcome, type Outcome } from "../answer/outcome.ts"

/** Errors in the shape of Envato's API. Products written for it compare the text of 404. */
const descriptions: Readonly<Record<number, string>> = {
  400: "The parameter code is missing or malformed",
  401: "The key is missing or not valid",
  403: "The key is not allowed to do this",
  404: "No sale belonging to the current user found with that code",
  405: "Method not allowed",
  429: "Too many requests",
  500: "Service unavailable",
  501: "Not implemented: of Envato's API, this server has only /v3/market/author/sale",
  503: "Service unavailable",
}

export function renderSaleError(status: number): string {
  return JSON.stringify({ error: status, description: descriptions[status] })
}

/** Envato's API is under `/v1` to `/v3`, and `/whoami`. */
export const isEnvatoPath = (path: string) => /^\/+(?:v[1-3]|whoami)(?:\/|$)/i.test(path)

/** A path of Envato's API that is not served. Not 404, which its clients read as "no such purchase". */
export function unservedOutcome(): Outcome {
  const variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: "" } as const
  const failure = failureOutcome(new DomainError("unknown_path"), null, variant, null)
  return { ...failure, status: 501, body: renderSaleError(501) }
}

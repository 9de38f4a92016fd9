/** GET /metrics: numbers for Prometheus. */
import { textFormat } from "../metrics/text-format.ts"
import { hasOperatorToken } from "./operator/operator-token.ts"

export type MetricsServices = Readonly<{
  token: string
  /** The numbers of all threads of this process, in Prometheus' text format. */
  render(): string
}>

const methods = "GET, HEAD"

export function handleMetrics({ token, render }: MetricsServices, request: Request): Response {
  if (!hasOperatorToken(request.headers, token)) {
    return fail(401, "The metrics token is missing or wrong", { "WWW-Authenticate": "Bearer" })
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return fail(405, "Method not allowed", { Allow: methods })
  }
  return new Response(render(), {
    headers: {
      "Content-Type": textFormat,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  })
}

const fail = (status: number, msg: string, headers: Readonly<Record<string, string>>) =>
  Response.json({ status: "error", msg }, { status, headers })

/** GET /metrics for Prometheus. The metrics token gives access to nothing else. */
import { prometheusContentType } from "../../counters/render-metrics.ts"
import { createErrorResponder } from "./operator-token.ts"

export type MetricsServices = Readonly<{
  token: string
  /** The sums of all threads in Prometheus's text format. */
  render(): Promise<string>
}>

export const failMetrics = createErrorResponder("GET, HEAD", {
  401: "The metrics token is missing or invalid",
})

export async function handleMetrics(
  { render }: Pick<MetricsServices, "render">,
  { method }: Request,
): Promise<Response> {
  if (method !== "GET" && method !== "HEAD") return failMetrics(405)
  return new Response(await render(), {
    headers: { "Content-Type": prometheusContentType, "Cache-Control": "no-store" },
  })
}

/** Receives webhooks as the guide says: verified by the reference library, each id recorded with its body. */
import { Webhook } from "standardwebhooks"
import { listEventProblems } from "./http/openapi-fetch.ts"

export type ReceivedEvent = Readonly<{
  id: string
  type: string
  data: Readonly<{
    purchase?: Readonly<{ purchase_code: string; price: number }>
    username?: string
    url?: string
    [field: string]: unknown
  }>
}>

export type WebhookReceiver = Readonly<{
  url: string
  /** Each id once, in the order of arrival. */
  events(): readonly ReceivedEvent[]
  /** Messages that were not verified or do not match the description, and ids that arrived with two bodies. */
  problems(): readonly string[]
  /** Verifies messages with this secret from now on; earlier ones are not verified. */
  trust(secret: string): void
  close(): Promise<void>
}>

export function openReceiver(): WebhookReceiver {
  const bodies = new Map<string, string>()
  const events: ReceivedEvent[] = []
  const problems: string[] = []
  let webhook: Webhook | null = null
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const id = request.headers.get("webhook-id") ?? ""
      const body = await request.text()
      try {
        webhook?.verify(body, request.headers.toJSON())
      } catch (error) {
        problems.push(`${id}: ${error}`)
      }
      const earlier = bodies.get(id)
      if (earlier === undefined) {
        bodies.set(id, body)
        const event = JSON.parse(body)
        events.push({ id, ...event })
        problems.push(...listEventProblems(event).map((problem) => `${event.type}: ${problem}`))
      } else if (earlier !== body) {
        problems.push(`${id} came with two bodies`)
      }
      return new Response("thanks")
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    events: () => events,
    problems: () => problems,
    trust(secret) {
      webhook = new Webhook(secret)
    },
    close: () => server.stop(true),
  }
}

export const loopbackIpRanges = { PAZAR_WEBHOOK_NETWORKS: "127.0.0.0/8" }

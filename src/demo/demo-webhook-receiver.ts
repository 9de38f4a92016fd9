/** The demo's own receiver of webhooks, which says what arrived. */
import { commandLine } from "../domain/sign-in/audit-event.ts"
import { requireAccount } from "../operations/catalog/account-operations.ts"
import { createEndpoint } from "../operations/events/endpoint-operations.ts"
import type { App } from "../server/app.ts"

const path = "/pazar-demo-receiver"

export type DemoReceiver = Readonly<{ url: string; close(): Promise<void> }>

export function openDemoReceiver(tell: (line: string) => void): DemoReceiver {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      // Other parts of a message could hold control characters.
      const [, type] = /^\{"type":"([a-z_.]{1,40})"/.exec(await request.text()) ?? []
      if (type === undefined) return new Response(null, { status: 400 })
      tell(`A webhook arrived: ${type}`)
      return new Response("The demo says thanks.")
    },
  })
  return { url: `http://127.0.0.1:${server.port}${path}`, close: () => server.stop(true) }
}

/** The receiver has another port at every start. One that was removed by hand stays away. */
export async function updateDemoWebhook(app: App, url: string): Promise<void> {
  const { accounts, endpoints, metadata } = app.store
  const elif = await requireAccount(accounts, "elif")
  const found = (await endpoints.list(elif.id)).find((each) => each.url.endsWith(path))
  if (found !== undefined) {
    await endpoints.change(found.id, { url, events: found.events })
  } else if ((await metadata.find(webhookMark)) === null) {
    // Authors cannot add a URL on this machine; the server allows this one.
    const services = { ...app.endpointServices(commandLine), findHostProblem: () => null }
    await createEndpoint(services, elif, { url, events: [] })
    await metadata.putIfAbsent(webhookMark, "yes")
  }
}

const webhookMark = "filled with the sample marketplace's webhook"

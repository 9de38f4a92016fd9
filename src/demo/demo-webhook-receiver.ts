/** The webhook receiver of the demo, which prints the type of each event. */
import { commandLine } from "../domain/sign-in/audit-event.ts"
import { requireAccount } from "../operations/catalog/account-operations.ts"
import { createEndpoint } from "../operations/events/endpoint-operations.ts"
import type { App } from "../server/app.ts"

const path = "/pazar-demo-receiver"

export type DemoReceiver = Readonly<{ url: string; close(): Promise<void> }>

export function openDemoReceiver(print: (line: string) => void): DemoReceiver {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      // Only the type is printed, because other fields could contain control characters.
      const [, type] = /^\{"type":"([a-z_.]{1,40})"/.exec(await request.text()) ?? []
      if (type === undefined) return new Response(null, { status: 400 })
      print(`received webhook: ${type}`)
      return new Response("received")
    },
  })
  return { url: `http://127.0.0.1:${server.port}${path}`, close: () => server.stop(true) }
}

/** Sets the URL of the demo webhook, because the port changes at every start. A webhook that a user removed is not created again. */
export async function updateDemoWebhook(app: App, url: string): Promise<void> {
  const { accounts, endpoints, metadata } = app.store
  const elif = await requireAccount(accounts, "elif")
  const found = (await endpoints.list(elif.id)).find((each) => each.url.endsWith(path))
  if (found !== undefined) {
    await endpoints.change(found.id, { url, events: found.events })
  } else if ((await metadata.find(webhookMetadataKey)) === null) {
    // Authors cannot use a URL on this machine, except the one of this receiver.
    const services = { ...app.endpointServices(commandLine), findHostProblem: () => null }
    await createEndpoint(services, elif, { url, events: [] })
    await metadata.putIfAbsent(webhookMetadataKey, "yes")
  }
}

const webhookMetadataKey = "filled with the sample marketplace's webhook"

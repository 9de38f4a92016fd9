/**
 * Kills a server while sales are pushed to it and messages are sent, and imports beside it. In the end the receiver
 * must have exactly the stored sales.
 */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandLine } from "../../../src/access/actor.ts"
import { readConfig } from "../../../src/config/config.ts"
import { formatTimestamp } from "../../../src/platform/time.ts"
import { openApp } from "../../../src/server/app.ts"
import { createEndpoint } from "../../../src/webhooks/endpoint-operations.ts"
import { createRandom } from "../feed/random-feed.ts"
import { temporaryFolder } from "../program.ts"
import { account, item, purchase, toFeed } from "../records.ts"
import {
  createStore,
  killTree,
  type RunningServer,
  readPazar,
  spawnPazar,
  startServer,
} from "../run-pazar.ts"
import type { StoreKind } from "../stores/test-stores.ts"
import { until, workMsMax } from "../until.ts"
import { loopbackIpRanges, openReceiver } from "../webhook-receiver.ts"

type KillOptions = Readonly<{
  kind: StoreKind
  kills: number
  seed: number
  onKill(kills: number): void
}>

export type WebhookKills = Readonly<{
  /** Sales stored at the end, including all that were acknowledged with 200. */
  sales: number
  problems: readonly string[]
}>

const token = "an-operator-token-of-some-length-0123"
const master = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
const clients = 3
const importedSales = 1_500
/** A kill follows a number of responses and a delay, so that it interrupts work on a slow machine too. */
const [salesMax, delayMsMax] = [30, 50]

export async function killSenders(options: KillOptions): Promise<WebhookKills> {
  const { kind, kills, seed, onKill } = options
  const random = createRandom(seed)
  const folder = temporaryFolder()
  const env = { ...(await kind.createEnvironment()), ...master, ...loopbackIpRanges }
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`, ...env })
  await createStore(folder, env)
  const receiver = openReceiver()
  const endpointId = await prepare()
  const acknowledged: string[] = []

  async function prepare(): Promise<string> {
    const feed = join(folder, "items.ndjson")
    writeFileSync(feed, toFeed([account("ada"), item("ada", 1)]))
    await readPazar(folder, ["import", feed], { env })
    const app = await openApp(config)
    const form = { url: receiver.url, events: [] }
    const created = await createEndpoint(app.endpointServices(commandLine), null, form)
    receiver.trust(created.secret)
    await app.close()
    return created.endpoint.id
  }
  const saleOf = (code: string) => purchase(code, 1, { date: formatTimestamp(new Date()) })

  async function sell({ url }: RunningServer, prefix: string): Promise<void> {
    const headers = { Authorization: `Bearer ${token}` }
    for (let sale = 0; ; sale += 1) {
      const code = `push-${prefix}-${sale}`
      const init = { method: "POST", headers, body: toFeed([saleOf(code)]) }
      try {
        const { status } = await fetch(`${url}/operator/feed`, init)
        if (status === 200) acknowledged.push(code)
      } catch {
        return
      }
    }
  }
  async function killImport(name: string): Promise<void> {
    const sales = Array.from({ length: importedSales }, (_, at) => saleOf(`file-${name}-${at}`))
    const path = join(folder, `${name}.ndjson`)
    writeFileSync(path, toFeed(sales))
    const running = await spawnPazar(folder, ["import", path], env)
    const isUnderWay = () =>
      receiver
        .events()
        .some(({ data }) => `${data.purchase?.purchase_code}`.startsWith(`file-${name}-`))
    await Promise.race([until(() => isUnderWay() || undefined, workMsMax), running.ended])
    await Bun.sleep(random() * delayMsMax)
    await killTree(running)
    rmSync(path)
  }
  for (let kill = 0; kill < kills; kill += 1) {
    const serving = { ...env, PAZAR_OPERATOR_TOKEN: token, PAZAR_THREADS: "2" }
    const server = await startServer(folder, serving)
    const before = acknowledged.length
    const selling = Array.from({ length: clients }, (_, at) => sell(server, `${kill}-${at}`))
    // On SQLite pushes wait for an import, and all its sales are sent in the end, so only some rounds have one.
    if (kill % 20 === 1) await killImport(`${kill}`)
    const sold = before + random() * salesMax
    await until(() => (acknowledged.length > sold ? true : undefined), workMsMax)
    await Bun.sleep(random() * delayMsMax)
    await killTree(server)
    await Promise.all(selling)
    onKill(kill + 1)
  }

  // Ends the leases of killed servers, which otherwise last a minute.
  const app = await openApp(config)
  await app.store.endpoints.enable(endpointId, Date.now())
  const last = await startServer(folder, env)
  const isDone = async () => !(await app.store.messages.hasPending()) || undefined
  await until(isDone, workMsMax)
  await killTree(last)
  const stdout = await readPazar(folder, ["export", "-"], { env })
  const stored = stdout
    .split("\n")
    .filter((line) => line.includes('"purchase_code"'))
    .map((line): string => JSON.parse(line).purchase_code)
  await app.close()
  await receiver.close()
  rmSync(folder, { recursive: true })

  const delivered = new Set(receiver.events().map(({ data }) => `${data.purchase?.purchase_code}`))
  const known = new Set(stored)
  return {
    sales: known.size,
    problems: [
      ...receiver.problems(),
      ...acknowledged.filter((code) => !known.has(code)).map((code) => `${code} was lost`),
      ...stored.filter((code) => !delivered.has(code)).map((code) => `${code} was not told`),
      ...[...delivered]
        .filter((code) => !known.has(code))
        .map((code) => `${code} was told, but not kept`),
    ],
  }
}

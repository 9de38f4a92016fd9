/**
 * Two authors send many concurrent requests while database connections break. Every response has exactly the author's
 * own data, or is `unknown`.
 */
import { Client } from "pg"
import { createRandom } from "../feed/random-feed.ts"
import { errorBody, oneItem } from "../http/contract-messages.ts"
import { bodies } from "../marketplace.ts"
import { type Program, startProgram } from "../program.ts"
import { account, item, type Line, purchase } from "../records.ts"
import { openProxy, type TcpProxy } from "../stores/tcp-proxy.ts"
import { createMigratedStore } from "../stores/test-stores.ts"

type StormResponse = Readonly<{ status: number; body: string }>
type StormRequest = Readonly<{ what: string; path: string; init: RequestInit; own: StormResponse }>

type RunOptions = Readonly<{
  responses: number
  seed: number
  onResponses?: (count: number) => void
}>

export type IsolationStorm = Readonly<{
  own: number
  unavailable: number
  breaks: number
  /** All other responses, of which there must be none. */
  wrong: readonly Readonly<{ what: string; response: StormResponse }>[]
}>

const inFlight = 64
/** Counted in responses, not in time, so that it is the same on any machine. */
const responsesPerBreak = 100
const itemsEach = 20

export type StormTarget = Readonly<{
  program: Program
  proxy: TcpProxy
  requests: readonly StormRequest[]
  client: Client
  close(): Promise<void>
}>

/** A marketplace whose database is reached through a proxy. */
export async function openStormTarget(): Promise<StormTarget> {
  const store = await createMigratedStore()
  const url = new URL(store.DATABASE_URL)
  const proxy = await openProxy({ host: url.hostname, port: Number(url.port) })
  const client = new Client({ connectionString: store.DATABASE_URL })
  await client.connect()
  url.port = String(proxy.port)
  const program = await startProgram({ ...store, DATABASE_URL: url.href, LOG_LEVEL: "silent" })
  // The authors' names, codes and ids are almost equal.
  const ada = await settle(program, "ada", 0, (code) => code)
  const other = await settle(program, "ADA", 1, (code) => code.toUpperCase())
  return {
    program,
    proxy,
    client,
    requests: [...requestsOf(ada, other), ...requestsOf(other, ada)],
    async close() {
      await program.close()
      await client.end()
      await proxy.close()
    },
  }
}

type Author = Readonly<{
  account: Line
  items: readonly Line[]
  sales: readonly Line[]
  keys: Readonly<{ sk: string; vk: string }>
}>

async function settle(
  { load, issue }: Program,
  username: string,
  parity: 0 | 1,
  spell: (code: string) => string,
): Promise<Author> {
  const indexes = Array.from({ length: itemsEach }, (_, index) => index)
  const idOf = (index: number) => 1_000 + 2 * index + parity
  const own = account(username)
  const items = indexes.map((index) => item(username, idOf(index), { description: username }))
  const sales = indexes.map((index) => purchase(spell(`code-${index}-abc`), idOf(index)))
  const { rejected } = await load([own, ...items, ...sales])
  if (rejected > 0) throw new Error("the marketplace was refused")
  const keys = { sk: (await issue(username)).secret, vk: (await issue(username, "vk")).secret }
  return { account: own, items, sales, keys }
}

function requestsOf({ account, items, sales, keys }: Author, other: Author): StormRequest[] {
  const get = (path: string, body: string, status = 200): StormRequest => ({
    what: `${account.username}: ${path}`,
    path,
    init: { headers: { "X-Api-Key": keys.sk } },
    own: { status, body },
  })
  const validate = (key: string, typed: string, body: string): StormRequest => ({
    what: `${account.username}: ${typed}`,
    path: "/api/purchases/validation",
    init: { method: "POST", body: new URLSearchParams({ api_key: key, purchase_code: typed }) },
    own: { status: 200, body },
  })
  const absent = errorBody(oneItem.message.en, "en")
  return [
    get("/api/account/details", bodies.account("en", account)),
    get("/api/items/all", bodies.list("en", ...items.toReversed())),
    ...items.map((one) => get(`/api/items/item?item_id=${one.id}`, bodies.item("en", one))),
    ...other.items.map(({ id }) => get(`/api/items/item?item_id=${id}`, absent, 404)),
    ...sales.flatMap((sale, index) => {
      const body = bodies.purchase("en", sale, items[index] ?? {})
      const code = String(sale.purchase_code)
      // One of these is exactly the other author's code.
      const spellings = [code.toLowerCase(), code.toUpperCase(), code.replace(/c$/i, "C")]
      return spellings.map((typed, at) => validate(at === 0 ? keys.vk : keys.sk, typed, body))
    }),
  ]
}

export async function sendRequest(
  url: string,
  { path, init }: StormRequest,
): Promise<StormResponse> {
  const response = await fetch(`${url}${path}`, init)
  return { status: response.status, body: await response.text() }
}

export async function runIsolationStorm({
  responses,
  seed,
  onResponses,
}: RunOptions): Promise<IsolationStorm> {
  const sea = await openStormTarget()
  const random = createRandom(seed)
  const wrong: { what: string; response: StormResponse }[] = []
  const counts = { own: 0, unavailable: 0, breaks: 0 }
  let [sent, received] = [0, 0]
  async function sail(): Promise<void> {
    while (sent < responses) {
      sent += 1
      const request = sea.requests[Math.floor(random() * sea.requests.length)]
      if (request === undefined) throw new Error("no question was drawn")
      const response = await sendRequest(sea.program.url, request)
      if (Bun.deepEquals(response, request.own)) counts.own += 1
      else if (response.status === 503) counts.unavailable += 1
      else wrong.push({ what: request.what, response })
      if (sent % 10_000 === 0) onResponses?.(sent)
      received += 1
      if (received % responsesPerBreak === 0) await breakConnections()
    }
  }
  async function breakConnections(): Promise<void> {
    counts.breaks += 1
    if (random() < 0.5) sea.proxy.cutAll()
    else await sea.client.query(terminateSome)
  }
  await Promise.all(Array.from({ length: inFlight }, sail))
  await sea.close()
  return { ...counts, wrong }
}

const terminateSome = `SELECT pg_terminate_backend(pid) FROM
  (SELECT pid FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 4) AS picked`

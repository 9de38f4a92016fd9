/** A new server takes the port over from a running one, and nobody who asks notices. */
import { afterEach, beforeEach, expect, test } from "bun:test"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { account, item, purchase, toFeed } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import {
  folderWithStore,
  killTree,
  runPazar,
  type Served,
  spawnPazar,
  startServer,
} from "../../harness/command.ts"
import { pickFreePort } from "../../harness/free-port.ts"
import { patientFetch } from "../../harness/http/patient-fetch.ts"
import { signalIfAlive } from "../../harness/signal.ts"

let folder: string
beforeEach(async () => {
  folder = await folderWithStore()
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Each request has a connection of its own: one that is kept may be closed by any server while the next is sent. */
function startClients(url: string, key: string) {
  const outcomes: unknown[] = []
  let isOver = false
  const clients = [1, 2, 3, 4].map(async () => {
    while (!isOver) {
      const outcome = await fetch(`${url}/api/purchases/validation?purchase_code=code-1`, {
        method: "POST",
        headers: { "X-Api-Key": key },
        keepalive: false,
      }).then(
        ({ status }) => status,
        (fault) => String(fault),
      )
      outcomes.push(outcome)
      // Four of them without a pause would leave the servers no processor.
      await Bun.sleep(2)
    }
  })
  const untilMore = () => {
    const before = outcomes.length
    return until(() => (outcomes.length > before + 50 ? true : undefined))
  }
  async function stop(): Promise<ReadonlySet<unknown>> {
    isOver = true
    await Promise.all(clients)
    return new Set(outcomes)
  }
  return { untilMore, stop }
}

async function startMarket(threads: number) {
  const input = toFeed([account("elif"), item("elif", 1), purchase("code-1", 1)])
  await runPazar(folder, ["import", "-"], { input })
  const { stdout: key } = await runPazar(folder, ["key", "create", "elif"])
  const env = { PORT: String(pickFreePort()), PAZAR_THREADS: String(threads) }
  const server = await startServer(folder, env)
  return { env, server, clients: startClients(server.url, key.trim()) }
}

const endOf = async ({ ended }: Served) => (await ended).status

test("with other settings and threads: every request is answered, and the old one ends with 0", async () => {
  const { env, server, clients } = await startMarket(1)
  await clients.untilMore()
  // The garbage collector must not take the filter that is given to the system.
  const change = {
    PAZAR_THREADS: "2",
    PAZAR_SITE_NAME: "Another",
    BUN_JSC_collectContinuously: "1",
  }
  const replacing = await spawnPazar(folder, ["serve", "--replace"], { ...env, ...change })
  expect(await endOf(server)).toBe(0)
  await clients.untilMore()
  expect(await clients.stop()).toEqual(new Set([200]))
  await until(() => replacing.stdout() === `listening on ${server.url}\n` || undefined)
  expect(await (await patientFetch(server.url)).text()).toContain("Another")
  await killTree(replacing)
})

test("in the background, as a unit's reload: the command returns, and its file names the server", async () => {
  const { env, server, clients } = await startMarket(2)
  await clients.untilMore()
  const pidFile = join(folder, "pid")
  const reload = ["serve", "--replace", "--background", "--pid-file", pidFile]
  const { child, stdout, stderr } = await spawnPazar(folder, reload, env)
  // The server that it leaves behind has the same standard error, which stays open.
  const [status] = await once(child, "exit")
  expect({ status, problem: status === 0 ? "" : stderr() }).toEqual({ status: 0, problem: "" })
  // What it wrote may arrive after its end.
  await until(() => stdout() === `listening on ${server.url}\n` || undefined)
  expect(await endOf(server)).toBe(0)
  await clients.untilMore()
  expect(await clients.stop()).toEqual(new Set([200]))
  const pid = Number(readFileSync(pidFile, "utf8"))
  // With it, Bun would end the server with whatever started it.
  expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("BUN_FEATURE_FLAG_NO_ORPHANS")
  signalIfAlive(pid, "SIGINT")
  // Until then it writes to its folder.
  await until(() => (existsSync(`/proc/${pid}/exe`) ? undefined : true))
})

test("one that cannot start leaves the other as it is; without --replace the port is taken", async () => {
  const { env, server, clients } = await startMarket(1)
  const broken = { ...env, PAZAR_LOCALE: "xx" }
  const refused = await runPazar(folder, ["serve", "--replace"], { env: broken })
  expect(refused.status).toBe(2)
  const second = await runPazar(folder, ["serve"], { env })
  expect(second).toMatchObject({ status: 2, stderr: expect.stringContaining(env.PORT) })
  await clients.untilMore()
  expect(await clients.stop()).toEqual(new Set([200]))
  await killTree(server)
})

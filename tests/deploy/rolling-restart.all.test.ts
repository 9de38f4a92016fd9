import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { pickFreePort } from "../harness/free-port.ts"
import { edgeProxies, openEdgeProxy } from "../harness/http/edge-proxies.ts"
import { startInstance } from "../harness/instances.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { createStoreFolder, readPazar } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

let folder: string
let key: string
beforeAll(async () => {
  folder = await createStoreFolder()
  const input = toFeed([account("elif"), item("elif", 1), purchase("code-1", 1)])
  await readPazar(folder, ["import", "-"], { input })
  key = (await readPazar(folder, ["key", "create", "elif"])).trim()
})
afterAll(() => rmSync(folder, { recursive: true }))

function startClients(url: string) {
  const outcomes: unknown[] = []
  let isOver = false
  const clients = [true, true, false, false].map(async (keepalive) => {
    while (!isOver) {
      const body = new URLSearchParams({ api_key: key, purchase_code: "code-1" })
      const init = { method: "POST", body, keepalive }
      const outcome = await fetch(`${url}/api/purchases/validation`, init).then(
        ({ status }) => status,
        String,
      )
      outcomes.push(outcome)
      // Four clients without a pause would use all processor time.
      await Bun.sleep(2)
    }
  })
  const untilMore = () => {
    const before = outcomes.length
    return until(() => outcomes.length > before + 100 || undefined, workMsMax)
  }
  async function stop() {
    isOver = true
    await Promise.all(clients)
    return new Set(outcomes)
  }
  return { untilMore, stop }
}

describe.each(edgeProxies)("$name", (edge) => {
  test("every validation gets its response while each instance is restarted", async () => {
    const env = { PAZAR_TRUSTED_PROXIES: "127.0.0.1", PAZAR_THREADS: "2" }
    const instances = await Promise.all([startInstance(folder, env), startInstance(folder, env)])
    const proxy = await openEdgeProxy(
      edge,
      instances.map(({ url }) => url),
    )
    const clients = startClients(proxy.url)
    await clients.untilMore()
    for (const { restart } of instances) {
      await restart()
      await clients.untilMore()
    }
    expect(await clients.stop()).toEqual(new Set([200]))
    await proxy.close()
    await Promise.all(instances.map(({ stop }) => stop()))
  })
})

describe("nginx, if an instance closes connections without a response", () => {
  const [nginx] = edgeProxies
  let received: string[]
  /** Reads each request and closes the connection if `isLosing` returns true. */
  function openNode(isLosing: (head: string) => boolean) {
    return Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket, bytes) {
          const [head = ""] = bytes.toString().split("\r\n")
          received.push(head)
          if (!isLosing(head)) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
          socket.end()
        },
      },
    })
  }
  const urlOf = (port: number) => `http://127.0.0.1:${port}`
  async function post(url: string): Promise<readonly number[]> {
    const statuses: number[] = []
    for (let at = 0; at < 10; at += 1) statuses.push((await fetch(url, { method: "POST" })).status)
    return statuses
  }
  beforeEach(() => {
    received = []
  })

  test("a validation is retried on the other instance, and no other POST is sent twice", async () => {
    using losing = openNode(() => true)
    using responding = openNode(() => false)
    const proxy = await openEdgeProxy(nginx, [urlOf(losing.port), urlOf(responding.port)])
    const validations = await post(`${proxy.url}/api/purchases/validation`)
    expect(validations).toEqual(validations.map(() => 200))
    expect(received.length).toBeGreaterThan(10)
    received = []
    expect(new Set(await post(`${proxy.url}/workspace/elif/settings/keys`))).toEqual(
      new Set([200, 503]),
    )
    expect(received).toHaveLength(10)
    await proxy.close()
  })

  test("the instance stays in the upstream, because the other one may be down", async () => {
    using node = openNode((head) => head.includes("/lost"))
    const proxy = await openEdgeProxy(nginx, [urlOf(pickFreePort()), urlOf(node.port)])
    expect(new Set(await post(`${proxy.url}/lost`))).toEqual(new Set([503]))
    expect(new Set(await post(`${proxy.url}/api/items/all`))).toEqual(new Set([200]))
    await proxy.close()
  })
})

/** A node is stopped behind a load balancer that decides by /readyz. */
import { afterEach, beforeEach, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { account, item, purchase, toFeed } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import {
  folderWithStore,
  killTree,
  runPazar,
  type Served,
  startServer,
} from "../../harness/command.ts"
import { patientFetch } from "../../harness/http/patient-fetch.ts"

let folder: string
beforeEach(async () => {
  folder = await folderWithStore()
})
afterEach(() => rmSync(folder, { recursive: true }))

const isReady = async ({ url }: Served) =>
  await fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Asks the nodes every 100 ms which of them are ready, and sends to those. */
function openBalancer(nodes: Served[]) {
  let ready: readonly Served[] = [...nodes]
  let turn = 0
  const timer = setInterval(async () => {
    const answers = await Promise.all(nodes.map(isReady))
    ready = nodes.filter((_, index) => answers[index])
  }, 100)
  return {
    /** On a machine that is busy, no node may be ready for a moment. */
    async send(path: string, init: RequestInit) {
      const node = await until(() => ready[turn++ % ready.length])
      return fetch(`${node.url}${path}`, init)
    },
    close: () => clearInterval(timer),
  }
}

test("every request is answered while a node is replaced", async () => {
  const input = toFeed([account("elif"), item("elif", 1), purchase("code-1", 1)])
  await runPazar(folder, ["import", "-"], { input })
  const { stdout } = await runPazar(folder, ["key", "create", "elif"])
  const init = { method: "POST", headers: { "X-Api-Key": stdout.trim() } }
  const leaving = await startServer(folder)
  const staying = await startServer(folder)
  const nodes = [leaving, staying]
  const balancer = openBalancer(nodes)
  const outcomes: unknown[] = []
  let isOver = false
  const clients = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const path = "/api/purchases/validation?purchase_code=code-1"
      const outcome = await balancer.send(path, init).then(
        ({ status }) => status,
        (fault) => fault,
      )
      outcomes.push(outcome)
      await Bun.sleep(20)
    }
  })
  const untilMore = () => {
    const before = outcomes.length
    return until(() => (outcomes.length > before + 50 ? true : undefined))
  }
  await until(async () => ((await isReady(leaving)) ? true : undefined))
  await untilMore()

  // SIGTERM: not ready, closes each connection after one more answer, then exit 0.
  const stopped = leaving.stop()
  await until(async () => ((await isReady(leaving)) ? undefined : true))
  const paths = ["/api/account/details", "/", "/workspace", "/api/nowhere"]
  // Each thread is told for itself: another one than that of /readyz may still hear of the stop.
  const untilClosing = (path: string) =>
    until(async () => {
      const { status, headers } = await patientFetch(`${leaving.url}${path}`, {
        redirect: "manual",
      })
      return headers.get("connection") === "close" ? status : undefined
    })
  expect(await Promise.all(paths.map(untilClosing))).toEqual([401, 200, 303, 404])
  const { status, stderr } = await stopped
  expect({ status, last: /"message":"(\w+)"\}\n$/.exec(stderr)?.[1] }).toEqual({
    status: 0,
    last: "stopped",
  })

  const arriving = await startServer(folder)
  nodes[0] = arriving
  await until(async () => ((await isReady(arriving)) ? true : undefined))
  await untilMore()
  isOver = true
  await Promise.all(clients)
  balancer.close()
  expect(new Set(outcomes)).toEqual(new Set([200]))

  // Ctrl+C does not wait as SIGTERM does, although both nodes were asked whether they are ready.
  staying.child.kill("SIGINT")
  const waiting = arriving.stop()
  const first = await Promise.race([waiting.then(() => "SIGTERM"), staying.ended])
  expect(first).toMatchObject({ status: 0 })
  await killTree(arriving)
})

/**
 * `npm run soak -- stop [ROUNDS [RATE]]`: of two nodes behind a load balancer, one is told to stop (SIGTERM) while
 * requests come, and is started again. No request may fail, and the node must end with 0 within 15 seconds.
 */
import { cpSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathOfStore, prepareSqliteStore } from "../../../bench/stores/stores.ts"
import { until } from "../../contracts/until.ts"
import { runPazar, type Served, startServer } from "../../harness/command.ts"
import { listFailures, startMixedLoad } from "../../harness/faults/mixed-load.ts"
import { temporaryFolder } from "../../harness/program.ts"

const [rounds = 10, ratePerSecond = 500] = process.argv.slice(2).map(Number)
const endMsMax = 15_000
/** A balancer that asks more often than every two seconds, and believes the first 503. */
const probeEveryMs = 500

const folder = temporaryFolder()
const market = { accounts: 20, items: 20_000, purchases: 100_000, seed: 1 }
const store = await prepareSqliteStore(market, console.log)
cpSync(dirname(pathOfStore(store)), join(folder, "data"), { recursive: true })
await runPazar(folder, ["migrate"])
const env = { LOG_LEVEL: "error", PAZAR_TRUSTED_PROXIES: "127.0.0.1", PAZAR_THREADS: "2" }
const nodes = [await startServer(folder, env), await startServer(folder, env)]

const portOf = ({ url }: Served) => Number(new URL(url).port)
const isReady = ({ url }: Served) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
let ready = nodes.map(portOf)
async function probe(): Promise<void> {
  const answers = await Promise.all(nodes.map(isReady))
  ready = nodes.filter((_, at) => answers[at]).map(portOf)
}
await probe()
const probing = setInterval(probe, probeEveryMs)
let turn = 0
const choosePort = () => ready[turn++ % ready.length] ?? 0

const problems: string[] = []
let requests = 0
const seconds: number[] = []
console.log(`${rounds} stops at ${ratePerSecond} requests a second`)
const load = startMixedLoad({ choosePort, store, connections: 32, ratePerSecond })
for (let round = 0; round < rounds; round += 1) {
  const [leaving] = nodes.splice(0, 1)
  if (leaving === undefined) throw new Error("no node is left")
  // The balancer asks it until it is gone.
  nodes.push(leaving)
  const startedAt = performance.now()
  const { status } = await leaving.stop()
  const endMs = performance.now() - startedAt
  seconds.push(endMs / 1000)
  if (status !== 0 || endMs > endMsMax) problems.push(`round ${round}: ${status} after ${endMs} ms`)
  nodes.splice(nodes.indexOf(leaving), 1)
  const arriving = await startServer(folder, env)
  nodes.push(arriving)
  await until(() => (ready.includes(portOf(arriving)) ? true : undefined))
  const counts = load.take()
  requests += counts.requests
  for (const failure of listFailures(counts)) problems.push(`round ${round}: ${failure}`)
}
await load.stop()
clearInterval(probing)
await Promise.all(nodes.map((node) => node.stop()))
rmSync(folder, { recursive: true })
for (const problem of problems) console.log(problem)
console.log(
  `${requests} requests; nodes ended after ${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s; ${problems.length} problems`,
)
process.exit(problems.length === 0 ? 0 : 1)

/**
 * `npm run soak -- restart [sqlite|postgres [RESTARTS [RATE [COMMIT]]]]`: two instances behind the nginx of deploy/ answer
 * validations and take pushed sales while they are restarted one after the other, again and again, and then upgraded from
 * COMMIT (the last one) to this version. No validation may fail, and every pushed sale must be there.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { $ } from "bun"
import { ownProgram } from "../../../bench/processes/program.ts"
import { feedLines, itemIdOf, keyOf, ownerOf } from "../../../bench/stores/marketplace.ts"
import type { Store } from "../../../bench/stores/stores.ts"
import { purchase } from "../../contracts/records.ts"
import { type Launcher, runPazar } from "../../harness/command.ts"
import { root } from "../../harness/deploy-files.ts"
import { listFailures, startMixedLoad } from "../../harness/faults/mixed-load.ts"
import { allowShop, edgeProxies, openEdgeProxy } from "../../harness/http/edge-proxies.ts"
import { startInstance } from "../../harness/instances.ts"
import { temporaryFolder } from "../../harness/program.ts"
import { sharePostgres } from "../../harness/stores/postgres.ts"

const [kind = "sqlite", restarts = "20", rate = "500", commit = "HEAD"] = process.argv.slice(2)
const market = { accounts: 20, items: 2_000, purchases: 20_000, seed: 1 }
const operatorToken = "operator-token-of-the-soak-test-0001"
const folder = temporaryFolder()
const older = join(folder, "older")
mkdirSync(older)
await $`git -C ${root} archive ${commit} | tar x -C ${older}`.quiet()
symlinkSync(join(root, "node_modules"), join(older, "node_modules"))
const olderPazar = ["node", join(older, "bin/pazar.mjs")] as const
const env = {
  DATABASE_URL:
    kind === "postgres"
      ? await (await sharePostgres()).createDatabase()
      : `sqlite:${join(folder, "pazar.db")}`,
  PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  PAZAR_OPERATOR_TOKEN: operatorToken,
  PAZAR_TRUSTED_PROXIES: "127.0.0.1",
  PAZAR_THREADS: "2",
}
async function run(launcher: Launcher, ...args: readonly string[]): Promise<void> {
  const { status, stderr } = await runPazar(folder, args, { env, launcher })
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr}`)
}
const feed = join(folder, "feed.ndjson")
writeFileSync(feed, [...feedLines(market)].join(""))
await run(olderPazar, "migrate")
await run(olderPazar, "import", feed)

const instances = [
  await startInstance(folder, env, olderPazar),
  await startInstance(folder, env, olderPazar),
]
const [nginx] = edgeProxies
const proxy = await openEdgeProxy(
  nginx,
  instances.map(({ url }) => url),
  allowShop(nginx, "127.0.0.1"),
)
const keys = Array.from({ length: market.accounts }, (_, account) => keyOf(account))
const store: Store = { market, program: ownProgram, settings: env, keys }
const load = startMixedLoad({
  choosePort: () => Number(new URL(proxy.url).port),
  store,
  connections: 32,
  ratePerSecond: Number(rate),
})

/** Pushes a sale every 50 ms, each until it is accepted. */
function startPushing() {
  const codes: string[] = []
  let [isOver, retries] = [false, 0]
  async function push(code: string): Promise<boolean> {
    const response = await fetch(`${proxy.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${operatorToken}` },
      body: JSON.stringify(purchase(code, itemIdOf(0))),
    }).catch(() => null)
    return response?.ok === true && (await response.text()).includes('"accepted":1')
  }
  const running = (async () => {
    while (!isOver) {
      const code = crypto.randomUUID()
      while (!(await push(code))) retries += 1
      codes.push(code)
      await Bun.sleep(50)
    }
  })()
  return async () => {
    isOver = true
    await running
    return { codes, retries }
  }
}
const stopPushing = startPushing()

const problems: string[] = []
let validations = 0
function count(phase: string): void {
  const counts = load.take()
  const { requests, latenciesMs } = counts
  validations += requests
  for (const failure of listFailures(counts)) problems.push(`${phase}: ${failure}`)
  const slowest = Math.max(0, ...latenciesMs).toFixed(0)
  console.log(
    `${phase}: ${requests} validations, slowest ${slowest} ms; ${problems.length} problems`,
  )
}
for (let turn = 1; turn <= Number(restarts); turn += 1) {
  for (const instance of instances) await instance.restart(olderPazar)
  count(`restart ${turn}`)
}
await run("bun", "migrate")
for (const instance of instances) await instance.restart("bun")
count("upgrade")

const { codes, retries } = await stopPushing()
await load.stop()
count("after")
for (const code of codes) {
  const body = new URLSearchParams({ api_key: keyOf(ownerOf(market, 0)), purchase_code: code })
  const { status } = await fetch(`${proxy.url}/api/purchases/validation`, { method: "POST", body })
  if (status !== 200) problems.push(`the sale ${code} is lost: ${status}`)
}
const passedOn = proxy.logged().match(/"upstream_status":"\d+, /g)?.length ?? 0
await proxy.close()
for (const instance of instances) {
  await instance.stop()
  const lines = instance.logged().split("\n")
  for (const line of lines) if (/"level":"(error|warn)"/.test(line)) console.log(line)
}
rmSync(folder, { recursive: true })
for (const problem of problems) console.log(problem)
console.log(
  `${kind}: ${restarts} rolling restarts and an upgrade from ${commit}: ${validations} validations, ${passedOn} requests sent to the other instance, ${codes.length} sales, ${retries} pushed again; ${problems.length} problems`,
)
process.exit(problems.length === 0 ? 0 : 1)

/**
 * `npm run soak -- upgrade [sqlite|postgres [RUNS [RATE [COMMIT]]]]`: servers of an older version (0.12.3, or that of COMMIT)
 * answer validations and take pushed sales while the store is migrated by this version, by a migration that is
 * killed at a random moment and by one that is not; then this version takes over from each server, and from itself with
 * other settings. One server on SQLite, or two behind nginx on PostgreSQL. No validation may fail, no connection may be
 * refused or cut off, and every pushed sale must be there.
 */
import { copyFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ownProgram } from "../../../bench/processes/program.ts"
import { feedLines, itemIdOf, keyOf, ownerOf } from "../../../bench/stores/marketplace.ts"
import type { Store } from "../../../bench/stores/stores.ts"
import { until } from "../../contracts/until.ts"
import { killTree, runPazar, type Served, spawnPazar, startServer } from "../../harness/command.ts"
import { listFailures, startMixedLoad } from "../../harness/faults/mixed-load.ts"
import { pickFreePort } from "../../harness/free-port.ts"
import { openNginx } from "../../harness/http/nginx.ts"
import { extractOlder, oldestCommit } from "../../harness/older-program.ts"
import { temporaryFolder } from "../../harness/program.ts"
import { sharePostgres } from "../../harness/stores/postgres.ts"

const [kind = "sqlite", runs = "20", rate = "500", commit = oldestCommit] = process.argv.slice(2)
const market = { accounts: 20, items: 2_000, purchases: 20_000, seed: 1 }
const operatorToken = "operator-token-of-the-soak-test-0001"
const nodeCount = kind === "postgres" ? 2 : 1

const folder = temporaryFolder()
const olderPazar = extractOlder(folder, commit)

const shared = {
  PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  PAZAR_OPERATOR_TOKEN: operatorToken,
  PAZAR_TRUSTED_PROXIES: "127.0.0.1",
  PAZAR_THREADS: "2",
  LOG_LEVEL: "info",
}
const feed = join(folder, "feed.ndjson")
writeFileSync(feed, [...feedLines(market)].join(""))

async function createOlderStore(run: number) {
  const DATABASE_URL =
    kind === "postgres"
      ? await (await sharePostgres()).createDatabase()
      : `sqlite:${join(folder, `${run}.db`)}`
  const env = { ...shared, DATABASE_URL }
  if (kind === "sqlite" && run > 0) {
    copyFileSync(join(folder, "0.db.kept"), join(folder, `${run}.db`))
    return env
  }
  await runPazar(folder, ["migrate"], { env, launcher: olderPazar })
  const { stdout } = await runPazar(folder, ["import", feed], { env, launcher: olderPazar })
  if (!stdout.includes('"rejected":0')) throw new Error(`the import failed: ${stdout}`)
  if (kind === "sqlite") copyFileSync(join(folder, "0.db"), join(folder, "0.db.kept"))
  return env
}

const problems: string[] = []
let [validations, sales, killed] = [0, 0, 0]

/** Pushes a sale every 50 ms, each until it is accepted. */
function startPushing(url: string) {
  const codes: string[] = []
  let isOver = false
  async function push(code: string): Promise<boolean> {
    const sale = {
      type: "purchase",
      purchase_code: code,
      license_type: "Regular",
      price: 19.99,
      currency: "USD",
      item_id: itemIdOf(0),
      downloaded: false,
      date: "2026-01-01T00:00:00Z",
    }
    const answer = await fetch(`${url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${operatorToken}` },
      body: JSON.stringify(sale),
    }).catch(() => null)
    return answer?.ok === true && (await answer.text()).includes('"accepted":1')
  }
  let retries = 0
  const running = (async () => {
    while (!isOver) {
      const code = crypto.randomUUID()
      while (!(await push(code))) {
        retries += 1
        await Bun.sleep(100)
      }
      codes.push(code)
      await Bun.sleep(50)
    }
  })()
  return {
    async stop() {
      isOver = true
      await running
      return { codes, retries }
    },
  }
}

async function isThere(url: string, code: string): Promise<boolean> {
  const body = new URLSearchParams({ api_key: keyOf(ownerOf(market, 0)), purchase_code: code })
  return (await fetch(`${url}/api/purchases/validation`, { method: "POST", body })).status === 200
}

type Environment = Awaited<ReturnType<typeof createOlderStore>>

/** One that is killed, and one that completes it. */
async function migrate(env: Environment): Promise<void> {
  const first = await spawnPazar(folder, ["migrate"], env)
  await Bun.sleep(Math.random() * 1_500)
  const { status } = await killTree(first)
  if (status === null) killed += 1
  const { status: second, stderr } = await runPazar(folder, ["migrate"], { env })
  if (second !== 0) throw new Error(`the migration failed: ${stderr}`)
}

async function replace(
  old: Served,
  env: Environment & { PORT: string },
  change = {},
): Promise<Served> {
  const running = await spawnPazar(folder, ["serve", "--replace"], { ...env, ...change })
  const [url] = await Promise.all([
    until(() => /^listening on (\S+)\n/.exec(running.stdout())?.[1]),
    old.ended.then(({ status }) => {
      if (status !== 0) problems.push(`a server ended with ${status}`)
    }),
  ])
  await until(() => (running.stderr().includes('"took over"') ? true : undefined))
  const stop = () => {
    running.child.kill("SIGTERM")
    return running.ended
  }
  return { ...running, url, stop }
}

const linesOfFailures = (log: string) =>
  log
    .split("\n")
    .filter((line) => /"status":5|"level":"(error|warn)"/.test(line))
    .join("\n")

for (let run = 0; run < Number(runs); run += 1) {
  const env = await createOlderStore(run)
  const ports = Array.from({ length: nodeCount }, () => String(pickFreePort()))
  const nodes = await Promise.all(
    ports.map((PORT) => startServer(folder, { ...env, PORT }, "serve", olderPazar)),
  )
  const logs = nodes.map(({ stderr }) => stderr)
  const before = problems.length
  const nginx = nodeCount > 1 ? await openNginx(...nodes.map(({ url }) => url)) : null
  const url = nginx?.url ?? nodes[0]?.url ?? ""
  const port = Number(new URL(url).port)
  const keys = Array.from({ length: market.accounts }, (_, account) => keyOf(account))
  const store: Store = { market, program: ownProgram, settings: env, keys }
  const load = startMixedLoad({
    choosePort: () => port,
    store,
    connections: 32,
    ratePerSecond: Number(rate),
  })
  const pushing = startPushing(url)
  const counted: string[] = []
  const startedAt = performance.now()
  function count(phase: string): void {
    const counts = load.take()
    const { requests, latenciesMs } = counts
    validations += requests
    for (const failure of listFailures(counts)) problems.push(`run ${run}, ${phase}: ${failure}`)
    counted.push(`${phase} ${requests} (slowest ${Math.max(0, ...latenciesMs).toFixed(0)} ms)`)
  }
  await Bun.sleep(500)
  count("before")
  await migrate(env)
  count("migrate")
  for (const change of [{}, { PAZAR_SITE_NAME: "Another" }]) {
    for (const [at, old] of nodes.entries()) {
      const next = await replace(old, { ...env, PORT: ports[at] ?? "" }, change)
      nodes[at] = next
      logs.push(next.stderr)
    }
    count("replace")
  }
  const { codes, retries } = await pushing.stop()
  await load.stop()
  count("after")
  for (const code of codes)
    if (!(await isThere(url, code))) problems.push(`run ${run}: ${code} is lost`)
  sales += codes.length
  await nginx?.close()
  await Promise.all(nodes.map((node) => node.stop()))
  if (problems.length > before) for (const log of logs) console.log(linesOfFailures(log()))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  console.log(
    `run ${run + 1}: ${counted.join(", ")}; ${codes.length} sales, ${retries} pushed again; ${seconds} s; ${problems.length} problems so far`,
  )
}
rmSync(folder, { recursive: true })
for (const problem of problems) console.log(problem)
console.log(
  `${kind} from ${commit}: ${runs} runs, ${killed} migrations killed, ${validations} validations, ${sales} sales; ${problems.length} problems`,
)
process.exit(problems.length === 0 ? 0 : 1)

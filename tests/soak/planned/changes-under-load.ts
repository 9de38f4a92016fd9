/**
 * `npm run soak -- changes [sqlite|postgres [RUNS [RATE]]]`: a server answers validations while its store is moved to one of the
 * other kind. No validation may fail, and no connection may be refused or cut off.
 */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ownProgram } from "../../../bench/processes/program.ts"
import { feedLines, keyOf } from "../../../bench/stores/marketplace.ts"
import type { Store } from "../../../bench/stores/stores.ts"
import { runPazar, startServer } from "../../harness/command.ts"
import { listFailures, startMixedLoad } from "../../harness/faults/mixed-load.ts"
import { pickFreePort } from "../../harness/free-port.ts"
import { temporaryFolder } from "../../harness/program.ts"
import { sharePostgres } from "../../harness/stores/postgres.ts"

const [kind = "sqlite", runs = "3", rate = "500"] = process.argv.slice(2)
const market = { accounts: 20, items: 2_000, purchases: 50_000, seed: 1 }
const problems: string[] = []
let validations = 0

for (let run = 1; run <= Number(runs); run += 1) {
  const folder = temporaryFolder()
  const feed = join(folder, "feed.ndjson")
  writeFileSync(feed, [...feedLines(market)].join(""))
  const keyFile = join(folder, "master-key")
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString("base64"), { mode: 0o600 })
  const urls = [
    `sqlite:${join(folder, "pazar.db")}`,
    await (await sharePostgres()).createDatabase(),
  ]
  const [here = "", there = ""] = kind === "sqlite" ? urls : urls.toReversed()
  const port = pickFreePort()
  const env = {
    DATABASE_URL: here,
    PAZAR_MASTER_KEY: "",
    PAZAR_MASTER_KEY_FILE: keyFile,
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
    PAZAR_THREADS: "2",
    PORT: String(port),
  }
  const succeed = async (...args: readonly string[]) => {
    const { status, stderr } = await runPazar(folder, args, { env })
    if (status !== 0) problems.push(`run ${run}: ${args[0]} ended with ${status}: ${stderr}`)
  }
  await succeed("migrate")
  await succeed("import", feed)
  const server = await startServer(folder, env)
  const keys = Array.from({ length: market.accounts }, (_, account) => keyOf(account))
  const store: Store = { market, program: ownProgram, settings: env, keys }
  const load = startMixedLoad({
    choosePort: () => port,
    store,
    connections: 32,
    ratePerSecond: Number(rate),
  })
  const counted: string[] = []
  let startedAt = performance.now()
  function count(phase: string): void {
    const counts = load.take()
    const { requests, latenciesMs } = counts
    validations += requests
    for (const failure of listFailures(counts)) problems.push(`run ${run}, ${phase}: ${failure}`)
    const seconds = (performance.now() - startedAt) / 1000
    counted.push(
      `${phase} ${requests} in ${seconds.toFixed(1)} s (slowest ${Math.max(0, ...latenciesMs).toFixed(0)} ms)`,
    )
    startedAt = performance.now()
  }
  await Bun.sleep(1_000)
  count("before")

  await succeed("move", "--to", there)
  count("move")
  await Bun.sleep(1_000)
  await load.stop()
  count("after")
  console.log(`run ${run}: ${counted.join(", ")}; ${problems.length} problems so far`)
  await server.stop()
  rmSync(folder, { recursive: true })
}
for (const problem of problems) console.log(problem)
console.log(`${kind}: ${runs} runs, ${validations} validations; ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

/**
 * `npm run soak -- promote [RUNS [RATE [pgbouncer]]]`: validations of sold codes while the primary is killed and its standby promoted, on a node
 * whose DATABASE_URL names both (or a PgBouncer before each), and which has just been started. No validation may fail, and a pushed sale must be taken again.
 */
import { randomBytes } from "node:crypto"
import { account, item, purchase, toFeed } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { killTree, runPazar, startServer } from "../../harness/command.ts"
import { temporaryFolder } from "../../harness/program.ts"
import { startPgBouncer } from "../../harness/stores/pooler.ts"
import { startPostgres } from "../../harness/stores/postgres.ts"
import { startStandby } from "../../harness/stores/standby.ts"

const [runs = 20, ratePerSecond = 500] = process.argv.slice(2, 4).map(Number)
const isPooled = process.argv[4] === "pgbouncer"
const authors = Array.from({ length: 50 }, (_, at) => `author-${at}`)
const problems: string[] = []
let validations = 0

for (let run = 0; run < runs; run += 1) {
  const folder = temporaryFolder()
  const primary = await startPostgres()
  const url = await primary.createDatabase()
  const setup = {
    DATABASE_URL: url,
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
    LOG_LEVEL: "error",
  }
  await runPazar(folder, ["migrate"], { env: setup })
  const feed = authors.flatMap((username, at) => [
    { ...account(username), api_key: `key-of-${username}` },
    item(username, at + 1),
    purchase(`code-${at}`, at + 1),
  ])
  await runPazar(folder, ["import", "-"], { env: setup, input: toFeed(feed) })
  const standby = await startStandby(primary)
  const poolers = isPooled
    ? [await startPgBouncer(primary.port), await startPgBouncer(standby.port)]
    : []
  const [first = primary, second = standby] = poolers
  const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`
  const env = {
    ...setup,
    DATABASE_URL: `${url.replace(/127\.0\.0\.1:\d+/, hosts)}?target_session_attrs=read-write`,
    DATABASE_REPLICA_URLS: url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${second.port}`),
    PAZAR_OPERATOR_TOKEN: "operator-token-of-the-soak-test-0001",
  }
  const server = await startServer(folder, env)

  const validate = async (at: number) => {
    const body = new URLSearchParams({
      api_key: `key-of-${authors[at]}`,
      purchase_code: `code-${at}`,
    })
    const answer = await fetch(`${server.url}/api/purchases/validation`, { method: "POST", body })
    return `${answer.status} ${answer.headers.get("pazar-reason")}`
  }
  const push = () =>
    fetch(`${server.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${env.PAZAR_OPERATOR_TOKEN}` },
      body: toFeed([purchase(`late-${run}`, 1)]),
    }).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    )
  const seen = new Map<string, number>()
  let [isOver, isKilled] = [false, false]
  let asked = 0
  const startedAt = performance.now()
  const clients = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      const due = ((performance.now() - startedAt) * ratePerSecond) / 1000
      if (asked >= due) await Bun.sleep(1)
      else {
        // The first half of the keys before the crash, all of them after it.
        const at = asked % (isKilled ? authors.length : authors.length / 2)
        asked += 1
        const outcome = await validate(at).catch(String)
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
    }
  })
  // The standby is asked, so it has caught up.
  await until(async () => {
    const { stdout } = await runPazar(folder, ["doctor", "--json"], { env })
    return stdout.includes("replication") ? true : undefined
  })
  await Bun.sleep(1_000)
  primary.signal("SIGKILL")
  isKilled = true
  const killedAt = performance.now()
  await Bun.sleep(1_000)
  await standby.promote()
  await until(push)
  const takenAfter = ((performance.now() - killedAt) / 1000).toFixed(1)
  await Bun.sleep(1_000)
  isOver = true
  await Promise.all(clients)
  validations += asked
  for (const [outcome, times] of seen)
    if (outcome !== "200 ok") problems.push(`run ${run + 1}: ${times} × ${outcome}`)
  console.log(
    `run ${run + 1}: ${asked} validations, ${JSON.stringify([...seen])}; a push was taken ${takenAfter} s after the crash`,
  )
  const { stderr } = await killTree(server)
  if (seen.size > 1) console.log(stderr)
  for (const pooler of poolers) await pooler.stop()
  await standby.stop()
  await primary.stop()
}
for (const problem of problems) console.log(problem)
console.log(`${runs} runs, ${validations} validations; ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

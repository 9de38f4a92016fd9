import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { releaseMasterKey } from "../../../scripts/release-store.ts"
import { until, workMsMax } from "../../contracts/until.ts"
import { temporaryFolder } from "../../harness/program.ts"
import { runInProcess } from "../../harness/run-in-process.ts"
import { killTree, runPazar, spawnPazar } from "../../harness/run-pazar.ts"
import { queryPostgres } from "../../harness/stores/postgres-server.ts"
import { restoreRelease } from "../../harness/stores/test-stores.ts"

const purchases = 50_000

const addPurchases = (column: "" | "place,", place: "" | "1000 + n,") =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${purchases})
   INSERT INTO purchases (${column} code, item_id, revoked, before_item, after_item)
   SELECT ${place} 'filled-' || n, 1229, false,
     '{"purchase_code":"filled-' || n || '","license_type":"Regular","price":9,"currency":"USD","item":',
     ',"downloaded":true,"date":"2026-01-01T09:15:00Z"}'
   FROM numbers`

async function fill(url: string): Promise<void> {
  if (url.startsWith("postgres")) {
    await queryPostgres(url, addPurchases("", ""))
    return
  }
  using db = new Database(url.replace("sqlite:", ""))
  db.run(addPurchases("place,", "1000 + n,"))
}

async function killHalfWay() {
  for (;;) {
    const folder = temporaryFolder()
    const env = { DATABASE_URL: await restoreRelease(folder), PAZAR_MASTER_KEY: releaseMasterKey }
    await fill(env.DATABASE_URL)
    const running = await spawnPazar(folder, ["migrate"], env)
    await until(
      () => (running.stderr().includes("upgrading the database") ? true : undefined),
      workMsMax,
    )
    await killTree(running)
    const { status } = await runInProcess(folder, ["account", "list"], { env })
    if (status === 2) return { folder, env }
    rmSync(folder, { recursive: true })
  }
}

test("a migration that is killed half-way and run again keeps every purchase", async () => {
  const { folder, env } = await killHalfWay()
  const again = await runPazar(folder, ["migrate", "--json"], { env })
  expect(JSON.parse(again.stdout)).toMatchObject({ created: false, to: 34 })
  const { stdout } = await runPazar(folder, ["export"], { env })
  expect(stdout.split('"filled-').length - 1).toBe(purchases)
  rmSync(folder, { recursive: true })
})

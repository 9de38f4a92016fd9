/** A large or huge marketplace in a temporary folder. It is the same in every run, relative to the time of the run. */
import { mkdirSync } from "node:fs"
import { password } from "../../bench/stores/bench-stores.ts"
import type { Marketplace } from "../../bench/stores/marketplace.ts"
import { setPassword } from "../../src/people/security-operations.ts"
import { findOrCreateOwner } from "../../src/people/sign-in-operations.ts"
import { openBrowser } from "../../tests/harness/browser/browser.ts"
import { createRandom } from "../../tests/harness/feed/random-feed.ts"
import { type Program, startProgram } from "../../tests/harness/program.ts"
import { addOperator } from "../../tests/harness/test-operators.ts"
import {
  addAudit,
  addImports,
  addKeys,
  addSites,
  addUsage,
  addWebhooks,
  attemptAll,
  authorOf,
  operators,
} from "./activity.ts"
import { generateRecords } from "./feed.ts"
import { measurePages } from "./measurements.ts"
import { takePictures } from "./pictures.ts"
import { listShots } from "./shots.ts"

/** The last sales are imported after the webhooks exist, which receive them. */
const lastSales = 400

const recordsPerImport = 200_000

/** Unlike `take`, leaves the generator open. */
function readNext<T>(records: Generator<T>, count: number): T[] {
  const read: T[] = []
  while (read.length < count) {
    const { done, value } = records.next()
    if (done) break
    read.push(value)
  }
  return read
}

export async function startMarketplace(market: Marketplace): Promise<Program> {
  const program = await startProgram({ LOG_LEVEL: "error" })
  const { app, hasher } = program
  const [at, random] = [app.now(), createRandom(market.seed)]
  const activity = { program, market, at, random }
  const records = generateRecords(market, at, random)
  const origin = { source: "/srv/shop/exports/everything.ndjson", via: "file" } as const
  const first = market.accounts + market.items + market.purchases - lastSales
  for (let loaded = 0; loaded < first; loaded += recordsPerImport) {
    const part = readNext(records, Math.min(recordsPerImport, first - loaded))
    const { rejected, rejectedText } = await program.load(part, "batches", origin)
    if (rejected > 0)
      throw new Error(`${rejected} records were rejected: ${rejectedText.slice(0, 500)}`)
  }
  for (const name of operators) await addOperator(program, name, password)
  await addOperator(program, "not-yet-here", null)
  await addKeys(activity)
  await addUsage(activity)
  await addSites(activity)
  await addWebhooks(activity)
  await addImports(activity, records.toArray())
  await attemptAll(activity)
  await addAudit(activity)
  const author = await authorOf(app, 0)
  const owner = await findOrCreateOwner({ ...app.store, now: app.now }, author)
  await setPassword({ ...app.store, hasher }, owner, password)
  return program
}

type Options = Readonly<{
  market: Marketplace
  /** The folder of the pictures; null for none. */
  folder: string | null
  /** Matches the names of the pages. */
  only: RegExp
  print(line: string): void
}>

export async function measureMarketplace({ market, folder, only, print }: Options): Promise<void> {
  const startedAt = performance.now()
  const program = await startMarketplace(market)
  print(`built in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  const browser = await openBrowser()
  try {
    const shots = (await listShots(program)).filter(({ name }) => only.test(name))
    await measurePages(browser, program, shots, print)
    if (folder !== null) {
      mkdirSync(folder, { recursive: true })
      await takePictures(browser, program, shots, folder)
    }
  } finally {
    await browser.close()
    await program.close()
  }
}

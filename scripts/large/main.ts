/** A large marketplace in a temporary folder. It is the same in every run, relative to the time of the run. */
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { password } from "../../bench/stores/bench-stores.ts"
import { setPassword } from "../../src/operations/sign-in/password-operations.ts"
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
import { listRecords, market } from "./feed.ts"
import { takePictures } from "./pictures.ts"

/** The last sales are imported after the webhooks exist, which receive them. */
const lastSales = 400

async function startLargeMarketplace(): Promise<Program> {
  const program = await startProgram({ LOG_LEVEL: "error" })
  const { app, hasher } = program
  const [at, random] = [app.now(), createRandom(market.seed)]
  const activity = { program, at, random }
  const records = listRecords(at, random)
  const origin = { source: "/srv/shop/exports/everything.ndjson", via: "file" } as const
  const { rejected, rejectedText } = await program.load(
    records.slice(0, -lastSales),
    "batches",
    origin,
  )
  if (rejected > 0)
    throw new Error(`${rejected} records were rejected: ${rejectedText.slice(0, 500)}`)
  for (const name of operators) await addOperator(program, name, password)
  await addOperator(program, "not-yet-here", null)
  await addKeys(activity)
  await addUsage(activity)
  await addSites(activity)
  await addWebhooks(activity)
  await addImports(activity, records.slice(-lastSales))
  await attemptAll(activity)
  await addAudit(activity)
  const author = await authorOf(app, 0)
  await setPassword({ passwords: app.store.passwords, hasher }, author, password)
  return program
}

export async function photographLargeMarketplace(
  to: string | undefined,
  print: (line: string) => void,
): Promise<void> {
  const folder = to ?? mkdtempSync(join(tmpdir(), "pazar-screenshots-"))
  mkdirSync(folder, { recursive: true })
  const startedAt = performance.now()
  const program = await startLargeMarketplace()
  print(`built in ${Math.round((performance.now() - startedAt) / 1000)} s; pictures: ${folder}`)
  const browser = await openBrowser()
  try {
    await takePictures(browser, program, folder, print)
  } finally {
    await browser.close()
    await program.close()
  }
}

/**
 * New sites that compete for the only slot of a purchase, on two nodes with two threads each. In some rounds one node
 * is killed and restarted.
 */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { readConfig } from "../../../src/config/config.ts"
import { openApp } from "../../../src/server/app.ts"
import { createRandom } from "../feed/random-feed.ts"
import { temporaryFolder } from "../program.ts"
import { account, item, purchase, toFeed } from "../records.ts"
import { createStore, killTree, type RunningServer, readPazar, startServer } from "../run-pazar.ts"
import type { StoreKind } from "../stores/test-stores.ts"

export type SiteRace = Readonly<{
  allowed: number
  rejected: number
  problems: readonly string[]
}>

type RaceOptions = Readonly<{
  kind: StoreKind
  rounds: number
  /** 0 disables kills. */
  roundsEachKill: number
  onRound?(done: number): void
}>

const master = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
const sitesEachNode = 3

export async function raceForSlots(options: RaceOptions): Promise<SiteRace> {
  const { kind, rounds, roundsEachKill, onRound } = options
  const random = createRandom(rounds)
  const folder = temporaryFolder()
  const env = { ...(await kind.createEnvironment()), ...master, PAZAR_THREADS: "2" }
  await createStore(folder, env)
  const sold = Array.from({ length: rounds }, (_, round) => purchase(`code-${round}`, 1))
  const input = toFeed([account("ada"), item("ada", 1), ...sold])
  await readPazar(folder, ["import", "-"], { input, env })
  await readPazar(folder, ["item", "limit", "1", "1"], { env })
  const stdout = await readPazar(folder, ["key", "create", "ada", "--kind", "vk"], { env })
  const key = stdout.trim()
  const start = () => startServer(folder, env)
  const nodes = [await start(), await start()]
  const inFolder = { DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}` }
  const app = await openApp(readConfig({ ...inFolder, ...env }))

  /** Returns null if the connection broke. */
  async function validate(
    { url }: RunningServer,
    code: string,
    site: string,
  ): Promise<string | null> {
    const body = new URLSearchParams({ api_key: key, purchase_code: code, site })
    const headers = { Connection: "close" }
    try {
      const response = await fetch(`${url}/api/purchases/validation`, {
        method: "POST",
        headers,
        body,
      })
      await response.text()
      return response.headers.get("pazar-reason")
    } catch {
      return null
    }
  }
  const problems: string[] = []
  const counts = { allowed: 0, rejected: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const code = `code-${round}`
    const racing = nodes.flatMap((node, at) =>
      Array.from({ length: sitesEachNode }, async (_, index) => {
        const site = `${index}.node-${at}.com`
        return { site, reason: await validate(node, code, site) }
      }),
    )
    const isKill = roundsEachKill > 0 && round % roundsEachKill === roundsEachKill - 1
    const [node] = nodes
    if (isKill && node !== undefined) {
      await Bun.sleep(random() * 10)
      await killTree(node)
    }
    const responses = await Promise.all(racing)
    const allowed = responses.filter(({ reason }) => reason === "ok").map(({ site }) => site)
    const rejected = responses.filter(({ reason }) => reason === "site_limit")
    const stored = (await app.store.sites.list(code)).map(({ site }) => site)
    const isWhole = isKill || allowed.length + rejected.length === responses.length
    const isRight = stored.length <= 1 && allowed.every((site) => stored.includes(site))
    if (!isWhole || !isRight || (!isKill && allowed.length !== 1)) {
      problems.push(`round ${round}: ${JSON.stringify({ responses, stored })}`)
    }
    counts.allowed += allowed.length
    counts.rejected += rejected.length
    if (isKill) nodes[0] = await start()
    onRound?.(round + 1)
  }
  await Promise.all(nodes.map(killTree))
  await app.close()
  rmSync(folder, { recursive: true })
  return { ...counts, problems }
}

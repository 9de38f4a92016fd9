import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { pinned } from "../processes/processes.ts"
import { dataFolder, environment, ownProgram, runPazar } from "../processes/program.ts"
import { finding } from "../report/report.ts"
import { median, ratios, shuffle, spreadOf } from "../report/statistics.ts"
import { writeFeed } from "../stores/stores.ts"
import { marketOf, type Part } from "./part.ts"

const purchases = 200_000
const rounds = 5
const folder = join(dataFolder, "import")
const feed = join(folder, "feed.ndjson")
const imported = join(folder, "imported/pazar.db")
const bare = join(folder, "bare/pazar.db")

export const importing: Part = {
  name: "import",
  title: "Importing a feed",
  async run({ cores }) {
    const market = marketOf(purchases)
    const records = market.accounts + market.items + market.purchases
    mkdirSync(folder, { recursive: true })
    await writeFeed(market, feed)
    const run = async (command: readonly string[], database: string) => {
      const settings = { DATABASE_URL: `sqlite:${database}` }
      const child = Bun.spawn(pinned(cores.server, command), { env: environment(settings) })
      const output = await child.stdout.text()
      if ((await child.exited) !== 0) throw new Error(`failed: ${command.join(" ")}`)
      return output
    }
    const importers = {
      async pazar() {
        await startAfresh(imported)
        const summary = await run([...ownProgram.command, "import", feed], imported)
        return records / JSON.parse(summary).seconds
      },
      async bare() {
        await startAfresh(bare)
        const script = join(import.meta.dir, "../stores/bare-import.ts")
        return records / Number(await run([process.execPath, script, imported, bare], bare))
      },
    }
    // The first one fills the store that the bare rows are taken from.
    await importers.pazar()
    const rates = { pazar: [] as number[], bare: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      for (const name of shuffle(["pazar", "bare"] as const, Math.random)) {
        rates[name].push(await importers[name]())
      }
    }
    rmSync(folder, { recursive: true })
    return {
      findings: [
        finding(
          "import, rows a second against bare inserts of the same rows",
          { atLeast: 0.5 },
          "×",
          spreadOf(ratios(rates.pazar, rates.bare)),
          `${Math.round(median(rates.pazar))} against ${Math.round(median(rates.bare))} rows/s`,
        ),
      ],
      notes: [`${records} records, batches of 1,000, WAL with full synchronisation.`],
    }
  },
}

async function startAfresh(database: string): Promise<void> {
  rmSync(join(database, ".."), { recursive: true, force: true })
  await runPazar(["migrate"], { DATABASE_URL: `sqlite:${database}` })
}

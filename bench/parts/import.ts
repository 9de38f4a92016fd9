/** `pazar import` against bare inserts of the same rows into the same tables. */
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { pinned } from "../processes.ts"
import { dataFolder, environment, ownProgram, runPazar } from "../program.ts"
import { median, ratios, shuffle, spreadOf } from "../statistics.ts"
import { writeFeed } from "../stores/bench-stores.ts"
import { marketOf, type Part } from "./part.ts"

const folder = join(dataFolder, "import")
const feed = join(folder, "feed.ndjson")
const imported = join(folder, "imported/pazar.db")
const bare = join(folder, "bare/pazar.db")

export const importing: Part = {
  name: "import",
  async run({ cores, isQuick }) {
    const market = marketOf(isQuick ? 50_000 : 200_000)
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
        await createEmpty(imported)
        const summary = await run([...ownProgram.command, "import", feed], imported)
        return records / JSON.parse(summary).seconds
      },
      async bare() {
        await createEmpty(bare)
        const script = join(import.meta.dir, "../stores/bare-import.ts")
        return records / Number(await run([process.execPath, script, imported, bare], bare))
      },
    }
    // The first run fills the database from which the bare rows are read.
    await importers.pazar()
    const rates = { pazar: [] as number[], bare: [] as number[] }
    for (let round = 0; round < (isQuick ? 1 : 5); round += 1) {
      for (const name of shuffle(["pazar", "bare"] as const, Math.random)) {
        rates[name].push(await importers[name]())
      }
    }
    rmSync(folder, { recursive: true })
    return [
      {
        what: "import: lines per second, SQLite",
        measured: spreadOf(rates.pazar),
        unit: "/s",
        note: "",
      },
      {
        what: "import: throughput vs. plain inserts",
        measured: spreadOf(ratios(rates.pazar, rates.bare)),
        unit: "×",
        note: `${median(rates.bare).toFixed(0)} rows/s`,
      },
    ]
  },
}

async function createEmpty(database: string): Promise<void> {
  rmSync(join(database, ".."), { recursive: true, force: true })
  await runPazar(["migrate"], { DATABASE_URL: `sqlite:${database}` })
}

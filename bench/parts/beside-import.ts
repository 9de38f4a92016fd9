/** Validations while `pazar import` brings a million purchases into the same store. */
import { cpSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { startPazar } from "../contenders/pazar.ts"
import { type PacedLoad, startPacedLoad } from "../paced-load.ts"
import { spawnPinned } from "../processes.ts"
import { dataFolder, environment, pazarCommand } from "../program.ts"
import { finding } from "../report.ts"
import { median, quantile, spreadOf } from "../statistics.ts"
import { pathOfStore, writeFeed } from "../stores.ts"
import { validationWorkload } from "../workloads.ts"
import { marketOf, type Part } from "./part.ts"

const purchases = 1_000_000
const ratePerSecond = 500
const windowMs = 3_000
const quietWindows = 6
const folder = join(dataFolder, "beside-import")

export const besideImport: Part = {
  name: "beside-import",
  title: "Validating while a feed is imported",
  async run({ options, cores, sqliteStore }) {
    const kept = await sqliteStore(marketOf(options.purchases))
    rmSync(folder, { recursive: true, force: true })
    // A copy: the kept store must stay as it is.
    cpSync(dirname(pathOfStore(kept)), folder, { recursive: true })
    const settings = { DATABASE_URL: `sqlite:${join(folder, "pazar.db")}` }
    const store = { ...kept, settings }
    const feed = join(folder, "feed.ndjson")
    // Another seed: the same accounts and items, and codes that are new.
    await writeFeed({ ...marketOf(purchases), seed: 2 }, feed)
    const pazar = await startPazar(store, cores.server)
    const load = await startPacedLoad({
      port: pazar.port,
      workload: validationWorkload(store),
      connections: options.connections,
      ratePerSecond,
      isSpinning: false,
    })
    try {
      await load.run(windowMs)
      const before = await p99sOf(load, (windows) => windows < quietWindows)
      const startedAt = performance.now()
      const child = spawnPinned(
        cores.others,
        [...pazarCommand, "import", feed],
        environment(settings),
      )
      const during = await p99sOf(load, () => child.exitCode === null)
      const seconds = (performance.now() - startedAt) / 1000
      const after = await p99sOf(load, (windows) => windows < quietWindows)
      if ((await child.exited) !== 0) throw new Error("the import failed")
      const quiet = median([...before, ...after])
      return {
        findings: [
          finding(
            `validation p99 while ${purchases} rows are imported, against without`,
            { atMost: 3 },
            "×",
            spreadOf(during.map((p99) => p99 / quiet)),
            `p99 ${quiet.toFixed(2)} ms without, ${median(during).toFixed(2)} ms meanwhile`,
          ),
        ],
        laps: [],
        notes: [
          `${ratePerSecond} validations a second; the import took ${Math.round(seconds)} s. On a machine with two cores it shares them with the server and the generator.`,
        ],
      }
    } finally {
      load.stop()
      await pazar.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Window by window, for as long as it goes on. */
async function p99sOf(load: PacedLoad, goesOn: (windows: number) => boolean): Promise<number[]> {
  const p99s: number[] = []
  load.takeLatenciesMs()
  while (goesOn(p99s.length)) {
    await load.run(windowMs)
    p99s.push(quantile(load.takeLatenciesMs(), 0.99))
  }
  return p99s
}

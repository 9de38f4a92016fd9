/** p99 of validations at a fixed rate: alone, during an import, and while an operator and an author view pages. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { startPazar } from "../contenders/pazar.ts"
import { startPacedLoad } from "../load/paced-load.ts"
import { validationWorkload } from "../load/workloads.ts"
import { pinned, raisePriority, spawnPinned } from "../processes.ts"
import { dataFolder, environment } from "../program.ts"
import type { Row } from "../report.ts"
import { median, ratios, spreadOf } from "../statistics.ts"
import { copyStore, writeFeed } from "../stores/bench-stores.ts"
import { marketOf, type Part } from "./part.ts"

const ratePerSecond = 500
const windowMs = 5_000
/** Importing these takes about one measurement window. */
const importedPurchases = 50_000
const folder = join(dataFolder, "latency")

export const latency: Part = {
  name: "latency",
  async run({ cores, rounds, purchases, sqliteStore }) {
    const store = copyStore(await sqliteStore(marketOf(purchases)), folder)
    const pazar = await startPazar(store, cores.server)
    const endPreference = raisePriority()
    const workload = validationWorkload(store)
    const load = await startPacedLoad({ port: pazar.port, workload, ratePerSecond })
    async function besideImport(round: number): Promise<number> {
      const feed = join(folder, "feed.ndjson")
      // Another seed creates the same accounts and items with new codes.
      await writeFeed(marketOf(importedPurchases, 100 + round), feed)
      const child = Bun.spawn(pinned(cores.others, [...store.program.command, "import", feed]), {
        env: environment(store.settings),
        stdout: "ignore",
        stderr: "pipe",
      })
      const p99 = await load.measureP99(child.exited)
      if ((await child.exited) !== 0) throw new Error(await child.stderr.text())
      return p99
    }
    async function besidePages(): Promise<number> {
      const script = join(import.meta.dir, "../load/visit-pages.ts")
      const command = [process.execPath, script, `http://127.0.0.1:${pazar.port}`]
      const child = spawnPinned(cores.others, command, environment({}))
      // The line is printed after every page was visited once.
      const { done } = await child.stdout.getReader().read()
      if (done) throw new Error("the pages could not be visited")
      const p99 = await load.measureP99(Bun.sleep(windowMs))
      child.kill("SIGTERM")
      await child.exited
      return p99
    }
    const p99s = { alone: [] as number[], import: [] as number[], pages: [] as number[] }
    try {
      await load.measureP99(Bun.sleep(windowMs))
      for (let round = 0; round < rounds; round += 1) {
        p99s.alone.push(await load.measureP99(Bun.sleep(windowMs)))
        p99s.import.push(await besideImport(round))
        p99s.pages.push(await besidePages())
      }
    } finally {
      load.stop()
      endPreference?.()
      await pazar.stop()
      rmSync(folder, { recursive: true, force: true })
    }
    const beside = (what: string, values: readonly number[]): Row => ({
      what: `validation p99 during ${what} vs. alone`,
      measured: spreadOf(ratios(values, p99s.alone)),
      unit: "×",
      note: `p99 ${median(values).toFixed(2)} ms`,
    })
    return [
      {
        what: `validation p99 at ${ratePerSecond}/s, ${purchases} purchases`,
        measured: spreadOf(p99s.alone),
        unit: "ms",
        note: endPreference === null ? "without priority for the generator" : "",
      },
      beside("import", p99s.import),
      beside("page visits", p99s.pages),
    ]
  },
}

/**
 * Validations while `pazar import` loads a million purchases into the same store: on another core than
 * the server's, and with only two cores also on the server's, alone and under `chrt --idle`.
 */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { startPazar } from "../contenders/pazar.ts"
import { type PacedLoad, startPacedLoad } from "../load/paced-load.ts"
import { validationWorkload } from "../load/workloads.ts"
import { type Cores, preferUs, spawnPinned } from "../processes/processes.ts"
import { dataFolder, environment } from "../processes/program.ts"
import { type Finding, finding, type Target } from "../report/report.ts"
import { median, spreadOf } from "../report/statistics.ts"
import { copyStore, type Store, writeFeed } from "../stores/stores.ts"
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
    const store = copyStore(kept, folder)
    const pazar = await startPazar(store, cores.server)
    const endPreference = preferUs()
    try {
      const load = await startPacedLoad({
        port: pazar.port,
        workload: validationWorkload(store),
        connections: options.connections,
        ratePerSecond,
      })
      await load.run(windowMs)
      const findings = [
        await measureBeside(load, store, {
          seed: 2,
          cores: cores.isLoadApart ? cores.others : cores.load,
          where: "another core",
          under: [],
          target: { atMost: 3 },
        }),
      ]
      if (!cores.isLoadApart) {
        const where = "the server's core and another"
        const shared = { seed: 3, cores: cores.twoServers, where, under: [], target: sharedTarget }
        findings.push(await measureBeside(load, store, shared))
        if (Bun.which("chrt") !== null) {
          const under = ["chrt", "--idle", "0"]
          const idle = {
            ...shared,
            seed: 4,
            where: `${where}, when idle`,
            under,
            target: { atMost: 3 },
          }
          findings.push(await measureBeside(load, store, idle))
        }
      }
      const generator = endPreference
        ? "The generator goes before everything else, so that it is the server's delays that are measured."
        : "The generator could not be given priority: its own delays are in these figures."
      load.stop()
      return { findings, notes: [`${ratePerSecond} validations a second. ${generator}`] }
    } finally {
      endPreference?.()
      await pazar.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const sharedTarget = {
  atMost: 6,
  because:
    "a validation waits while the scheduler gives the core to the import, for milliseconds beside half a one; docs/feed.md says how an import runs when idle",
}

type Beside = Readonly<{
  seed: number
  cores: Cores
  where: string
  /** A command that runs the import. */
  under: readonly string[]
  target: Target
}>

async function measureBeside(
  load: PacedLoad,
  { program, settings }: Store,
  { seed, cores, where, under, target }: Beside,
): Promise<Finding> {
  const feed = join(folder, `feed-${seed}.ndjson`)
  // Another seed gives the same accounts and items, but new codes.
  await writeFeed({ ...marketOf(purchases), seed }, feed)
  const before = await p99sOf(load, (windows) => windows < quietWindows)
  const startedAt = performance.now()
  const command = [...under, ...program.command, "import", feed]
  const child = spawnPinned(cores, command, environment(settings))
  const during = await p99sOf(load, () => child.exitCode === null)
  const seconds = (performance.now() - startedAt) / 1000
  if ((await child.exited) !== 0) throw new Error("the import failed")
  const after = await p99sOf(load, (windows) => windows < quietWindows)
  const quiet = median([...before, ...after])
  return finding(
    `validation p99 while ${purchases} rows are imported on ${where}, against without`,
    target,
    "×",
    spreadOf(during.map((p99) => p99 / quiet)),
    `p99 ${quiet.toFixed(2)} ms without, ${median(during).toFixed(2)} ms for the ${Math.round(seconds)} s of it`,
  )
}

/** Window by window, for as long as it goes on. */
async function p99sOf(load: PacedLoad, goesOn: (windows: number) => boolean): Promise<number[]> {
  const p99s: number[] = []
  while (goesOn(p99s.length)) p99s.push(await load.measureP99(windowMs))
  return p99s
}

/** `npm run bench`: runs the parts one after the other and writes the table of results. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { importing } from "./parts/import.ts"
import { latency } from "./parts/latency.ts"
import { memory } from "./parts/memory.ts"
import { operations } from "./parts/operations.ts"
import { pages } from "./parts/pages.ts"
import type { Context, Part } from "./parts/part.ts"
import { sizes } from "./parts/sizes.ts"
import { start } from "./parts/start.ts"
import {
  cpuSecondsOf,
  killAll,
  listTree,
  machineCpuSeconds,
  mapCores,
  pinProcess,
} from "./processes.ts"
import { dataFolder, programAt } from "./program.ts"
import { type Report, type Row, renderMarkdown, renderRow } from "./report.ts"
import { prepareSqliteStore } from "./stores/bench-stores.ts"

const parts: readonly Part[] = [operations, sizes, importing, pages, latency, memory, start]
const usage = `npm run bench [-- --quick] [PART…] [options]

  PART…            some of: ${parts.map(({ name }) => name).join(", ")}; all of them write bench/results.md
  --quick          few rounds on small databases, in minutes; writes nothing
  --rounds N       rounds per comparison (12; quick: 3)
  --purchases N    in the database (2000000; quick: 50000)
  --other DIR      another checkout with its node_modules: \`operations\` compares its validation too (repeatable)`

const say = (text: string) => console.error(text)

function readOptions() {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      purchases: { type: "string" },
      other: { type: "string", multiple: true, default: [] },
    },
  })
  const unknown = names.filter((name) => !parts.some((part) => part.name === name))
  if (unknown.length > 0) throw new Error(`unknown part ${unknown.join(", ")}`)
  const { quick: isQuick, other } = values
  const count = (text: string | undefined, preset: number) => {
    if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text)) throw new Error(`not a number: ${text}`)
    return Number(text ?? preset)
  }
  for (const folder of other) {
    if (!existsSync(join(folder, "node_modules/.bin/bun")))
      throw new Error(`${folder} is not a checkout with its node_modules; run npm ci in it`)
  }
  return {
    chosen: parts.filter(({ name }) => names.length === 0 || names.includes(name)),
    isPublished: names.length === 0 && !isQuick,
    isQuick,
    rounds: count(values.rounds, isQuick ? 3 : 12),
    purchases: count(values.purchases, isQuick ? 50_000 : 2_000_000),
    others: other.map((folder) => programAt(resolve(folder))),
  }
}

/** All started processes are descendants of this one. */
const othersCpuSeconds = () => machineCpuSeconds() - cpuSecondsOf(listTree(process.pid))

async function measure({ chosen, isPublished, ...options }: ReturnType<typeof readOptions>) {
  const cores = mapCores()
  pinProcess(process.pid, cores.load)
  mkdirSync(dataFolder, { recursive: true })
  const context: Context = {
    ...options,
    cores,
    sqliteStore: (market, program) => prepareSqliteStore(market, say, program),
    say,
  }
  const rows: Row[] = []
  const [startedAt, cpuBefore] = [performance.now(), othersCpuSeconds()]
  for (const part of chosen) {
    say(`── ${part.name}`)
    const measured = await part.run(context)
    for (const row of measured) say(renderRow(row))
    rows.push(...measured)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const report: Report = { rows, othersCores: (othersCpuSeconds() - cpuBefore) / seconds }
  if (isPublished) writeFileSync(join(import.meta.dir, "results.md"), renderMarkdown(report))
  say(`other programs used ${report.othersCores.toFixed(2)} cores`)
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    killAll()
    process.exit(130)
  })
}
let options: ReturnType<typeof readOptions>
try {
  options = readOptions()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  process.exit(2)
}
await measure(options)
process.exit()

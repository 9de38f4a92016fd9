/** `npm run bench`: runs the parts one after the other and writes the report. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Options, readOptions, UsageError, usage } from "./options.ts"
import { against } from "./parts/against.ts"
import { besideImport } from "./parts/beside-import.ts"
import { besidePages } from "./parts/beside-pages.ts"
import { cores } from "./parts/cores.ts"
import { accounts, growth, keys, postgresGrowth } from "./parts/growth.ts"
import { importing } from "./parts/import.ts"
import { latency } from "./parts/latency.ts"
import { listCold } from "./parts/list-cold.ts"
import { longList } from "./parts/long-list.ts"
import { memory } from "./parts/memory.ts"
import { account, item, list, notModified } from "./parts/operations.ts"
import { pages } from "./parts/pages.ts"
import type { Context, Part } from "./parts/part.ts"
import { postgres } from "./parts/postgres.ts"
import { rateLimits } from "./parts/rate-limits.ts"
import { postgresSites, sites } from "./parts/sites.ts"
import { start } from "./parts/start.ts"
import { validation } from "./parts/validation.ts"
import {
  cpuSecondsOf,
  killAll,
  listTree,
  machineCpuSeconds,
  mapCores,
  pinProcess,
} from "./processes/processes.ts"
import { dataFolder, ownProgram, revisionOf } from "./processes/program.ts"
import {
  describeMachine,
  type Report,
  renderJson,
  renderMarkdown,
  renderSummary,
  replaceSections,
  type Section,
} from "./report/report.ts"
import { prepareSqliteStore } from "./stores/stores.ts"

const quickParts: readonly Part[] = [validation, item, account, list, listCold, notModified]
const allParts: readonly Part[] = [
  ...quickParts,
  growth,
  accounts,
  keys,
  rateLimits,
  sites,
  latency,
  longList,
  importing,
  besideImport,
  besidePages,
  memory,
  start,
  cores,
  postgres,
  postgresGrowth,
  postgresSites,
  // Last: it loads the program into this process.
  pages,
]
/** By name only: it needs another checkout. */
const namedParts: readonly Part[] = [...allParts, against]

const args = process.argv.slice(2)
const say = (text: string) => console.error(text)

function createContext(options: Options): Context {
  const cores = mapCores()
  pinProcess(process.pid, cores.load)
  return {
    options,
    cores,
    rounds: {
      rounds: options.rounds ?? (options.isQuick ? 7 : 12),
      connections: options.connections,
      settleMs: 2_000,
      warmUpMs: 200,
      countedMs: 700,
    },
    sqliteStore: (market) => prepareSqliteStore(market, say),
    say,
  }
}

/** All started processes are descendants of this one. */
const strangersCpuSeconds = () => machineCpuSeconds() - cpuSecondsOf(listTree(process.pid))

function choose({ names, isQuick }: Options): readonly Part[] {
  if (names.length > 0) return namedParts.filter(({ name }) => names.includes(name))
  return isQuick ? quickParts : allParts
}

async function measure(options: Options): Promise<void> {
  const context = createContext(options)
  mkdirSync(dataFolder, { recursive: true })
  const sections: Section[] = []
  const asked = args.filter((arg) => arg !== "--resume" && arg !== "--publish")
  const report = {
    machine: describeMachine(),
    program: revisionOf(ownProgram),
    command: ["npm run bench", ...(asked.length > 0 ? ["--", ...asked] : [])].join(" "),
    sections,
  }
  if (options.isResumed) sections.push(...readEarlier(report))
  for (const part of choose(options)) {
    if (sections.some(({ name }) => name === part.name)) continue
    say(`── ${part.title} (${part.name})`)
    const [startedAt, cpuBefore] = [performance.now(), strangersCpuSeconds()]
    const { findings, laps = [], notes = [] } = await part.run(context)
    const seconds = (performance.now() - startedAt) / 1000
    const strangers = (strangersCpuSeconds() - cpuBefore) / seconds
    const { name, title } = part
    const section = { name, title, findings, laps, notes, seconds, strangers }
    sections.push(section)
    say(renderSummary(section))
    // Write after each part, so that a part that fails does not lose the earlier results.
    write(join(dataFolder, "last"), { ...report, measuredAt: new Date() })
  }
  if (options.isWhole) publish({ ...report, measuredAt: new Date() })
  else if (options.isPublished) {
    const names = namedParts.map(({ name }) => name)
    publish(replaceSections(readReport(publishedStem), report, names))
  }
}

const publishedStem = join(import.meta.dir, "results")

function publish(report: Report): void {
  write(publishedStem, report)
  Bun.spawnSync(["npx", "biome", "format", "--write", `${publishedStem}.json`])
}

function readReport(stem: string): Report {
  const { measuredAt, ...report } = JSON.parse(readFileSync(`${stem}.json`, "utf8"))
  return { ...report, measuredAt: new Date(measuredAt) }
}

/** The parts of a run that was cut off. Other programs, commits and sizes do not mix. */
function readEarlier({ machine, program, command }: Omit<Report, "measuredAt">): Section[] {
  const stem = join(dataFolder, "last")
  if (!existsSync(`${stem}.json`)) return []
  const last = readReport(stem)
  const isSame = Bun.deepEquals(
    [last.machine, last.program, last.command],
    [machine, program, command],
  )
  return isSame ? [...last.sections] : []
}

function write(stem: string, report: Report): void {
  writeFileSync(`${stem}.md`, renderMarkdown(report))
  writeFileSync(`${stem}.json`, renderJson(report))
  say(`  written to ${stem}.md`)
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    killAll()
    process.exit(130)
  })
}
try {
  const options = readOptions(
    args,
    namedParts.map(({ name }) => name),
  )
  if (options === "help") console.log(usage)
  else await measure(options)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${usage}`)
  process.exitCode = 2
}
process.exit()

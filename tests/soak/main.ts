/** `npm run soak -- NAME [COUNT [SEED]]`: longer forms of tests, on both databases. CONTRIBUTING.md lists them. */
import { killBackups } from "../harness/faults/backup-kills.ts"
import { killPulls, killRotations } from "../harness/faults/command-kills.ts"
import { killImports } from "../harness/faults/import-kills.ts"
import { killMoves } from "../harness/faults/move-kills.ts"
import { runRequestStorm } from "../harness/faults/request-storm.ts"
import { killServers } from "../harness/faults/server-kills.ts"
import { raceForSlots } from "../harness/faults/site-race.ts"
import { killSenders } from "../harness/faults/webhook-kills.ts"
import { type StoreKind, storeKinds } from "../harness/stores/test-stores.ts"

type Options = Readonly<{ kills: number; seed: number; onKill(): void }>
type OptionsOn = Options & Readonly<{ kind: StoreKind }>
/** Every count must be more than 0: a soak in which nothing happened proves nothing. */
type Outcome = Readonly<{ problems: readonly string[] }> & Readonly<Record<string, unknown>>

const [lines, racesEachKill] = [20_000, 20]

async function soakImports(options: OptionsOn): Promise<Outcome> {
  const kills = await killImports({ ...options, lines })
  const wrong = kills.filter(({ found, expected }) => !Bun.deepEquals(found, expected))
  const midway = kills.filter(({ line }) => line > 0 && line < lines).length
  return { midway, problems: wrong.map((kill) => JSON.stringify(kill)) }
}

async function soakMoves(options: Options): Promise<Outcome> {
  const all = await killMoves({ ...options, kind: "sqlite", lines })
  const midway = all.filter(({ isMidway }) => isMidway).length
  return { midway, problems: all.flatMap(({ problem }) => problem ?? []) }
}

async function soakRequests({ kills: requests, seed, onKill }: Options): Promise<Outcome> {
  const { statuses, findings, logged } = await runRequestStorm({
    requests,
    seed,
    onRequests: onKill,
  })
  const problems = findings.map((finding) => JSON.stringify(finding))
  return { statuses: statuses.size, problems: logged === "" ? problems : [...problems, logged] }
}

const soakSites = ({ kills: rounds, onKill, kind }: OptionsOn): Promise<Outcome> =>
  raceForSlots({ kind, rounds, roundsEachKill: racesEachKill, onRound: onKill })

const onBoth: Readonly<Record<string, (options: OptionsOn) => Promise<Outcome>>> = {
  import: soakImports,
  pull: killPulls,
  reseal: killRotations,
  server: killServers,
  sites: soakSites,
  webhooks: killSenders,
}
const once: Readonly<Record<string, (options: Options) => Promise<Outcome>>> = {
  backup: killBackups,
  move: soakMoves,
  requests: soakRequests,
}

const [name = "", count = name === "requests" ? "1000000" : "200", seed = "20240427"] =
  process.argv.slice(2)
const [kills, every] = [Number(count), Math.ceil(Number(count) / 10)]

function optionsOf(): Options {
  let done = 0
  const onKill = () => {
    done += 1
    if (done % every === 0) console.log(`${done}/${kills}`)
  }
  return { kills, seed: Number(seed), onKill }
}

const [each, alone] = [onBoth[name], once[name]]
const runs =
  each !== undefined
    ? storeKinds.map((kind) => [kind.name, () => each({ ...optionsOf(), kind })] as const)
    : alone !== undefined
      ? [["once", () => alone(optionsOf())] as const]
      : []
if (runs.length === 0) {
  const names = [...Object.keys(onBoth), ...Object.keys(once)].toSorted()
  console.error(`Usage: npm run soak -- NAME [COUNT [SEED]], one of: ${names.join(" ")}`)
  process.exit(2)
}
for (const [where, run] of runs) {
  console.log(`${name}, ${where}: ${kills}, seed ${seed}`)
  const { problems, ...counts } = await run()
  for (const problem of problems.slice(0, 20)) console.log(problem)
  console.log(`${JSON.stringify(counts)}; ${problems.length} problems`)
  if (problems.length > 0 || Object.values(counts).includes(0)) process.exitCode = 1
}
process.exit()

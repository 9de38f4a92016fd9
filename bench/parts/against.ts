/** This checkout against another one of the repository: how the ratios in the changelog are found. */
import { startPazar } from "../contenders/pazar.ts"
import type { Workload } from "../load/load.ts"
import {
  accountWorkload,
  itemWorkload,
  listWorkload,
  validationWorkload,
} from "../load/workloads.ts"
import { describeRevision, ownProgram, programAt, revisionOf } from "../processes/program.ts"
import { type Laps, race } from "../report/race.ts"
import { type Finding, finding } from "../report/report.ts"
import { median, ratios, spreadOf } from "../report/statistics.ts"
import { prepareSqliteStore, type Store } from "../stores/stores.ts"
import { listSettleMs, marketOf, type Part } from "./part.ts"

/** One start of two equal servers differs from the next by up to 3 %. */
const starts = 3
const connections = 32

type Operation = Readonly<{ name: string; load(store: Store): Workload; settleMs?: number }>

const operations: readonly Operation[] = [
  { name: "validation", load: validationWorkload },
  { name: "item", load: itemWorkload },
  { name: "account", load: accountWorkload },
  { name: "list of 1,000 items", load: listWorkload, settleMs: listSettleMs },
]

type Raced = Readonly<{ name: string; own: Laps; others: Laps }>

export const against: Part = {
  name: "against",
  title: "This checkout against another",
  async run({ options, cores, rounds, sqliteStore, say }) {
    const program = programAt(options.other ?? "")
    const market = marketOf(options.purchases)
    const ownStore = await sqliteStore(market)
    const otherStore = await prepareSqliteStore(market, say, program)
    const raced: Raced[] = []
    for (let start = 1; start <= starts; start += 1) {
      const ours = await startPazar(ownStore, cores.server)
      const theirs = await startPazar(otherStore, cores.server)
      try {
        for (const { name, load, settleMs = rounds.settleMs } of operations) {
          say(`  ${name}, start ${start} of ${starts}`)
          const label = (which: string) => ({ name: `${which}: ${name}, start ${start}` })
          const [own, others] = await race(
            [
              { contender: { ...ours, ...label("this") }, workload: load(ownStore) },
              { contender: { ...theirs, ...label("other") }, workload: load(otherStore) },
            ],
            { ...rounds, connections, settleMs },
          )
          raced.push({ name, own, others })
        }
      } finally {
        await Promise.all([ours.stop(), theirs.stop()])
      }
    }
    return {
      findings: operations.map(({ name }) =>
        compare(
          name,
          raced.filter((each) => each.name === name),
        ),
      ),
      laps: raced.flatMap(({ own, others }) => [own, others]),
      notes: [
        `This is ${describeRevision(revisionOf(ownProgram))}; the other is ${describeRevision(revisionOf(program))}.`,
        `20 keys, ${connections} connections, one core, ${starts} starts of both servers, each on a store that it filled itself.`,
      ],
    }
  },
}

function compare(name: string, raced: readonly Raced[]): Finding {
  const byStart = raced.map(({ own, others }) => ratios(own.cpuMicros, others.cpuMicros))
  const micros = (laps: readonly Laps[]) =>
    median(laps.flatMap(({ cpuMicros }) => cpuMicros)).toFixed(1)
  const [own, others] = [
    micros(raced.map((each) => each.own)),
    micros(raced.map((each) => each.others)),
  ]
  return finding(
    `CPU of this checkout against the other, ${name}`,
    { atMost: 1.03 },
    "×",
    spreadOf(byStart.flat()),
    `${own} against ${others} µs; by start ${byStart.map((each) => median(each).toFixed(2)).join(", ")}`,
  )
}

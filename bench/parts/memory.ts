import { startPazar } from "../contenders/pazar.ts"
import { startPacedLoad } from "../load/paced-load.ts"
import {
  accountWorkload,
  itemWorkload,
  listWorkload,
  mixWorkloads,
  unknownCodeWorkload,
  validationWorkload,
} from "../load/workloads.ts"
import { privateBytesOf } from "../processes/processes.ts"
import { finding } from "../report/report.ts"
import { median } from "../report/statistics.ts"
import { marketOf, type Part } from "./part.ts"

const restMs = 5_000
const ratePerSecond = 2_000
const settledMinute = 5
const megabyte = 1024 * 1024

export const memory: Part = {
  name: "memory",
  title: "Memory",
  async run({ options, cores, sqliteStore, say }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = mixWorkloads([
      [validationWorkload(store), 140],
      [itemWorkload(store), 40],
      [accountWorkload(store), 12],
      [unknownCodeWorkload(store), 7],
      [listWorkload(store), 1],
    ])
    const pazar = await startPazar(store, cores.server)
    const megabytes = () => privateBytesOf(pazar.pids()) / megabyte
    try {
      await Bun.sleep(restMs)
      const atRest = megabytes()
      const { connections } = options
      const load = await startPacedLoad({
        port: pazar.port,
        workload,
        connections,
        ratePerSecond,
      })
      const minutes: number[] = []
      for (let minute = 1; minute <= options.minutes; minute += 1) {
        minutes.push(await medianOfMinute(load.run, megabytes))
        load.takeLatenciesMs()
        say(`  minute ${minute}: ${minutes.at(-1)?.toFixed(1)} MB`)
      }
      load.stop()
      const settled = minutes[settledMinute - 1]
      const last = minutes.at(-1)
      const isLongEnough =
        settled !== undefined && last !== undefined && minutes.length > settledMinute
      return {
        findings: [
          finding("private memory of one node at rest", { atMost: 80 }, "MB", atRest),
          finding(
            `private memory after ${options.minutes} minutes of mixed load, against minute ${settledMinute}`,
            { atMost: 1.2 },
            "×",
            isLongEnough ? last / settled : null,
            `by minute, in MB: ${minutes.map((value) => value.toFixed(0)).join(", ")}`,
          ),
        ],
        notes: [
          `${ratePerSecond} requests a second: 70 % validations, 20 % items, 6 % accounts, 3.5 % unknown codes, 0.5 % lists of 1,000 items.`,
        ],
      }
    } finally {
      await pazar.stop()
    }
  },
}

async function medianOfMinute(
  run: (ms: number) => Promise<void>,
  megabytes: () => number,
): Promise<number> {
  const samples: number[] = []
  for (let second = 0; second < 60; second += 1) {
    await run(1_000)
    samples.push(megabytes())
  }
  return median(samples)
}

import { startPazar } from "../contenders/pazar.ts"
import { startPacedLoad } from "../load/paced-load.ts"
import {
  accountWorkload,
  itemWorkload,
  listWorkload,
  mixWorkloads,
  validationWorkload,
} from "../load/workloads.ts"
import { memoryOf } from "../processes.ts"
import { median } from "../statistics.ts"
import { marketOf, type Part } from "./part.ts"

const restMs = 5_000
const ratePerSecond = 2_000

export const memory: Part = {
  name: "memory",
  async run({ purchases, cores, isQuick, sqliteStore }) {
    const store = await sqliteStore(marketOf(purchases))
    const workload = mixWorkloads([
      [validationWorkload(store), 140],
      [itemWorkload(store), 40],
      [accountWorkload(store), 19],
      [listWorkload(store), 1],
    ])
    const pazar = await startPazar(store, cores.server)
    const measure = () => memoryOf(pazar.pids())
    try {
      await Bun.sleep(restMs)
      const atRest = measure()
      const load = await startPacedLoad({ port: pazar.port, workload, ratePerSecond })
      const seconds: number[] = []
      while (seconds.length < (isQuick ? 20 : 240)) {
        await load.measureP99(Bun.sleep(1_000))
        seconds.push(measure().private)
      }
      const { resident } = measure()
      load.stop()
      const half = seconds.length / 2
      const [early, late] = [
        median(seconds.slice(half / 2, half)),
        median(seconds.slice(-half / 2)),
      ]
      return [
        {
          what: "private memory, idle",
          measured: atRest.private,
          unit: "MB",
          note: `\`ps\`: ${atRest.resident.toFixed(0)} MB`,
        },
        {
          what: `private memory after ${seconds.length} s at ${ratePerSecond} requests/s`,
          measured: late,
          unit: "MB",
          note: `${early.toFixed(0)} MB in the second quarter; \`ps\` with the mapped database: ${resident.toFixed(0)} MB`,
        },
      ]
    } finally {
      await pazar.stop()
    }
  },
}

import { openPool, type Workload } from "../load/load.ts"
import { validationWorkload } from "../load/workloads.ts"
import { pickFreePort, spawnPinned, stopProcess } from "../processes/processes.ts"
import { environment, pazarCommand } from "../processes/program.ts"
import { finding } from "../report/report.ts"
import { spreadOf } from "../report/statistics.ts"
import { marketOf, type Part } from "./part.ts"

const rounds = 11

export const start: Part = {
  name: "start",
  title: "Starting",
  async run({ options, cores, sqliteStore }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const tries: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const port = pickFreePort()
      const startedAt = performance.now()
      const child = spawnPinned(
        cores.others,
        [...pazarCommand, "serve"],
        environment({ ...store.settings, PORT: String(port) }),
      )
      await firstAnswer(port, workload)
      tries.push(performance.now() - startedAt)
      await stopProcess(child)
    }
    const what = `start to the first answer, ${options.purchases} purchases`
    return {
      findings: [finding(what, { atMost: 300 }, "ms", spreadOf(tries))],
      laps: [],
      notes: ["From `pazar serve`, Node's start included, to the first validation answered."],
    }
  },
}

async function firstAnswer(port: number, workload: Workload): Promise<void> {
  for (;;) {
    try {
      const answered = Promise.withResolvers<void>()
      const pool = await openPool(port, 1, workload, () => answered.resolve(), answered.reject)
      for (const connection of pool.connections) pool.send(connection, performance.now())
      await answered.promise
      pool.close()
      return
    } catch (error) {
      const isNotListening =
        error instanceof Error && "code" in error && error.code === "ECONNREFUSED"
      if (!isNotListening) throw error
      await Bun.sleep(2)
    }
  }
}

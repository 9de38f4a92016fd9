/** A list of 100,000 items sent to a slow reader, and its effect on other requests. */

import { captureAnswer } from "../contenders/limit.ts"
import { startPazar } from "../contenders/pazar.ts"
import { WrongAnswer } from "../load/load.ts"
import { type PacedLoad, startPacedLoad } from "../load/paced-load.ts"
import { listWorkload, paths, validationWorkload } from "../load/workloads.ts"
import { privateBytesOf, spawnPinned, stopProcess } from "../processes/processes.ts"
import { environment } from "../processes/program.ts"
import { finding } from "../report/report.ts"
import { quantile, ratios, spreadOf } from "../report/statistics.ts"
import type { Part } from "./part.ts"

const market = { accounts: 1, items: 100_000, purchases: 10_000, seed: 1 }
const ratePerSecond = 500
/** Until the validations themselves take no more memory. */
const settleMs = 20_000
const roundMs = 4_000
const rounds = 5
const sampleEveryMs = 50
const megabyte = 1024 * 1024

export const longList: Part = {
  name: "long-list",
  title: "Listing 100,000 items",
  async run({ cores, options, sqliteStore }) {
    const store = await sqliteStore(market)
    const workload = validationWorkload(store)
    const pazar = await startPazar(store, cores.server)
    const { port } = pazar
    const { connections } = options
    const load = await startPacedLoad({ port, workload, connections, ratePerSecond })
    const url = `http://127.0.0.1:${port}${paths.list}?api_key=${store.keys[0]}`
    // One after the other at a low priority: it uses what the generator leaves of its core.
    const read = ["nice", "-n", "19", "curl", "-sf", "-o", "/dev/null", `${url}&turn=[1-1000000]`]
    const [alone, meanwhile]: [number[], number[]] = [[], []]
    let [withoutBytes, peakBytes] = [0, 0]
    try {
      await load.run(settleMs)
      withoutBytes = await peakWhile(load, pazar.pids())
      for (let round = 0; round < rounds; round += 1) {
        alone.push(await load.measureP99(roundMs))
        const reader = spawnPinned(cores.load, read, environment({}))
        peakBytes = Math.max(peakBytes, await peakWhile(load, pazar.pids()))
        meanwhile.push(quantile(load.takeLatenciesMs(), 0.99))
        if (reader.exitCode !== null) throw new Error("the list could not be read")
        await stopProcess(reader)
      }
      const { body } = await captureAnswer(port, listWorkload(store))
      if (body !== listWorkload(store).body(0)) throw new WrongAnswer("the long list is not right")
    } finally {
      load.stop()
      await pazar.stop()
    }
    const added = (peakBytes - withoutBytes) / megabyte
    return {
      findings: [
        finding("list of 100,000 items, private memory it adds", { atMost: 32 }, "MB", added),
        finding(
          "list of 100,000 items, p99 of validations meanwhile against without",
          { atMost: 3 },
          "×",
          spreadOf(ratios(meanwhile, alone)),
          `p99 ${quantile(alone, 0.5).toFixed(2)} ms without, ${quantile(meanwhile, 0.5).toFixed(2)} ms meanwhile`,
        ),
      ],
      notes: [
        `One reader, one list after the other, and ${ratePerSecond} validations a second beside it.`,
      ],
    }
  },
}

async function peakWhile(load: PacedLoad, pids: readonly number[]): Promise<number> {
  let peak = 0
  for (let ms = 0; ms < roundMs; ms += sampleEveryMs) {
    await load.run(sampleEveryMs)
    peak = Math.max(peak, privateBytesOf(pids))
  }
  return peak
}

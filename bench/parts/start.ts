import { runOptions } from "../../bin/bun.mjs"
import { openPool, type Workload } from "../load/load.ts"
import { validationWorkload } from "../load/workloads.ts"
import {
  type Cores,
  pickFreePort,
  pinned,
  spawnPinned,
  stopProcess,
} from "../processes/processes.ts"
import { environment, ownProgram } from "../processes/program.ts"
import { type Finding, finding } from "../report/report.ts"
import { median, shuffle, spreadOf } from "../report/statistics.ts"
import { marketOf, type Part } from "./part.ts"

const serveRounds = 11
const commandRounds = 21

export const start: Part = {
  name: "start",
  title: "Starting",
  async run({ options, cores, sqliteStore }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const tries: number[] = []
    for (let round = 0; round < serveRounds; round += 1) {
      const port = pickFreePort()
      const startedAt = performance.now()
      const child = spawnPinned(
        cores.others,
        [...ownProgram.command, "serve"],
        environment({ ...store.settings, PORT: String(port) }),
      )
      await firstAnswer(port, workload)
      tries.push(performance.now() - startedAt)
      await stopProcess(child)
    }
    const what = `start to the first answer, ${options.purchases} purchases`
    const target = {
      atMost: 200,
      because:
        "49 ms are Node's, 28 the runtime's and the command line's, 82 for 259 modules that are read and transpiled at every start, 14 the store's, 13 the listener's, and 18 the first answer's (bench/notes/start.md)",
    }
    return {
      findings: [
        finding(what, target, "ms", spreadOf(tries)),
        await timeCommand("version", cores.others),
        await timeCommand("help", cores.others),
      ],
      notes: [
        "The first answer is that to a validation, and its time includes the start of Node, as with `npx pazar serve`.",
        "`version` and `help` are timed as the program alone and through Node in the same rounds.",
      ],
    }
  },
}

async function timeCommand(name: string, cores: Cores): Promise<Finding> {
  const ways = [
    { command: [process.execPath, ...runOptions, name], times: [] as number[] },
    { command: [...ownProgram.command, name], times: [] as number[] },
  ] as const
  for (let round = 0; round < commandRounds; round += 1) {
    for (const { command, times } of shuffle(ways, Math.random)) {
      const startedAt = performance.now()
      const child = Bun.spawn(pinned(cores, command), { env: environment({}), stdout: "ignore" })
      if ((await child.exited) !== 0) throw new Error(`failed: ${command.join(" ")}`)
      times.push(performance.now() - startedAt)
    }
  }
  const [alone, throughNode] = ways
  const [own, whole] = [median(alone.times), median(throughNode.times)]
  return finding(
    `\`pazar ${name}\`, without Node`,
    { atMost: 40 },
    "ms",
    spreadOf(alone.times),
    `through Node ${whole.toFixed(0)} ms: Node's share is ${(whole - own).toFixed(0)} ms`,
  )
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
      // The server takes the port for a moment to see that it is free, and then resets who came to it.
      const isNotListening =
        error instanceof Error &&
        "code" in error &&
        (error.code === "ECONNREFUSED" || error.code === "ECONNRESET")
      if (!isNotListening) throw error
      await Bun.sleep(2)
    }
  }
}

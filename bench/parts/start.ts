import { runOptions } from "../../bin/bun.mjs"
import { openPool, type Workload } from "../load/load.ts"
import { validationWorkload } from "../load/workloads.ts"
import { pickFreePort, pinned, spawnPinned, stopProcess } from "../processes/processes.ts"
import { environment, ownProgram } from "../processes/program.ts"
import { type Finding, finding, type Target } from "../report/report.ts"
import { median, shuffle, spreadOf } from "../report/statistics.ts"
import { marketOf, type Part } from "./part.ts"

const serveRounds = 11
const commandRounds = 21

const serveTarget = {
  atMost: 150,
  because:
    "with marks in the program, 19 ms were the runtime's, 9 the command line's, 82 for 259 modules that are read and transpiled at every start, 14 the store's, 13 the listener's, and 18 the first answer's (bench/notes/start.md)",
}

export const start: Part = {
  name: "start",
  title: "Starting",
  async run({ options, cores, sqliteStore }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const serve = async (command: readonly string[]) => {
      const port = pickFreePort()
      const settings = environment({ ...store.settings, PORT: String(port) })
      const startedAt = performance.now()
      const child = spawnPinned(cores.others, command, settings)
      await firstAnswer(port, workload)
      const ms = performance.now() - startedAt
      await stopProcess(child)
      return ms
    }
    const run = async (command: readonly string[]) => {
      const startedAt = performance.now()
      const child = Bun.spawn(pinned(cores.others, command), {
        env: environment({}),
        stdout: "ignore",
      })
      if ((await child.exited) !== 0) throw new Error(`failed: ${command.join(" ")}`)
      return performance.now() - startedAt
    }
    const what = `start to the first answer, ${options.purchases} purchases`
    return {
      findings: [
        await compare({ what, name: "serve", rounds: serveRounds, target: serveTarget }, serve),
        await compare({ ...shortCommand, what: "`pazar version`", name: "version" }, run),
        await compare({ ...shortCommand, what: "`pazar help`", name: "help" }, run),
      ],
      notes: [
        "The first answer is that to a validation.",
        "Each is timed as the program alone, as the executable starts it, and through Node, as `npx pazar` does, in the same rounds.",
      ],
    }
  },
}

const shortCommand = { rounds: commandRounds, target: { atMost: 40 } }

type Comparison = Readonly<{ what: string; name: string; rounds: number; target: Target }>

async function compare(
  { what, name, rounds, target }: Comparison,
  time: (command: readonly string[]) => Promise<number>,
): Promise<Finding> {
  const ways = [
    { command: [process.execPath, ...runOptions, name], times: [] as number[] },
    { command: [...ownProgram.command, name], times: [] as number[] },
  ] as const
  for (let round = 0; round < rounds; round += 1) {
    for (const { command, times } of shuffle(ways, Math.random)) times.push(await time(command))
  }
  const [alone, throughNode] = ways
  const [own, whole] = [median(alone.times), median(throughNode.times)]
  return finding(
    `${what}, without Node`,
    target,
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

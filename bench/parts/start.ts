import { runOptions } from "../../bin/bun.mjs"
import { openPool, type Workload } from "../load/load.ts"
import { validationWorkload } from "../load/workloads.ts"
import { pickFreePort, pinned, spawnPinned, stopProcess } from "../processes.ts"
import { environment, ownProgram } from "../program.ts"
import type { Row } from "../report.ts"
import { median, shuffle, spreadOf } from "../statistics.ts"
import { marketOf, type Part } from "./part.ts"

export const start: Part = {
  name: "start",
  async run({ purchases, isQuick, cores, sqliteStore }) {
    const store = await sqliteStore(marketOf(purchases))
    const workload = validationWorkload(store)
    const serve = async (command: readonly string[]) => {
      const port = pickFreePort()
      const settings = environment({ ...store.settings, PORT: String(port) })
      const startedAt = performance.now()
      const child = spawnPinned(cores.others, command, settings)
      await firstResponse(port, workload)
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
    return [
      await compare("`pazar serve` to first response", "serve", isQuick ? 3 : 11, serve),
      await compare("`pazar version`", "version", isQuick ? 3 : 21, run),
    ]
  },
}

/** Starts the server directly, as the executable does, and through Node, as `npx pazar` does. */
async function compare(
  what: string,
  name: string,
  rounds: number,
  time: (command: readonly string[]) => Promise<number>,
): Promise<Row> {
  const alone = { command: [process.execPath, ...runOptions, name], times: [] as number[] }
  const throughNode = { command: [...ownProgram.command, name], times: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    for (const { command, times } of shuffle([alone, throughNode], Math.random)) {
      times.push(await time(command))
    }
  }
  const note = `Node: ${median(throughNode.times).toFixed(0)} ms`
  return { what, measured: spreadOf(alone.times), unit: "ms", note }
}

async function firstResponse(port: number, workload: Workload): Promise<void> {
  for (;;) {
    try {
      const received = Promise.withResolvers<void>()
      const pool = await openPool(port, 1, workload, () => received.resolve(), received.reject)
      for (const connection of pool.connections) pool.send(connection, performance.now())
      await received.promise
      pool.close()
      return
    } catch (error) {
      // The server binds the port briefly to check that it is free, and resets connections made during that check.
      const isNotListening =
        error instanceof Error &&
        "code" in error &&
        (error.code === "ECONNREFUSED" || error.code === "ECONNRESET")
      if (!isNotListening) throw error
      await Bun.sleep(2)
    }
  }
}

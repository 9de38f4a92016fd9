import { join } from "node:path"
import { openPool, UnexpectedResponse, type Workload } from "../load/load.ts"
import { validationWorkload } from "../load/workloads.ts"
import { listTree, pickFreePort, pinned, spawnPinned } from "../processes.ts"
import { dataFolder, environment, ownProgram } from "../program.ts"
import type { Row } from "../report.ts"
import { shuffle, spreadOf } from "../statistics.ts"
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
      // As Ctrl+C does: npx does not forward SIGINT.
      for (const pid of listTree(child.pid)) process.kill(pid, "SIGINT")
      await child.exited
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
    const ways = await prepareWays()
    return [
      ...(await compare("serve", "first response", isQuick ? 3 : 11, ways, serve)),
      ...(await compare("version", "exit", isQuick ? 3 : 21, ways, run)),
    ]
  },
}

type Ways = Readonly<Record<string, readonly string[]>>

/** How users start the program, as on the first run after an installation. */
async function prepareWays(): Promise<Ways> {
  const target = `linux-${process.arch}`
  const folder = join(dataFolder, "executable")
  const build = [process.execPath, join(ownProgram.root, "scripts/build.ts"), "--out", folder]
  await Bun.$`${build} ${target}`.quiet()
  return {
    executable: [join(folder, `pazar-${target}`)],
    "node bin/pazar.mjs": ownProgram.command,
    npx: ["npx", "--prefix", ownProgram.root, "pazar"],
  }
}

async function compare(
  command: string,
  end: string,
  rounds: number,
  ways: Ways,
  time: (command: readonly string[]) => Promise<number>,
): Promise<readonly Row[]> {
  const timed = Object.entries(ways).map(([name, start]) => {
    return { name, start, times: [] as number[] }
  })
  for (let round = 0; round < rounds; round += 1) {
    for (const { start, times } of shuffle(timed, Math.random)) {
      times.push(await time([...start, command]))
    }
  }
  return timed.map(({ name, times }) => ({
    what: `\`${command}\` to ${end}: ${name}`,
    measured: spreadOf(times),
    unit: "ms",
    note: "",
  }))
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
      // The server binds the port briefly to check that it is free, and closes connections made during that check.
      if (error instanceof UnexpectedResponse) throw error
      await Bun.sleep(2)
    }
  }
}

/** Validations while an operator and two authors each open a page every second, against without them. */
import { join } from "node:path"
import { startPazar } from "../contenders/pazar.ts"
import { startPacedLoad } from "../load/paced-load.ts"
import { validationWorkload } from "../load/workloads.ts"
import { endWithUs, pinned, preferUs } from "../processes/processes.ts"
import { environment } from "../processes/program.ts"
import { type Finding, finding } from "../report/report.ts"
import { median, ratios, spreadOf } from "../report/statistics.ts"
import { onPageStores, type PageStore } from "../stores/page-stores.ts"
import type { Context, Part } from "./part.ts"

const ratePerSecond = 500
const windowMs = 10_000
/** On each store: five minutes for both. */
const usualRounds = 6

export const besidePages: Part = {
  name: "beside-pages",
  title: "Validating while people look at pages",
  async run(context) {
    const findings = await onPageStores(context, (on) => measureBeside(context, on))
    return { findings, notes: [`${ratePerSecond} validations a second.`] }
  },
}

async function measureBeside(context: Context, on: PageStore): Promise<Finding> {
  const { cores, options } = context
  const server = await startPazar(on.store, cores.server)
  const walkers = startWalkers(context)
  const endPreference = preferUs()
  try {
    await walkers.tell(JSON.stringify({ url: `http://127.0.0.1:${server.port}`, on }))
    const load = await startPacedLoad({
      port: server.port,
      workload: validationWorkload(on.store),
      connections: options.connections,
      ratePerSecond,
    })
    const [alone, beside]: [number[], number[]] = [[], []]
    await load.run(windowMs)
    for (let round = 0; round < (options.rounds ?? usualRounds); round += 1) {
      alone.push(await load.measureP99(windowMs))
      await walkers.tell("walk")
      beside.push(await load.measureP99(windowMs))
      await walkers.tell("rest")
    }
    load.stop()
    return finding(
      `validation p99 beside pages on ${on.kind}, against without`,
      { atMost: 1.2 },
      "×",
      spreadOf(ratios(beside, alone)),
      `p99 ${median(alone).toFixed(2)} ms without, ${median(beside).toFixed(2)} ms beside`,
    )
  } finally {
    endPreference?.()
    walkers.stop()
    await server.stop()
  }
}

function startWalkers({ cores }: Context) {
  const script = join(import.meta.dir, "../load/walk-pages.ts")
  const child = Bun.spawn(pinned(cores.load, [process.execPath, script]), {
    env: environment({}),
    stdin: "pipe",
    stderr: "inherit",
  })
  child.exited.then(endWithUs(() => child.kill("SIGTERM")))
  const answers = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  return {
    /** Until the line was carried out. */
    async tell(line: string): Promise<void> {
      child.stdin.write(`${line}\n`)
      child.stdin.flush()
      if ((await answers.read()).done) throw new Error("nobody looks at pages any more")
    },
    stop: () => child.kill("SIGTERM"),
  }
}

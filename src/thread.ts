/** The edge of a thread: a listener of its own on the address that all threads share. */
import { parentPort, workerData } from "node:worker_threads"
import { createSteadyClock } from "./domain/steady-clock.ts"
import { openLoadShedding } from "./load-shedding.ts"
import { createLog } from "./log.ts"
import { machineClocks } from "./machine-clocks.ts"
import { openServerApp } from "./server-app.ts"
import type { FromThread, ThreadOptions, ToThread } from "./threads.ts"

const tell = (message: FromThread) => parentPort?.postMessage(message)

async function run({ config, memory, thread, clockAheadMs }: ThreadOptions): Promise<void> {
  const log = createLog(config.logLevel, (text) => tell({ kind: "log", text }))
  const { now } = createSteadyClock(machineClocks, clockAheadMs)
  const app = await openServerApp(config, now)
  const listener = app.listen(log, {
    ...{ watchesStore: false, memory, thread, openAdmission: openLoadShedding },
  })

  async function obey(order: ToThread): Promise<void> {
    if (order === "retire") await listener.retire()
    else {
      await listener.close()
      await app.close()
      log.close()
    }
    tell({ kind: "done", order })
  }
  parentPort?.on("message", obey)
  tell({ kind: "listening" })
}

// An error here ends the thread; the main thread logs it and starts another.
void run(workerData)

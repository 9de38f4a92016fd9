/** The edge of a thread: a listener of its own on the address that all threads share. */
import { parentPort, workerData } from "node:worker_threads"
import { createSteadyClock } from "./domain/steady-clock.ts"
import { createSharedClock } from "./limits/shared-clock.ts"
import { openLoadShedding } from "./load-shedding.ts"
import { createLog } from "./log.ts"
import { machineClocks } from "./machine-clocks.ts"
import { openServerApp } from "./server-app.ts"
import type { FromThread, Order, ThreadOptions, ToThread } from "./threads.ts"

const tell = (message: FromThread) => parentPort?.postMessage(message)

/** The time of this thread begins with it, so the main thread is asked for its own. */
function askClock(): Promise<number> {
  return new Promise((resolve) => {
    parentPort?.once("message", (message: ToThread) => {
      if (typeof message === "object") resolve(message.nowMs)
    })
    tell({ kind: "clock" })
  })
}

async function run(options: ThreadOptions): Promise<void> {
  const { config, memory, limits, thread, clockAheadMs } = options
  const log = createLog(config.logLevel, (text) => tell({ kind: "log", text }))
  const { now } = createSteadyClock(machineClocks, clockAheadMs)
  const nowMs = await createSharedClock(askClock)
  const app = await openServerApp(config, now)
  const listener = app.listen(log, {
    ...{ watchesStore: false, memory, thread, openAdmission: openLoadShedding },
    ...{ limits, nowMs },
  })

  async function obey(order: Order): Promise<void> {
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

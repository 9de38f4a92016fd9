/** Once a minute, one line for each route and reason: how many calls were refused. */
import type { Every } from "../domain/every.ts"
import type { Log } from "../log.ts"

export type RefusalLog = Readonly<{
  count(route: string, reason: string): void
  /** Writes the counts of the minute that has begun. */
  close(): void
}>

const writeEveryMs = 60_000

/** Routes and reasons are constants, so the counts stay few. */
export function openRefusalLog(log: Log, every: Every): RefusalLog {
  const routes = new Map<string, Map<string, number>>()

  function write(): void {
    for (const [route, reasons] of routes) {
      for (const [reason, count] of reasons) log.info("refused calls", { route, reason, count })
    }
    routes.clear()
  }
  const stopTimer = every(writeEveryMs, write)
  return {
    count(route, reason) {
      const reasons = routes.get(route) ?? new Map<string, number>()
      if (reasons.size === 0) routes.set(route, reasons)
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    },
    close() {
      stopTimer()
      write()
    },
  }
}

/** Once a minute, one line for each route and reason: how many calls were refused. */

import { outcomeGroup } from "../../domain/usage/usage.ts"
import type { Every } from "../../domain/values/time/every.ts"
import type { Log } from "../../log/log.ts"
import { watchTraffic } from "../../usage/traffic-growth.ts"

const writeEveryMs = 60_000

/** `row` is that of this thread in the metrics. Returns a function that writes the rest and ends it. */
export function openRefusalLog(
  log: Pick<Log, "info">,
  row: Float64Array,
  every: Every,
): () => void {
  const takeTraffic = watchTraffic(row)
  function write(): void {
    for (const { kind, operation: route, detail: reason, count } of takeTraffic()) {
      const isRefused = kind === "request" && outcomeGroup(reason) === "refused"
      if (isRefused) log.info("refused calls", { route, reason, count })
    }
  }
  const stopTimer = every(writeEveryMs, write)
  return () => {
    stopTimer()
    write()
  }
}

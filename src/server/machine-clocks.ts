/** The clocks of this machine, and a log line when somebody sets the wall clock back. */
import type { Clocks, SteadyClock } from "../domain/running/steady-clock.ts"
import type { Every } from "../domain/values/time/timers.ts"
import type { Log } from "../log/log.ts"

export const machineClocks: Clocks = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}

const lookEveryMs = 10_000
/** Clocks that are kept in time by NTP are corrected by less. */
const toldFromMs = 1_000

/** Logs once for each time that the wall clock was set back. Returns the function that ends it. */
export function watchClock(
  { aheadMs }: Pick<SteadyClock, "aheadMs">,
  every: Every,
  log: Pick<Log, "info">,
): () => void {
  let toldMs = 0
  return every(lookEveryMs, () => {
    const ms = aheadMs()
    if (ms - toldMs > toldFromMs) {
      log.info("the clock was set back", { seconds: Math.round((ms - toldMs) / 1000) })
    }
    toldMs = ms
  })
}

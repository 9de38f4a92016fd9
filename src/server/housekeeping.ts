/**
 * Removes expired rows once a minute and thins usage once an hour, outside of any request. One thread
 * of each process does it; two processes on one store do not disturb each other.
 */
import type { Log } from "../log/log.ts"
import { type Forgetting, forgetExpired } from "../operations/running/forget-expired.ts"
import { type Thinning, thinUsage } from "../operations/running/thin-usage.ts"

export type Housekeeping = Readonly<{
  /** Resolves when the batch that is under way is done. */
  close(): Promise<void>
}>

const roundEveryMs = 60_000
const thinEveryRounds = 60
/** Far longer than a batch takes, so that requests get most of the thread. */
const pauseMs = 20

export function openHousekeeping(
  services: Omit<Forgetting & Thinning, "pause">,
  log: Log,
): Housekeeping {
  let isClosed = false
  let rounds = 0

  async function pause(): Promise<void> {
    await Bun.sleep(pauseMs)
    if (isClosed) throw new HousekeepingClosed()
  }
  async function round(): Promise<void> {
    const paused = { ...services, pause }
    try {
      await forgetExpired(paused)
      if (rounds % thinEveryRounds === 0) await thinUsage(paused)
      rounds += 1
    } catch (fault) {
      if (!(fault instanceof HousekeepingClosed)) {
        log.failure("expired rows could not be removed", fault)
      }
    }
  }
  let running = round()
  const timer = setInterval(() => {
    running = running.then(round)
  }, roundEveryMs)
  return {
    async close() {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}

class HousekeepingClosed extends Error {
  override name = "HousekeepingClosed"
}

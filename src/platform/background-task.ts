import type { Every } from "./timers.ts"

/** Work that runs beside requests, on one thread of each server. */
export type BackgroundTask = Readonly<{
  /** Resolves when the work in progress is complete. */
  close(): Promise<void>
}>

/** Runs `work`, which must not fail, now and every `everyMs`, one run after the other. */
export function repeat(every: Every, everyMs: number, work: () => Promise<void>): BackgroundTask {
  let running = work()
  const stopTimer = every(everyMs, () => {
    running = running.then(work)
  })
  return {
    close() {
      stopTimer()
      return running
    },
  }
}

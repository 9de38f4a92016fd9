import type { Awaitable } from "./awaitable.ts"

/** Runs work in the order of the calls. */
export type WorkQueue = <T>(work: () => Awaitable<T>) => Promise<T>

/**
 * At most `atOnce` pieces of work run at the same time. The next one waits for `rest`: if that is a turn of the
 * event loop, other requests are answered between two pieces, however many wait.
 */
export function createWorkQueue(atOnce: number, rest: () => Promise<void>): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  async function startNext(): Promise<void> {
    await rest()
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async (work) => {
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      void startNext()
    }
  }
}

/** Resolves after the other events of this turn of the event loop. */
export const untilNextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

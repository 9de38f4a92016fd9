import { DomainError } from "./error.ts"

export type WorkQueue = <T>(work: () => T | Promise<T>) => Promise<T>

/** `rest` runs between two tasks, so that other requests proceed. Throws `unavailable` if `queuedMax` are queued. */
export function createWorkQueue(
  atOnce: number,
  rest: () => Promise<void>,
  waitingMax = Number.POSITIVE_INFINITY,
): WorkQueue {
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
    else if (waiting.length < waitingMax) await new Promise<void>((start) => waiting.push(start))
    else throw new DomainError("unavailable")
    try {
      return await work()
    } finally {
      void startNext()
    }
  }
}

/** Resolves after the other events of this turn of the event loop. */
export const untilNextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

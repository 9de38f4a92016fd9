import { DomainError } from "./error.ts"

export type WorkQueue = <T>(work: () => T | Promise<T>) => Promise<T>

/** `rest` runs between two tasks, so that other requests proceed. Throws `unavailable` if `queuedMax` are queued. */
export function createWorkQueue(
  concurrency: number,
  rest: () => Promise<void>,
  queuedMax = Number.POSITIVE_INFINITY,
): WorkQueue {
  const queue: (() => void)[] = []
  let running = 0

  async function startNext(): Promise<void> {
    await rest()
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async (work) => {
    if (running < concurrency) running += 1
    else if (queue.length < queuedMax) await new Promise<void>((start) => queue.push(start))
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

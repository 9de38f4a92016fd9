import type { Awaitable } from "./awaitable.ts"

/** Runs the work when it is its turn, in the order of the calls. */
export type Turns = <T>(work: () => Awaitable<T>) => Promise<T>

/**
 * Only `atOnce` pieces of work run at the same time. `rest` is waited for after each: with a turn of the
 * event loop, that many pieces run in a turn, however many wait, and other requests come in between.
 */
export function createTurns(atOnce: number, rest: () => Promise<void>): Turns {
  const waiting: (() => void)[] = []
  let running = 0

  async function pass(): Promise<void> {
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
      void pass()
    }
  }
}

/** Until other events had their turn. */
export const untilNextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

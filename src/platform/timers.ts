import { DomainError, StoreUnavailable } from "./error.ts"

type WorkQueue = <T>(work: () => T | Promise<T>) => Promise<T>

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

/** Calls `work` every `ms` milliseconds until the returned function is called. */
export type Every = (ms: number, work: () => void) => () => void

export const every: Every = (ms, work) => {
  const timer = setInterval(work, ms)
  return () => clearInterval(timer)
}

export type Deadline = Readonly<{
  /** Throws StoreUnavailable after the deadline. The work continues. */
  within<T>(work: Promise<T>): Promise<T>
  end(): void
}>

const requestMsMax = 2_000

/**
 * How long a request waits for the database, whatever it waits for: a connection, a lock or a slow disk. One timer for
 * all steps of the request, which are awaited one after the other.
 */
export function openRequestDeadline(): Deadline {
  const tooLate = () =>
    new StoreUnavailable(`the database did not respond within ${requestMsMax / 1000} s`)
  let isLate = false
  let endStep = (_: Error) => {}
  const timer = setTimeout(() => {
    isLate = true
    endStep(tooLate())
  }, requestMsMax)
  return {
    within: (work) =>
      new Promise((resolve, reject) => {
        endStep = reject
        work.then(resolve, reject)
        if (isLate) reject(tooLate())
      }),
    end: () => clearTimeout(timer),
  }
}

/** Returns the result of `work`, or of `onTimeout` after `timeoutMs`. The work continues. */
export async function withTimeout<T, Late>(
  work: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Late | Promise<Late>,
): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  try {
    return await Promise.race([work, late.then(onTimeout)])
  } finally {
    clearTimeout(timer)
  }
}

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

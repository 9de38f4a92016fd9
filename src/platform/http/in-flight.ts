import { DomainError } from "../error.ts"

/** Requests in flight per thread. The limit bounds memory: a request takes about 20 KB, plus up to 64 KB for its body. */
export const requestsMax = 2_000
/** Pages need more database reads than API requests, so they get a smaller share. */
export const pagesMax = 200

export function createInFlight(): InFlight {
  let requests = 0
  let pages = 0
  function enter(): boolean {
    if (requests >= requestsMax) return false
    requests += 1
    return true
  }
  function leave(): void {
    requests -= 1
  }
  return {
    enter,
    leave,
    enterPage() {
      if (pages >= pagesMax || !enter()) return false
      pages += 1
      return true
    },
    leavePage() {
      pages -= 1
      leave()
    },
    async whilePaused(form) {
      pages -= 1
      requests -= 1
      try {
        return await form
      } finally {
        pages += 1
        requests += 1
      }
    },
    takeTurn: createTurns(),
    count: () => requests,
  }
}

/** A request is in flight after its body was read until its response is created, a file until its end. */
export interface InFlight {
  /** Returns false if too many are in flight: the request is rejected and must not `leave`. */
  enter(): boolean
  leave(): void
  /** Pages have a smaller limit. */
  enterPage(): boolean
  leavePage(): void
  /** Excludes the time in which a form arrives: a slow client must not block others. */
  whilePaused<T>(form: Promise<T>): Promise<T>
  /**
   * Waits until fewer than `runningMax` turns of this name are running. The returned function ends the turn. Throws
   * `unavailable` if the client is gone, too many wait, or the turn does not come within seconds.
   */
  takeTurn(name: string, runningMax: number, signal: AbortSignal): Promise<() => void>
  count(): number
}

/** For each name. More would take the places of other authors' pages. */
const waitingMax = 10
/** The idle timeout would close the connection without a response. */
const turnWaitMsMax = 5_000
/** After a turn, others have the thread for as long as the turn took, but no longer than this. */
const restMsMax = 250

export function createTurns(waitMsMax = turnWaitMsMax): InFlight["takeTurn"] {
  const turns = new Map<string, { running: number; waiting: Set<() => void> }>()

  return async (name, runningMax, signal) => {
    const turn = turns.get(name) ?? { running: 0, waiting: new Set() }
    const { waiting } = turn
    if (signal.aborted || waiting.size >= waitingMax) throw new DomainError("unavailable")
    turns.set(name, turn)
    if (turn.running >= runningMax) await waitIn(waiting, waitMsMax, signal)
    else turn.running += 1
    const startedMs = performance.now()
    let isRunning = true
    function startNext(): void {
      const [next] = waiting
      if (next !== undefined) next()
      else if (turn.running > 1) turn.running -= 1
      else turns.delete(name)
    }
    return () => {
      if (isRunning) setTimeout(startNext, Math.min(performance.now() - startedMs, restMsMax))
      isRunning = false
    }
  }
}

const waitIn = (waiting: Set<() => void>, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const begin = () => leave(resolve)
    const giveUp = () => leave(() => reject(new DomainError("unavailable")))
    const timer = setTimeout(giveUp, ms)
    function leave(settle: () => void): void {
      waiting.delete(begin)
      clearTimeout(timer)
      signal.removeEventListener("abort", giveUp)
      settle()
    }
    signal.addEventListener("abort", giveUp)
    waiting.add(begin)
  })

import { DomainError } from "../error.ts"
import type { InFlight } from "./in-flight.ts"

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

/** A monotonic clock that agrees with that of another thread. */

/** Of several answers, the quickest is the most exact. */
const asksMax = 5

/** `ask` returns the time of the other thread. */
export async function createSharedClock(
  ask: () => Promise<number>,
  nowMs: () => number = () => performance.now(),
): Promise<() => number> {
  let offsetMs = 0
  let tripMsMin = Number.POSITIVE_INFINITY
  for (let asks = 0; asks < asksMax; asks += 1) {
    const askedAtMs = nowMs()
    const theirsMs = await ask()
    const tripMs = nowMs() - askedAtMs
    if (tripMs < tripMsMin) offsetMs = theirsMs - (askedAtMs + tripMs / 2)
    tripMsMin = Math.min(tripMsMin, tripMs)
  }
  return () => nowMs() + offsetMs
}

/**
 * The wall clock, except that it never goes back: setting the machine's clock back must not make a session, link
 * or key live longer. A jump ahead is followed, because a machine that slept has one too.
 */
export type SteadyClock = Readonly<{
  now(): Date
  /** How far the wall clock is behind this one. */
  aheadMs(): number
}>

/** The clocks of the machine, in milliseconds. */
export type Clocks = Readonly<{ wallMs(): number; monotonicMs(): number }>

/** `startAheadMs` is what an older clock of this process, on another thread, is ahead of the wall clock. */
export function createSteadyClock({ wallMs, monotonicMs }: Clocks, startAheadMs = 0): SteadyClock {
  let offsetMs = wallMs() - monotonicMs() + startAheadMs
  function nowMs(): number {
    const elapsedMs = monotonicMs()
    offsetMs = Math.max(offsetMs, wallMs() - elapsedMs)
    return elapsedMs + offsetMs
  }
  return { now: () => new Date(nowMs()), aheadMs: () => nowMs() - wallMs() }
}

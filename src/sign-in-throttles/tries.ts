/** Tries that are counted in the store. One is reserved before it is judged, so that concurrent ones cannot exceed a limit. */
import type { SignInFailureStore, TryLimit, TryWindow } from "../domain/sign-in/sign-in-failures.ts"
import { SignInRefused } from "../domain/sign-in/sign-in-failures.ts"

export type Throttling = Readonly<{
  failures: SignInFailureStore
  /** People type passwords into the name field, so only a digest is stored. */
  digest: (text: string) => Uint8Array
  now: () => Date
}>

export type Budget = Readonly<{ triesMax: number; windowMs: number }>

export const createLimit =
  ({ digest, now }: Throttling) =>
  (text: string, { triesMax, windowMs }: Budget): TryLimit => ({
    bucket: digest(text),
    triesMax,
    endsAtMs: now().getTime() + windowMs,
  })

/**
 * Takes a try from the first of the choices that has one left, and calls `judge`; null is wrong and uses
 * the try up. A right answer uses up one of `successes` instead. Throws SignInRefused when no choice has a
 * try left.
 */
export async function takeTry<T>(
  { failures, now }: Throttling,
  choices: readonly (readonly TryLimit[])[],
  judge: () => Promise<T | null>,
  successes: readonly TryLimit[] = [],
): Promise<T | null> {
  const limits = choices.map((choice) => [...choice, ...successes])
  const windows = await reserve(failures, limits, now().getTime())
  const failuresEnd = windows.length - successes.length
  // A try that failed for another reason than a wrong answer does not count.
  let unused = windows
  try {
    const judged = await judge()
    unused = judged === null ? windows.slice(failuresEnd) : windows.slice(0, failuresEnd)
    return judged
  } finally {
    if (unused.length > 0) await failures.giveBack(unused)
  }
}

async function reserve(
  failures: SignInFailureStore,
  choices: readonly (readonly TryLimit[])[],
  nowMs: number,
): Promise<readonly TryWindow[]> {
  let untilMs = nowMs
  for (const limits of choices) {
    const taken = await failures.take(limits, nowMs)
    if (taken.isTaken) return taken.windows
    untilMs = taken.untilMs
  }
  throw new SignInRefused(Math.ceil((untilMs - nowMs) / 1000))
}

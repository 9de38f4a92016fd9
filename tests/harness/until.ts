/** A running program has made a change after this time, also on a slow and busy machine. */
export const changeMsMax = 5_000
/** For work that itself takes seconds, such as the start of a program. Half the timeout of a test. */
export const workMsMax = 30_000

/** A longer turn is a stall of this process, which is not the fault of what it waits for. */
const turnMsMax = 50

/** Repeats `look` until it returns a value. */
export async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  msMax = changeMsMax,
): Promise<T> {
  let [waitedMs, lastAt] = [0, performance.now()]
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await Bun.sleep(10)
    const now = performance.now()
    waitedMs += Math.min(now - lastAt, turnMsMax)
    lastAt = now
    if (waitedMs > msMax) throw new Error(`nothing found within ${msMax} ms`)
  }
}

/** Ten times what a busy machine needs: a slow one must not fail. */
export const patienceMs = 60_000

/** Repeats `look` until it returns a value; gives up after `waitMsMax`. */
export async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  waitMsMax = patienceMs,
): Promise<T> {
  const deadline = performance.now() + waitMsMax
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`nothing found within ${waitMsMax} ms`)
    await Bun.sleep(10)
  }
}

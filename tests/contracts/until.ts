/** Half of the test timeout, so that the error names the condition. */
export const waitMsMax = 300_000

/** Repeats `look` until it returns a value. */
export async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + waitMsMax
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`nothing found within ${waitMsMax} ms`)
    await Bun.sleep(10)
  }
}

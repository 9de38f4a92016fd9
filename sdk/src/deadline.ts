/** One limit for a whole call: every request of it, the waits between them and the reading of bodies. */

/** Options of a single call. */
export type Call = Readonly<{
  /** Ends the call early. */
  signal?: AbortSignal
  /** Instead of the client's. */
  timeoutMs?: number
}>

export type Deadline = Readonly<{
  signal: AbortSignal
  remainingMs(): number
  sleep(ms: number): Promise<void>
}>

/** The longest time that setTimeout can wait. */
const timerMsMax = 2 ** 31 - 1

/** Ends when time is up or `outer` is aborted, even if `work` ignores its signal. */
export async function withDeadline<Result>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<Result>,
  fail: (reason: "timeout" | "unreachable", cause: unknown) => Result,
): Promise<Result> {
  const controller = new AbortController()
  const { signal } = controller
  const endsAt = performance.now() + timeoutMs
  const passOn = () => controller.abort(outer?.reason)
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason)),
  )
  if (outer?.aborted) passOn()
  // Throws if it is no signal, so nothing may have been started before.
  outer?.addEventListener("abort", passOn)
  const timer = setTimeout(
    () => controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError")),
    Math.min(timeoutMs, timerMsMax),
  )
  const deadline = {
    signal,
    remainingMs: () => endsAt - performance.now(),
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        const sleeper = setTimeout(resolve, ms)
        signal.addEventListener("abort", () => clearTimeout(sleeper))
      }),
  }
  try {
    return await Promise.race([aborted, work(deadline)])
  } catch (cause) {
    return fail(signal.aborted ? "timeout" : "unreachable", cause)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener("abort", passOn)
  }
}

/** Calls `work` every `ms` milliseconds until the returned function is called. */
export type Every = (ms: number, work: () => void) => () => void

export const every: Every = (ms, work) => {
  const timer = setInterval(work, ms)
  return () => clearInterval(timer)
}

/** Returns the result of `work`, or of `onTimeout` after `timeoutMs`. The work continues. */
export async function withTimeout<T, Late>(
  work: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Late,
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

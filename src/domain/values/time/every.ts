/** Calls `work` every `ms` milliseconds until the returned function is called. Tests pass their own. */
export type Every = (ms: number, work: () => void) => () => void

export const every: Every = (ms, work) => {
  const timer = setInterval(work, ms)
  return () => clearInterval(timer)
}

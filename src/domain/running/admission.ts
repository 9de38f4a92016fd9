/** Whether a thread takes one more request, or refuses it because it has too much to do. */

/** In the order in which they are refused. A buyer waits for a validation, so those are refused last. */
export const requestClasses = ["pages", "lists", "reads", "validations"] as const
export type RequestClass = (typeof requestClasses)[number]

/** Why requests are refused: measured ones, and too many requests in flight. */
export const measuredCauses = ["event_loop", "memory", "pool"] as const
export type MeasuredCause = (typeof measuredCauses)[number]
export const overloadCauses = [...measuredCauses, "in_flight"] as const
export type OverloadCause = (typeof overloadCauses)[number]

/** A class is refused from the level of its rank on. Level 0 refuses nothing. */
export const rankOf = (requestClass: RequestClass) => requestClasses.indexOf(requestClass) + 1

export type Admission = Readonly<{
  /** Counts a request as in flight; false when it must be refused. Call `leave` in both cases. */
  enter(rank: number): boolean
  leave(): void
  /** Around waiting for the client, which may take its time: a body that is sent byte by byte is no load. */
  pause(): void
  resume(): void
}>

export type WhilePaused = <T>(work: Promise<T>) => Promise<T>

export function createWhilePaused({ pause, resume }: Admission): WhilePaused {
  function goOn<T>(result: T): T {
    resume()
    return result
  }
  function fail(fault: unknown): never {
    resume()
    throw fault
  }
  return (work) => {
    pause()
    return work.then(goOn, fail)
  }
}

/**
 * Which classes of requests a thread refuses. Pure: a measurement and the state before it give the next
 * state. The more of something is used up, the more classes are refused.
 */
import { type MeasuredCause, measuredCauses, requestClasses } from "../domain/running/admission.ts"

/** Milliseconds of lag, share of the memory limit, milliseconds of waiting for a connection. */
export type Load = Readonly<Record<MeasuredCause, number>>

export type Shedding = Readonly<{
  /** How many classes are refused. */
  level: number
  /** Null at level 0. */
  cause: MeasuredCause | null
  /** How many measurements in a row allow a lower level. */
  calm: number
}>

export const noShedding: Shedding = { level: 0, cause: null, calm: 0 }

type Limits = Readonly<{
  /** From where on each class is refused, in the order of the classes. */
  begin: readonly [number, number, number, number]
  /** It is served again below this share of `begin`, so that it does not go on and off. */
  endShare: number
}>

const limits: Readonly<Record<MeasuredCause, Limits>> = {
  // Clients give up after 2.5 s, and a request may wait for several turns of the event loop.
  event_loop: { begin: [100, 200, 400, 800], endShare: 0.5 },
  // Memory is given back slowly, so the steps are small. At 100 % the system kills the server.
  memory: { begin: [0.8, 0.85, 0.9, 0.95], endShare: 0.95 },
  // After one second the pool itself gives up.
  pool: { begin: [200, 400, 600, 800], endShare: 0.5 },
}

/** One second. Each second one more class is served, so that not all clients come back at once. */
const calmMin = 10

export function judgeLoad(before: Shedding, load: Load): Shedding {
  const now = worstOf(load, () => 1)
  if (now.level > before.level) return { ...now, calm: 0 }
  if (before.level === 0) return noShedding
  const needed = worstOf(load, (cause) => limits[cause].endShare)
  if (needed.level >= before.level) return { ...before, calm: 0 }
  if (before.calm + 1 < calmMin) return { ...before, calm: before.calm + 1 }
  const level = before.level - 1
  return level === 0 ? noShedding : { level, cause: needed.cause ?? before.cause, calm: 0 }
}

/** The highest level that one of the measures asks for, with its limits reduced to a share. */
function worstOf(load: Load, shareOf: (cause: MeasuredCause) => number) {
  const asked = measuredCauses.map((cause) => {
    const reached = limits[cause].begin.filter((limit) => load[cause] > limit * shareOf(cause))
    return { level: reached.length, cause }
  })
  return asked.reduce<Omit<Shedding, "calm">>(
    (worst, each) => (each.level > worst.level ? each : worst),
    { level: 0, cause: null },
  )
}

/** How many measurements must agree: one long task delays a single one, and is over when it is noticed. */
export const sustainedLoads = 3

export function sustainedOf(loads: readonly Load[]): Load {
  const least = (cause: MeasuredCause) => Math.min(...loads.map((load) => load[cause]))
  return { event_loop: least("event_loop"), memory: least("memory"), pool: least("pool") }
}

/** For the log. */
export const refusedClasses = ({ level }: Shedding) => requestClasses.slice(0, level).join(", ")

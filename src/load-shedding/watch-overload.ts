/** Measures one thread ten times a second, its memory twice, and admits or refuses its requests. */
import {
  type Admission,
  type OverloadCause,
  type RequestClass,
  rankOf,
  requestClasses,
} from "../domain/running/admission.ts"
import type { StoreMeasures } from "../domain/usage/measures.ts"
import type { Every } from "../domain/values/time/timers.ts"
import {
  judgeLoad,
  type Load,
  noShedding,
  type Shedding,
  sustainedLoads,
  sustainedOf,
} from "./overload.ts"

export type OverloadOptions = Readonly<{
  measureStore(): Pick<StoreMeasures, "pools">
  /** The share of the memory limit that is in use; 0 where it is unknown. */
  readMemoryShare(): number
  /**
   * Called when memory is short. The garbage collector runs when memory is allocated, and a server that
   * refuses requests allocates little.
   */
  freeMemory(): void
  onChange(shedding: Shedding): void
  onRefused(requestClass: RequestClass, cause: OverloadCause): void
  nowMs(): number
  every: Every
}>

export type OverloadWatch = Admission & Readonly<{ close(): void }>

const sampleEveryMs = 100
/**
 * With fewer requests between two measurements, the machine is busy with something else, or the program has just
 * started. Refusing them would help nobody.
 */
const requestsMin = 5
/** Reading it takes 40 µs. */
const samplesBetweenMemory = 5
/** Five seconds, because a full collection stops the thread. */
const samplesBetweenFreeing = 50

/**
 * For each thread. Far above what a store that answers ever has, so it only bounds memory: a request in
 * flight takes about 20 KB, and up to 64 KB more for its body.
 */
const inFlightMax = 2_000
const validationsInFlightMax = 2 * inFlightMax
const validationRank = rankOf("validations")

export function watchOverload(options: OverloadOptions): OverloadWatch {
  const { onRefused, nowMs } = options
  let shedding = noShedding
  let { level } = shedding
  let inFlight = 0
  let arrived = 0
  let samples = 0
  let memory = 0
  let expectedAtMs = nowMs() + sampleEveryMs
  let loads: readonly Load[] = []

  function measure(): Load {
    if (samples % samplesBetweenMemory === 0) memory = options.readMemoryShare()
    samples += 1
    const isAsked = Math.max(arrived, inFlight) >= requestsMin
    const lagMs = isAsked ? Math.max(0, nowMs() - expectedAtMs) : 0
    arrived = 0
    expectedAtMs = nowMs() + sampleEveryMs
    return { event_loop: lagMs, memory, pool: poolWaitMs(options.measureStore().pools) }
  }
  function sample(): void {
    loads = [...loads, measure()].slice(-sustainedLoads)
    if (loads.length < sustainedLoads) return
    const before = shedding
    shedding = judgeLoad(before, sustainedOf(loads))
    level = shedding.level
    if (before.level !== level) options.onChange(shedding)
    if (shedding.cause === "memory" && samples % samplesBetweenFreeing === 0) options.freeMemory()
  }
  function leave(): void {
    inFlight -= 1
  }
  const stop = options.every(sampleEveryMs, sample)
  return {
    enter(rank) {
      inFlight += 1
      arrived += 1
      const isCalm = level < rank
      const max = rank === validationRank ? validationsInFlightMax : inFlightMax
      if (isCalm && inFlight <= max) return true
      onRefused(
        requestClasses[rank - 1] ?? "pages",
        isCalm ? "in_flight" : (shedding.cause ?? "event_loop"),
      )
      return false
    },
    leave,
    pause: leave,
    resume() {
      inFlight += 1
    },
    close: stop,
  }
}

const poolWaitMs = (pools: StoreMeasures["pools"]) => pools?.primary.waitMs ?? 0

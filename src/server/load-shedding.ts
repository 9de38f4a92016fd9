/** Refuses requests of a thread that has too much to do, and tells the log and the metrics. */
import type { Admission } from "../domain/running/admission.ts"
import type { StoreMeasures } from "../domain/usage/measures.ts"
import { every } from "../domain/values/time/every.ts"
import { refusedClasses } from "../load-shedding/overload.ts"
import { readMemoryLimit, readUsedBytes } from "../load-shedding/process-memory.ts"
import { watchOverload } from "../load-shedding/watch-overload.ts"
import type { Log } from "../log/log.ts"
import type { Recorder } from "../metrics/recorder.ts"

export type OpenAdmission = (
  thread: Readonly<{
    log: Log
    recorder: Recorder
    measureStore(): StoreMeasures
  }>,
) => Admission & Readonly<{ close(): void }>

export const openLoadShedding: OpenAdmission = ({ log, recorder, measureStore }) => {
  const memoryLimit = readMemoryLimit()
  let worstLevel = 0
  return watchOverload({
    measureStore,
    readMemoryShare: () => readUsedBytes() / memoryLimit,
    freeMemory: () => Bun.gc(true),
    onChange(shedding) {
      const { level, cause } = shedding
      recorder.noteShedding(level)
      if (level === 0) log.info("overload ended: all requests are served")
      if (cause !== null && level > worstLevel) {
        log.warn("overload: requests are refused", { cause, refused: refusedClasses(shedding) })
      }
      worstLevel = level === 0 ? 0 : Math.max(worstLevel, level)
    },
    onRefused: recorder.countShed,
    nowMs: () => performance.now(),
    every,
  })
}

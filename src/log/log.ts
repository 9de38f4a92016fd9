/**
 * Structured lines on standard error, one JSON object each. `RequestLine` is the allow-list of a request's
 * line: no address, no parameter and no header, so no secret.
 */
import { type Every, every as everyMs } from "../domain/values/time/timers.ts"

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

type RequestLine = Readonly<{
  method: string
  route: string
  status: number
  /** A constant that says why, as in the header `Pazar-Reason`. */
  reason: string
  ms: number
  keyId: string | null
  requestId: string
}>

export type LogDetails = Readonly<Record<string, string | number>>

export type Log = Readonly<{
  /** Whether requests below 500 are logged. Their lines are made only then: one costs 6 % of a validation. */
  logsRequests: boolean
  /** A request that was answered as it should be. A 503 may be such an answer: a test code asks for it. */
  request(line: RequestLine): void
  /** A request that could not be answered because of `fault`. Equal ones are summed up. */
  failedRequest(line: RequestLine, fault: unknown): void
  info(message: string, details?: LogDetails): void
  warn(message: string, details: LogDetails): void
  /** `fault` is what was thrown: its stack is for the operator. */
  error(message: string, fault: unknown): void
  /** The same for work that is tried again and again: equal failures are summed up. */
  failure(message: string, fault: unknown, details?: LogDetails): void
  flush(): void
  /** Writes the buffered lines and the counts of failures that were not reported yet. */
  close(): void
}>

/**
 * Lines are buffered because each write takes microseconds. The buffer is small because writing 64 KB
 * blocks requests for 0.2 to 0.3 ms, and because the garbage collector traverses it.
 */
const flushEveryMs = 200
const heldUnitsMax = 16 * 1024

export function createLog(
  level: LogLevel,
  write: (text: string) => void,
  every: Every = everyMs,
): Log {
  const threshold = logLevels.indexOf(level)
  const isShown = (of: LogLevel) => logLevels.indexOf(of) >= threshold
  let held = ""
  let timer: ReturnType<typeof setTimeout> | null = null
  const clock = createClock()
  const repeated = createRepeatedFailures(every, (count) =>
    holdObject("error", { message: "other failures", repeated: count }),
  )

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (held !== "") write(held)
    held = ""
  }
  function hold(line: string): void {
    held += line
    if (held.length > heldUnitsMax) flush()
    else timer ??= setTimeout(flush, flushEveryMs)
  }
  const holdObject = (of: LogLevel, members: Readonly<Record<string, unknown>>) =>
    hold(`${JSON.stringify({ time: clock(), level: of, ...members })}\n`)

  function holdRequest(of: LogLevel, line: RequestLine): void {
    const { method, route, status, reason, ms, keyId, requestId } = line
    const rounded = Math.round(ms * 1000) / 1000
    // Concatenated: none of these values holds a character that JSON would escape.
    const key = keyId === null ? "" : `"keyId":"${keyId}",`
    hold(
      `{"time":"${clock()}","level":"${of}","method":"${method}","route":"${route}","status":${status},"reason":"${reason}","ms":${rounded},${key}"requestId":"${requestId}"}\n`,
    )
  }
  /** True for the first of its kind, which is written with its stack. `kind` is repeated with the count. */
  function holdFailure(
    message: string,
    fault: unknown,
    kind: LogDetails,
    details: LogDetails,
  ): boolean {
    const what = String(fault).slice(0, faultUnitsMax)
    const isFirst = repeated.isFirst(
      `${message} ${Object.values(kind).join(" ")} ${what}`,
      (count) => holdObject("error", { message, ...kind, fault: what, repeated: count }),
    )
    if (!isFirst) return false
    holdObject("error", { message, stack: stackOf(fault), ...details })
    return true
  }

  return {
    logsRequests: isShown("debug"),
    request(line) {
      const of = line.status < 500 ? "debug" : "warn"
      if (isShown(of)) holdRequest(of, line)
    },
    failedRequest(line, fault) {
      if (!isShown("error")) return
      const { route, status, reason, requestId } = line
      const kind = { route, status, reason }
      if (!holdFailure("request failed", fault, kind, { requestId })) return
      holdRequest("error", line)
      flush()
    },
    info(message, details) {
      if (isShown("info")) holdObject("info", { message, ...details })
    },
    warn(message, details) {
      if (isShown("warn")) holdObject("warn", { message, ...details })
    },
    error(message, fault) {
      if (!isShown("error")) return
      holdObject("error", { message, stack: stackOf(fault) })
      flush()
    },
    failure(message, fault, details = {}) {
      if (!isShown("error")) return
      const { requestId: _, ...kind } = details
      if (holdFailure(message, fault, kind, details)) flush()
    },
    flush,
    close() {
      repeated.close()
      flush()
    },
  }
}

/** Enough to tell faults apart. */
const faultUnitsMax = 300

const stackOf = (fault: unknown) =>
  fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)

/** The time as text, made once a millisecond: a busy server writes dozens of lines in one. */
function createClock(): () => string {
  let shownMs = Number.NaN
  let shown = ""
  return () => {
    const ms = Date.now()
    if (ms !== shownMs) shown = new Date(ms).toISOString()
    shownMs = ms
    return shown
  }
}

type RepeatedFailures = Readonly<{
  /** True for the first failure of its kind. Others are counted; `report` gets their number. */
  isFirst(kind: string, report: Report): boolean
  /** Reports what was counted so far, and forgets all kinds. */
  close(): void
}>

type Report = (count: number) => void

const reportEveryMs = 10_000
/** A fault's text may hold a value that always differs, so the number of kinds has a limit. */
const kindsMax = 64
const others = "others"

/**
 * Sums up equal failures, so that an outage does not fill the disk: one line for each request was 3.5 MB a
 * second. The first of a kind is written at once. The others are counted and reported every ten seconds.
 * `reportOthers` gets the count of all failures beyond the limit of kinds.
 */
export function createRepeatedFailures(every: Every, reportOthers: Report): RepeatedFailures {
  const counted = new Map<string, { count: number; report: Report }>()
  let stopTimer: (() => void) | null = null

  function reportAll(): void {
    for (const [kind, each] of counted) {
      // A kind that did not come again is over; its next failure is a first one.
      if (each.count === 0) counted.delete(kind)
      else each.report(each.count)
      each.count = 0
    }
    if (counted.size === 0) stop()
  }
  function stop(): void {
    stopTimer?.()
    stopTimer = null
  }
  return {
    isFirst(kind, report) {
      stopTimer ??= every(reportEveryMs, reportAll)
      const isNew = !counted.has(kind)
      if (isNew && counted.size < kindsMax) {
        counted.set(kind, { count: 0, report })
        return true
      }
      const key = isNew ? others : kind
      const known = counted.get(key) ?? { count: 0, report: reportOthers }
      known.count += 1
      counted.set(key, known)
      return false
    },
    close() {
      reportAll()
      counted.clear()
      stop()
    },
  }
}

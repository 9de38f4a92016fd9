/**
 * Structured log on standard error, one JSON object per line. `RequestLine` is the allow-list for requests: no IP
 * address, no parameter and no header, and therefore no secret.
 */
import { type Every, every as everyMs } from "./timers.ts"

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

type RequestLine = Readonly<{
  method: string
  route: string
  status: number
  /** The error code, as in the header `Pazar-Reason`. */
  reason: string
  ms: number
  keyId: string | null
  requestId: string
}>

export type LogDetails = Readonly<Record<string, string | number>>

export type Log = ReturnType<typeof createLog>

export function createLog(level: LogLevel, write: (text: string) => void, every: Every = everyMs) {
  const threshold = logLevels.indexOf(level)
  const isLogged = (lineLevel: LogLevel) => logLevels.indexOf(lineLevel) >= threshold
  const { append, flush } = createBuffer(write)
  const clock = createClock()
  const repeated = createRepeatedFailures(every, (count) =>
    appendObject("error", { message: "other failures", repeated: count }),
  )

  function appendObject(lineLevel: LogLevel, fields: Readonly<Record<string, unknown>>): void {
    if (!isLogged(lineLevel)) return
    append(`${JSON.stringify({ time: clock(), level: lineLevel, ...fields })}\n`)
  }

  function appendRequest(lineLevel: LogLevel, line: RequestLine): void {
    const { method, route, status, reason, ms, keyId, requestId } = line
    const rounded = Math.round(ms * 1000) / 1000
    // Concatenation is safe, because none of these values contains a character that JSON escapes.
    const key = keyId === null ? "" : `"keyId":"${keyId}",`
    append(
      `{"time":"${clock()}","level":"${lineLevel}","method":"${method}","route":"${route}","status":${status},"reason":"${reason}","ms":${rounded},${key}"requestId":"${requestId}"}\n`,
    )
  }
  /** Returns true for the first of its kind. The number of the others is written every ten seconds. */
  const isFirst = (lineLevel: LogLevel, message: string, kind: LogDetails) =>
    repeated.isFirst(`${message} ${Object.values(kind).join(" ")}`, (count) =>
      appendObject(lineLevel, { message, ...kind, repeated: count }),
    )
  /** Returns true for the first failure of its kind, which is written with its stack. */
  function appendFailure(message: string, fault: unknown, kind: LogDetails, details: LogDetails) {
    const what = String(fault).slice(0, faultUnitsMax)
    if (!isFirst("error", message, { ...kind, fault: what })) return false
    appendObject("error", { message, stack: renderStack(fault), ...details })
    return true
  }

  return {
    /** False if `request` ignores expected responses. Callers then skip building the line, which is expensive. */
    logsRequests: isLogged("debug"),
    /**
     * Logs a request without a fault. A response that is not expected, such as 503 to too many requests, is a warning.
     * Repeated ones are counted.
     */
    request(line: RequestLine, isExpected: boolean): void {
      const { route, status, reason } = line
      const isWarning =
        !isExpected &&
        isLogged("warn") &&
        isFirst("warn", "requests rejected", { route, status, reason })
      if (isWarning) appendRequest("warn", line)
      else if (isLogged("debug")) appendRequest("debug", line)
    },
    failedRequest(line: RequestLine, fault: unknown): void {
      if (!isLogged("error")) return
      const { route, status, reason, requestId } = line
      const kind = { route, status, reason }
      if (!appendFailure("request failed", fault, kind, { requestId })) return
      appendRequest("error", line)
      flush()
    },
    info(message: string, details?: LogDetails): void {
      appendObject("info", { message, ...details })
    },
    /** Like `info`, for what strangers can cause as often as they want: repeated ones of a `kind` are counted. */
    repeatedInfo(message: string, kind: LogDetails, details: LogDetails): void {
      if (isLogged("info") && isFirst("info", message, kind))
        appendObject("info", { message, ...kind, ...details })
    },
    warn(message: string, details: LogDetails): void {
      appendObject("warn", { message, ...details })
    },
    error(message: string, fault: unknown): void {
      appendObject("error", { message, stack: renderStack(fault) })
      flush()
    },
    /** Like `error`, for work that is retried: repeated failures are counted. */
    failure(message: string, fault: unknown, details: LogDetails = {}): void {
      if (!isLogged("error")) return
      const { requestId: _, ...kind } = details
      if (appendFailure(message, fault, kind, details)) flush()
    },
    flush,
    close(): void {
      repeated.close()
      flush()
    },
  }
}

const flushEveryMs = 200
const bufferedUnitsMax = 16 * 1024

/** Each write takes microseconds, so lines are buffered. The buffer is small, because a large write blocks requests. */
function createBuffer(write: (text: string) => void) {
  let buffer = ""
  let timer: ReturnType<typeof setTimeout> | null = null
  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (buffer !== "") write(buffer)
    buffer = ""
  }
  return {
    append(line: string): void {
      buffer += line
      if (buffer.length > bufferedUnitsMax) flush()
      else timer ??= setTimeout(flush, flushEveryMs)
    },
    flush,
  }
}

const faultUnitsMax = 300

const renderStack = (fault: unknown) =>
  fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)

/** Caches the timestamp for a millisecond, in which a busy server writes dozens of lines. */
function createClock(): () => string {
  let cachedMs = Number.NaN
  let cached = ""
  return () => {
    const ms = Date.now()
    if (ms !== cachedMs) cached = new Date(ms).toISOString()
    cachedMs = ms
    return cached
  }
}

type Report = (count: number) => void

const reportEveryMs = 10_000
/** Bounded, because the text of a fault may contain a value that always differs. */
const kindsMax = 64
const others = "others"

/** Writes the first failure of a kind, and a number every ten seconds, so that an outage does not fill the disk. */
export function createRepeatedFailures(every: Every, reportOthers: Report) {
  const counted = new Map<string, { count: number; report: Report }>()
  let stopTimer: (() => void) | null = null

  function reportAll(): void {
    for (const [kind, each] of counted) {
      // A kind without new failures is over; its next failure is a first one.
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
    /** Returns true for the first failure of its kind. Others are counted, and `report` gets their number. */
    isFirst(kind: string, report: Report): boolean {
      stopTimer ??= every(reportEveryMs, reportAll)
      const isNew = !counted.has(kind)
      if (isNew && counted.size < kindsMax) {
        counted.set(kind, { count: 0, report })
        return true
      }
      const key = isNew ? others : kind
      const entry = counted.get(key) ?? { count: 0, report: reportOthers }
      entry.count += 1
      counted.set(key, entry)
      return false
    },
    close(): void {
      reportAll()
      counted.clear()
      stop()
    },
  }
}

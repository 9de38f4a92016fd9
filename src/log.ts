/**
 * Structured lines on standard error, one JSON object each. `RequestLine` is the allow-list of a request's
 * line: no address, no parameter and no header, so no secret.
 */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

export type RequestLine = Readonly<{
  method: string
  route: string
  status: number
  ms: number
  keyId: string | null
  requestId: string
  /** Whether something went wrong. A 503 alone does not say so: anybody may ask for it with a test code. */
  isFault: boolean
}>

export type Log = Readonly<{
  request(line: RequestLine): void
  info(message: string, details?: Readonly<Record<string, string | number>>): void
  /** `fault` is what was thrown: its stack is for the operator. */
  error(message: string, fault: unknown, requestId?: string): void
  /** Writes the buffered lines. */
  flush(): void
}>

/**
 * Lines are buffered because each write takes microseconds. The buffer is small because writing 64 KB
 * blocks requests for 0.2 to 0.3 ms, and because the garbage collector traverses it.
 */
const flushEveryMs = 200
const heldUnitsMax = 16 * 1024

export function createLog(level: LogLevel, write: (text: string) => void): Log {
  const threshold = logLevels.indexOf(level)
  const isShown = (of: LogLevel) => logLevels.indexOf(of) >= threshold
  let held = ""
  let timer: ReturnType<typeof setTimeout> | null = null
  const clock = createClock()

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
  const stamp = (of: LogLevel) => ({ time: clock(), level: of })

  return {
    request({ method, route, status, ms, keyId, requestId, isFault }) {
      const of = levelOf(status, isFault)
      if (!isShown(of)) return
      const rounded = Math.round(ms * 1000) / 1000
      // Concatenated: none of these values holds a character that JSON would escape.
      const key = keyId === null ? "" : `"keyId":"${keyId}",`
      hold(
        `{"time":"${clock()}","level":"${of}","method":"${method}","route":"${route}","status":${status},"ms":${rounded},${key}"requestId":"${requestId}"}\n`,
      )
    },
    info(message, details = {}) {
      if (isShown("info")) hold(`${JSON.stringify({ ...stamp("info"), message, ...details })}\n`)
    },
    error(message, fault, requestId) {
      if (!isShown("error")) return
      const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
      const request = requestId === undefined ? {} : { requestId }
      hold(`${JSON.stringify({ ...stamp("error"), message, stack, ...request })}\n`)
      flush()
    },
    flush,
  }
}

function levelOf(status: number, isFault: boolean): LogLevel {
  if (status < 500) return "info"
  return isFault ? "error" : "warn"
}

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

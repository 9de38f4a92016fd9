/** Sends requests to the server: with retries and without redirects. Answers are plain data. */
import { type Call, type Deadline, withDeadline } from "./deadline.ts"
import { type Failure, isFailure, type TransportFailure } from "./outcome.ts"

/** The part of the global `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type Answer = Readonly<{
  status: number
  headers: Headers
  /** Empty if it is not UTF-8. */
  body: string
}>

export type Send = (path: string, init?: RequestInit) => Promise<Answer>

/**
 * One call. `work` sends as many requests as it needs; all of them share the time limit. `fail` makes the
 * result if none was answered in time.
 */
export type Exchange = <Result>(
  call: Call,
  work: (send: Send) => Promise<Result>,
  fail: (reason: "timeout" | "unreachable", cause: unknown) => Result,
) => Promise<Result>

export type TransportOptions = Readonly<{
  baseUrl: string
  timeoutMs: number
  retries: number
  fetch: Fetch
}>

const backoffMs = 250
const retryAfterMsMax = 10_000

export function createExchange(options: TransportOptions): Exchange {
  const { baseUrl, retries, fetch } = options
  const root = baseUrl.replace(/\/+$/, "")
  return (call, work, fail) => {
    const run = (deadline: Deadline) => {
      const { signal } = deadline
      const sendOnce = async (path: string, init?: RequestInit): Promise<Answer> => {
        // A redirect could lead to any server, so none is followed.
        const response = await fetch(root + path, { ...init, redirect: "manual", signal })
        const { status, headers } = response
        return { status, headers, body: decodeText(await response.arrayBuffer()) }
      }
      return work(async (path, init) => {
        for (let attempt = 0; ; attempt++) {
          const isLast = attempt >= retries
          let waitMs = backoffMs * 2 ** attempt * (0.5 + Math.random() / 2)
          try {
            const answer = await sendOnce(path, init)
            if (isLast || !isWorthRetrying(answer.status)) return answer
            waitMs = retryAfterMsOf(answer) ?? waitMs
            if (waitMs > retryAfterMsMax || waitMs > deadline.remainingMs()) return answer
          } catch (cause) {
            if (isLast || signal.aborted || waitMs > deadline.remainingMs()) throw cause
          }
          await deadline.sleep(waitMs)
        }
      })
    }
    return withDeadline(call.timeoutMs ?? options.timeoutMs, call.signal, run, fail)
  }
}

const isWorthRetrying = (status: number) => status === 429 || (status >= 502 && status <= 504)

export function retryAfterMsOf({ headers }: Answer): number | undefined {
  const seconds = headers.get("retry-after")
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

export const requestIdOf = ({ headers }: Answer) => headers.get("request-id") ?? undefined

function decodeText(bytes: ArrayBuffer): string {
  try {
    // Nothing is replaced or dropped, so that the text has the digest of the bytes.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return ""
  }
}

/** For a reason that is newer than this client. */
const reasonsByStatus: Readonly<Record<number, Failure>> = {
  400: "invalid_parameter",
  401: "unknown_key",
  403: "key_not_allowed",
}

/** The reason of an answer that says nothing about the question. */
export function failureOf({ status, headers }: Answer): Failure | TransportFailure {
  const reason = headers.get("pazar-reason")
  if (isFailure(reason)) return reason
  if (status === 429) return "rate_limited"
  if (status >= 500) return "unavailable"
  return (reason !== null && reasonsByStatus[status]) || "not_json"
}

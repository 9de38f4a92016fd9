/** Sends requests to the server: with retries and without redirects. Answers are plain data. */
import { type Call, type Deadline, withDeadline } from "./deadline.ts"
import { type Failure, isFailure, type TransportFailure } from "./outcome.ts"

/** The part of the global `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type Answer = Readonly<{
  status: number
  headers: Headers
  /** Empty if it is not UTF-8, or too long. */
  body: string
}>

/** Of an answer about one thing. A longer body is not read to its end, so that no server fills the memory. */
const answerBytesMax = 256 * 1024

export type Send = (path: string, init?: RequestInit, bodyBytesMax?: number) => Promise<Answer>

/** One question to one address. */
export type Question<Result> = Readonly<{
  /** Sends as many requests as it needs. */
  work(send: Send): Promise<Result>
  /** The result if none of them was answered in time. */
  fail(reason: "timeout" | "unreachable", cause: unknown): Result
  /** Otherwise the next address is asked. */
  isAnswer(result: Result): boolean
}>

/** One call, with one time limit for all of it. */
export type Exchange = <Result>(call: Call, question: Question<Result>) => Promise<Result>

export type TransportOptions = Readonly<{
  /** At least one, in the order in which they are asked. */
  baseUrls: readonly string[]
  timeoutMs: number
  retries: number
  fetch: Fetch
}>

const backoffMs = 250
const retryAfterMsMax = 10_000

export function createExchange(options: TransportOptions): Exchange {
  const { baseUrls, retries, fetch } = options
  const createSend = (baseUrl: string, { signal, remainingMs, sleep }: Deadline): Send => {
    const root = baseUrl.replace(/\/+$/, "")
    const sendOnce = async (path: string, init: RequestInit, bodyBytesMax: number) => {
      // A redirect could lead to any server, so none is followed.
      const response = await fetch(root + path, { ...init, redirect: "manual", signal })
      const { status, headers } = response
      return { status, headers, body: await readText(response, bodyBytesMax) }
    }
    return async (path, init = {}, bodyBytesMax = answerBytesMax) => {
      for (let attempt = 0; ; attempt++) {
        const isLast = attempt >= retries
        let waitMs = backoffMs * 2 ** attempt * (0.5 + Math.random() / 2)
        try {
          const answer = await sendOnce(path, init, bodyBytesMax)
          if (isLast || !isWorthRetrying(answer.status)) return answer
          waitMs = retryAfterMsOf(answer) ?? waitMs
          if (waitMs > retryAfterMsMax || waitMs > remainingMs()) return answer
        } catch (cause) {
          if (isLast || signal.aborted || waitMs > remainingMs()) throw cause
        }
        await sleep(waitMs)
      }
    }
  }
  return <Result>(call: Call, { work, fail, isAnswer }: Question<Result>) => {
    const endsAt = performance.now() + (call.timeoutMs ?? options.timeoutMs)
    async function ask(index: number): Promise<Result> {
      // An address that hangs leaves the others their part of the time.
      const left = baseUrls.length - index
      const partMs = Math.ceil((endsAt - performance.now()) / left)
      const run = (deadline: Deadline) => work(createSend(baseUrls[index] ?? "", deadline))
      const result = await withDeadline(partMs, call.signal, run, fail)
      if (left === 1 || isAnswer(result) || call.signal?.aborted) return result
      const other = await ask(index + 1)
      // If none of them answers, the first one says why.
      return isAnswer(other) ? other : result
    }
    return ask(0)
  }
}

const isWorthRetrying = (status: number) => status === 429 || (status >= 502 && status <= 504)

export function retryAfterMsOf({ headers }: Answer): number | undefined {
  const seconds = headers.get("retry-after")
  return seconds !== null && /^\d{1,8}$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

export const requestIdOf = ({ headers }: Answer) => headers.get("request-id") ?? undefined

/** Counts the bytes as they come, after any decompression. */
async function readText({ body }: Response, bytesMax: number): Promise<string> {
  const reader = body?.getReader()
  // Nothing is replaced or dropped, so that the text has the digest of the bytes.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  let text = ""
  for (let bytes = 0; ; ) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    bytes += value?.length ?? 0
    try {
      if (bytes > bytesMax) throw new RangeError()
      text += decoder.decode(value, { stream: !done })
    } catch {
      reader?.cancel().catch(() => {})
      return ""
    }
    if (done) return text
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

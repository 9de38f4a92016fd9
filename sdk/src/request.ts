/** Sends requests: one timeout for all base URLs, no redirects, a size limit for bodies. */
import { findJson, isObject } from "./json.ts"
import { type UnknownResult, unknownResult } from "./result.ts"
import { isInvalidReason } from "./verdict.ts"

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type HttpResponse = Readonly<{
  status: number
  headers: Headers
  /** Exact text. Empty if it is not valid UTF-8, or too long. */
  body: string
  /** Null if the body is not a JSON object. */
  json: Readonly<Record<string, unknown>> | null
}>

export type Send = (path: string, init?: RequestInit) => Promise<HttpResponse>

export type RequestOptions = Readonly<{
  baseUrls: readonly string[]
  timeoutMs: number
  fetch: Fetch
}>

/** Bounds memory. Responses are about 2 KB. */
const bodyBytesMax = 256 * 1024

/** Returns the first verdict. If no base URL returns one, returns the error of the first. */
export async function requestVerdict<Result extends Readonly<{ state: string }>>(
  { baseUrls, timeoutMs, fetch }: RequestOptions,
  work: (send: Send, baseUrl: string) => Promise<Result | UnknownResult>,
): Promise<Result | UnknownResult> {
  const endsAt = performance.now() + timeoutMs
  let first: Result | UnknownResult | null = null
  for (const [index, baseUrl] of baseUrls.entries()) {
    // Each server gets an equal share of the remaining time.
    const shareMs = Math.ceil((endsAt - performance.now()) / (baseUrls.length - index))
    const result = await withTimeout(shareMs, (signal) =>
      work((path, init) => send(fetch, baseUrl + path, { ...init, signal }), baseUrl),
    )
    if (result.state !== "unknown") return result
    first ??= result
  }
  return first ?? unknownResult("unreachable")
}

/** Resolves in time even if `work` ignores its signal. */
async function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | UnknownResult> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<UnknownResult>((resolve) => {
    timer = setTimeout(() => {
      resolve(unknownResult("timeout"))
      controller.abort()
    }, timeoutMs)
  })
  const completed = work(controller.signal).catch(() => unknownResult("unreachable"))
  const result = await Promise.race([timedOut, completed])
  clearTimeout(timer)
  return result
}

/** Rejects if no complete response arrives. */
export async function send(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  bytesMax = bodyBytesMax,
): Promise<HttpResponse> {
  // A redirect could send the key to another server.
  const response = await fetch(url, { ...init, redirect: "manual" })
  const body = await readText(response, bytesMax)
  const json = findJson(body)
  const { status, headers } = response
  return { status, headers, body, json: isObject(json) ? json : null }
}

/** Counts the decompressed bytes as they arrive. */
async function readText({ body }: Response, bytesMax: number): Promise<string> {
  const reader = body?.getReader()
  // Invalid UTF-8 is rejected: replaced characters would change the digest.
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

/** The error code of a response without a verdict. A malformed 200 or `invalid` response is `invalid_response`. */
export function parseErrorCode({ status, headers }: HttpResponse): string {
  const code = headers.get("pazar-reason") ?? ""
  if (status === 429) return "rate_limited"
  if (status >= 500) return "unavailable"
  const isError = status >= 400 && /^[a-z_]{1,40}$/.test(code) && !isInvalidReason(code)
  return isError ? code : "invalid_response"
}

export function parseRetryAfter({ headers }: HttpResponse): number {
  const seconds = headers.get("retry-after") ?? ""
  return /^\d{1,8}$/.test(seconds) ? Number(seconds) : 0
}

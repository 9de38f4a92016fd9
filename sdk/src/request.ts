/** Sends requests: one time limit for all base URLs, no redirects, bodies of a limited size. */
import { findJson, isObject } from "./json.ts"
import { type Unknown, unknown } from "./result.ts"
import { isInvalidReason } from "./verdict.ts"

/** The part of the global `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type HttpResponse = Readonly<{
  status: number
  headers: Headers
  /** The exact text. Empty if it is not UTF-8, or too long. */
  body: string
  /** Null if the body is not a complete JSON object. */
  json: Readonly<Record<string, unknown>> | null
}>

export type Send = (path: string, init?: RequestInit) => Promise<HttpResponse>

export type RequestOptions = Readonly<{
  /** At least one, in the order in which they are tried. */
  baseUrls: readonly string[]
  timeoutMs: number
  fetch: Fetch
}>

/** Longer bodies are not read to their end, so that no server fills the memory. */
const bodyBytesMax = 256 * 1024

/** The result of the first base URL that gives a verdict. If none does, the result of the first one. */
export async function requestVerdict<Result extends Readonly<{ state: string }>>(
  { baseUrls, timeoutMs, fetch }: RequestOptions,
  work: (send: Send) => Promise<Result | Unknown>,
): Promise<Result | Unknown> {
  const endsAt = performance.now() + timeoutMs
  let first: Result | Unknown | null = null
  for (const [index, baseUrl] of baseUrls.entries()) {
    // A server that hangs leaves the others their share of the time.
    const shareMs = Math.ceil((endsAt - performance.now()) / (baseUrls.length - index))
    const result = await withTimeout(shareMs, (signal) =>
      work((path, init) => send(fetch, baseUrl + path, { ...init, signal })),
    )
    if (result.state !== "unknown") return result
    first ??= result
  }
  return first ?? unknown("unreachable")
}

/** Ends in time even if `work` ignores its signal. */
async function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Unknown> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Unknown>((resolve) => {
    timer = setTimeout(() => {
      resolve(unknown("timeout"))
      controller.abort()
    }, timeoutMs)
  })
  const working = work(controller.signal).catch(() => unknown("unreachable"))
  const result = await Promise.race([late, working])
  clearTimeout(timer)
  return result
}

/** Rejects if there is no complete response. */
export async function send(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  bytesMax = bodyBytesMax,
): Promise<HttpResponse> {
  // A redirect could lead to any server.
  const response = await fetch(url, { ...init, redirect: "manual" })
  const body = await readText(response, bytesMax)
  const json = findJson(body)
  const { status, headers } = response
  return { status, headers, body, json: isObject(json) ? json : null }
}

/** Counts the bytes as they arrive, after any decompression. */
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

/** The error code of a response without a verdict. A 200 or a refusal is one that is not Pazar's, or was cut off. */
export function errorCodeOf({ status, headers }: HttpResponse): string {
  const code = headers.get("pazar-reason") ?? ""
  if (status === 429) return "rate_limited"
  if (status >= 500) return "unavailable"
  const isError = status >= 400 && /^[a-z_]{1,40}$/.test(code) && !isInvalidReason(code)
  return isError ? code : "invalid_response"
}

export function retryAfterOf({ headers }: HttpResponse): number {
  const seconds = headers.get("retry-after") ?? ""
  return /^\d{1,8}$/.test(seconds) ? Number(seconds) : 0
}

/**
 * Sends one POST over a new connection. `fetch` is not used, because it would resolve the host again and use the proxies
 * of the environment.
 */
import { request as requestPlain } from "node:http"
import { request as requestTls } from "node:https"
import { isIP } from "node:net"
import { type Message, message } from "../platform/problem.ts"
import type { Attempt } from "./message.ts"
import type { Target } from "./target.ts"

const responseBytesMax = 1_024
/** Informational responses, such as 100 or 103, before the response. */
const informationalMax = 10

export type PostResult = Omit<Attempt, "durationMs">

/** Resolves within `timeoutMs`; never rejects. */
export function post(
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
  { timeoutMs, signal }: Readonly<{ timeoutMs: number; signal: AbortSignal }>,
): Promise<PostResult> {
  return new Promise((resolve) => {
    const { address, port, isTls, hostname, host, path } = target
    const request = (isTls ? requestTls : requestPlain)({
      method: "POST",
      // The verified IP address, so that the name is not resolved again.
      host: address,
      port,
      path,
      headers: { Host: host, ...headers, "Content-Length": Buffer.byteLength(body) },
      agent: false,
      // SNI must not contain an IP address (RFC 6066).
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      rejectUnauthorized: true,
    })
    let status: number | null = null
    let received = Buffer.alloc(0)
    let isComplete = false
    function complete(problem: Message | null): void {
      if (isComplete) return
      isComplete = true
      clearTimeout(timer)
      signal.removeEventListener("abort", abort)
      request.destroy()
      resolve({ status, problem: status === null ? problem : null, response: textOf(received) })
    }
    const abort = () => complete(closed)
    const timer = setTimeout(
      () => complete(message("no_response", { seconds: timeoutMs / 1000 })),
      timeoutMs,
    )
    signal.addEventListener("abort", abort)
    if (signal.aborted) abort()
    let informational = 0
    request.on("information", () => {
      informational += 1
      if (informational > informationalMax) complete(notHttp)
    })
    request.on("error", (error) => complete(describe(error)))
    request.on("close", () => complete(closed))
    request.on("response", (response) => {
      status = response.statusCode ?? null
      response.on("data", (bytes: Buffer) => {
        received = Buffer.concat([received, bytes])
        if (received.length >= responseBytesMax) complete(null)
      })
      response.on("error", () => complete(null))
      response.on("end", () => complete(null))
    })
    request.end(body)
  })
}

const closed = message("connection_closed")
const notHttp = message("not_http")

function describe(error: Error & { code?: string }): Message {
  if (error.message === "socket hang up") return closed
  if (error.code?.startsWith("HPE_")) return notHttp
  return message("connection_failed", { reason: error.code ?? error.message })
}

/** Replaces NUL, which PostgreSQL rejects, and omits a truncated character at the end. */
const textOf = (bytes: Buffer) =>
  new TextDecoder("utf-8")
    .decode(bytes.subarray(0, responseBytesMax), { stream: true })
    .replaceAll("\0", "\uFFFD")

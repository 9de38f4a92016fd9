/**
 * One POST by the runtime's own client, over a connection of its own. Not `fetch`: that resolves the host once more,
 * uses the proxies of the environment, and follows redirects.
 */
import { request as requestPlain } from "node:http"
import { request as requestTls } from "node:https"
import { isIP } from "node:net"
import type { Attempt } from "../domain/events/message.ts"
import type { Target } from "./target.ts"

/** Reading stops here, whatever the other side goes on sending. */
const answerBytesMax = 1_024
/** A receiver may announce its response by 100 or 103, but not for ever. */
const announcementsMax = 10

/** Resolves with what came of it, within `timeoutMs`; never rejects. */
export function post(
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
  { timeoutMs, signal }: Readonly<{ timeoutMs: number; signal: AbortSignal }>,
): Promise<Attempt> {
  return new Promise((resolve) => {
    const { address, port, isTls, hostname, host, path } = target
    const request = (isTls ? requestTls : requestPlain)({
      method: "POST",
      // The address that was checked: nothing is looked up again.
      host: address,
      port,
      path,
      headers: { Host: host, ...headers, "Content-Length": Buffer.byteLength(body) },
      agent: false,
      // A name goes into the handshake, an address does not (RFC 6066).
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      rejectUnauthorized: true,
    })
    let status: number | null = null
    let answer = Buffer.alloc(0)
    let isSettled = false
    function settle(problem: string | null): void {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      signal.removeEventListener("abort", abort)
      request.destroy()
      resolve({ status, problem: status === null ? problem : null, response: textOf(answer) })
    }
    const abort = () => settle("the server stopped")
    const timer = setTimeout(() => settle(`no answer within ${timeoutMs / 1000} s`), timeoutMs)
    signal.addEventListener("abort", abort)
    if (signal.aborted) abort()
    let announcements = 0
    request.on("information", () => {
      announcements += 1
      if (announcements > announcementsMax) settle(notHttp)
    })
    request.on("error", (error) => settle(describe(error)))
    request.on("close", () => settle(closed))
    request.on("response", (response) => {
      status = response.statusCode ?? null
      response.on("data", (bytes: Buffer) => {
        answer = Buffer.concat([answer, bytes])
        if (answer.length >= answerBytesMax) settle(null)
      })
      response.on("error", () => settle(null))
      response.on("end", () => settle(null))
    })
    request.end(body)
  })
}

const closed = "the connection was closed without an answer"
const notHttp = "the answer is not HTTP"

function describe({ code, message }: Error & { code?: string }): string {
  if (message === "socket hang up") return closed
  return code?.startsWith("HPE_") ? notHttp : (code ?? message)
}

/** PostgreSQL keeps no zero bytes. A cut character at the end is left out. */
const textOf = (bytes: Buffer) =>
  new TextDecoder("utf-8")
    .decode(bytes.subarray(0, answerBytesMax), { stream: true })
    .replaceAll("\0", "\uFFFD")

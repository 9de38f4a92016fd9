/**
 * One POST over a socket of its own. Not `fetch`: that resolves the host once more, follows the proxies of the
 * environment, and reads as much as the other side sends.
 */
import { connect as connectPlain, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import type { Attempt } from "../domain/events/message.ts"
import type { Target } from "./target.ts"

/** Heads and the first kilobyte are smaller; no more is read, whatever the other side goes on sending. */
const readBytesMax = 16_384
const answerBytesMax = 1_024

/** Resolves with what came of it, within `timeoutMs`; never rejects. */
export function post(
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
  { timeoutMs, signal }: Readonly<{ timeoutMs: number; signal: AbortSignal }>,
): Promise<Attempt> {
  return new Promise((resolve) => {
    const answer = createAnswer()
    const socket = open(target)
    let isSettled = false
    function settle(problem: string | null): void {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      signal.removeEventListener("abort", abort)
      socket.destroy()
      const { status, text } = answer.read()
      resolve({ status, problem: status === null ? problem : null, answer: text })
    }
    const abort = () => settle("the server stopped")
    const timer = setTimeout(() => settle(`no answer within ${timeoutMs / 1000} s`), timeoutMs)
    signal.addEventListener("abort", abort)
    if (signal.aborted) abort()
    socket.on("error", (error) => settle(describe(error)))
    socket.on("close", () => settle("the connection was closed without an answer"))
    socket.on("end", () => settle("the connection was closed without an answer"))
    socket.on("data", (bytes: Buffer) => {
      const isOver = answer.add(bytes)
      if (isOver) settle("the answer is not HTTP")
    })
    socket.on(target.isTls ? "secureConnect" : "connect", () => {
      const lines = Object.entries({
        Host: target.host,
        ...headers,
        "Content-Length": String(Buffer.byteLength(body)),
        Connection: "close",
      }).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`POST ${target.path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
    })
  })
}

function open({ address, port, isTls, hostname }: Target): Socket {
  if (!isTls) return connectPlain({ host: address, port })
  // A name goes into the handshake, an address does not (RFC 6066).
  const named = isIP(hostname) === 0 ? { servername: hostname } : {}
  return connectTls({ host: address, port, ...named, rejectUnauthorized: true })
}

const describe = (error: Error & { code?: string }) => error.code ?? error.message

/** Reads the status and the first kilobyte of the body of an HTTP/1 answer. */
function createAnswer() {
  let head = Buffer.alloc(0)
  let status: number | null = null
  let isChunked = false
  let length = Number.POSITIVE_INFINITY
  let body: Buffer | null = null
  let readBytes = 0

  /** True if what came is no head. */
  function readHead(): boolean {
    for (;;) {
      const end = head.indexOf("\r\n\r\n")
      if (end === -1) return false
      const text = head.subarray(0, end).toString("latin1")
      const [, code] = /^HTTP\/1\.[01] (\d{3})(?: |\r\n|$)/.exec(text) ?? []
      if (code === undefined) return true
      const rest = head.subarray(end + 4)
      // 100 and 103 come before the answer.
      if (code.startsWith("1")) {
        head = rest
        continue
      }
      status = Number(code)
      isChunked = /\r\ntransfer-encoding:[^\r\n]*chunked/i.test(text)
      const [, given] = /\r\ncontent-length: *(\d+)/i.exec(text) ?? []
      if (given !== undefined) length = Number(given)
      body = rest
      return false
    }
  }
  function isWhole(bytes: Buffer): boolean {
    if (status === 204 || status === 304) return true
    if (isChunked) return unchunk(bytes).isWhole
    return bytes.length >= Math.min(length, answerBytesMax)
  }
  return {
    /** True when no more is needed. */
    add(bytes: Buffer): boolean {
      readBytes += bytes.length
      if (body === null) {
        head = Buffer.concat([head, bytes])
        if (readHead()) return true
      } else {
        body = Buffer.concat([body, bytes])
      }
      return readBytes > readBytesMax || (body !== null && isWhole(body))
    },
    read() {
      const bytes = body === null ? Buffer.alloc(0) : isChunked ? unchunk(body).bytes : body
      // PostgreSQL keeps no zero bytes. A cut character at the end is left out.
      const text = new TextDecoder("utf-8").decode(bytes.subarray(0, answerBytesMax), {
        stream: true,
      })
      return { status, text: text.replaceAll("\0", "\uFFFD") }
    },
  }
}

/** Of the chunks that are there; whole at the last chunk, or when there is a kilobyte. */
function unchunk(coded: Buffer): Readonly<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let total = 0
  let at = 0
  while (total < answerBytesMax) {
    const end = coded.indexOf("\r\n", at)
    if (end === -1) return { bytes: Buffer.concat(chunks), isWhole: false }
    const size = Number.parseInt(coded.subarray(at, end).toString("latin1"), 16)
    if (!(size > 0)) return { bytes: Buffer.concat(chunks), isWhole: true }
    const chunk = coded.subarray(end + 2, end + 2 + size)
    chunks.push(chunk)
    total += chunk.length
    at = end + 2 + size + 2
  }
  return { bytes: Buffer.concat(chunks), isWhole: true }
}

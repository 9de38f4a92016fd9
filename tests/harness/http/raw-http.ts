import { connect } from "node:net"
import { workMsMax } from "../until.ts"

/** Sends the pieces in order and returns all bytes until the connection ends. */
export function sendRaw(url: string, ...pieces: (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, async () => {
      for (const piece of pieces) {
        socket.write(piece)
        await Bun.sleep(20)
      }
    })
    const finish = () => resolve(Buffer.concat(chunks).toString("utf8"))
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)))
    socket.on("close", finish)
    // The server may respond and close before all pieces were sent.
    socket.on("error", (error) => (chunks.length > 0 ? finish() : reject(error)))
    socket.setTimeout(workMsMax, () => {
      socket.destroy()
      reject(new Error("no end came"))
    })
  })
}

/** The last response: an interim one, such as 100 Continue, may precede it. */
export function parseRaw(text: string) {
  const start = text.lastIndexOf("HTTP/1.1 ")
  const [head = "", ...rest] = text.slice(start).split("\r\n\r\n")
  const [statusLine = "", ...lines] = head.split("\r\n")
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string])) // The regular expression has two groups: name and value.
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") }
}

/**
 * Sends the first piece, and each further one after a response to the pieces before it. Then ends its side, unless it
 * `waits`, and returns all bytes until the server ends the other side. One character is one byte.
 */
export function exchange(
  url: string,
  pieces: readonly string[],
  { waits = false } = {},
): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const rest = [...pieces]
    const received: Buffer[] = []
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, sendNext)
    function sendNext(): void {
      const piece = rest.shift()
      if (piece !== undefined) socket.write(Buffer.from(piece, "latin1"))
      if (rest.length === 0 && !waits) socket.end()
    }
    const finish = () => {
      socket.destroy()
      resolve(Buffer.concat(received).toString("latin1"))
    }
    socket.on("data", (chunk) => {
      received.push(Buffer.from(chunk))
      if (rest.length > 0) sendNext()
    })
    socket.on("end", finish)
    // The server may reject a message and close before all of it was sent.
    socket.on("error", finish)
    socket.setTimeout(workMsMax, () => {
      socket.destroy()
      reject(new Error("no end came"))
    })
  })
}

export const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** What one author can do to a server: run as a process of its own, so that it does not slow the measuring. */
import { connect, type Socket } from "node:net"
import { openVisitor } from "../browser/visitor.ts"

const [work = "", url = "", key = "", name = ""] = process.argv.slice(2)

function askForList(headers: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  socket.write(`GET /api/items/all HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n${headers}\r\n`)
  return socket
}

async function visit(path: (round: number) => string, atOnce: number): Promise<void> {
  const visitor = openVisitor(url)
  await visitor.signIn(name)
  tell()
  const again = async (lane: number) => {
    for (let round = lane; ; round += atOnce) await visitor.get(path(round))
  }
  await Promise.all(Array.from({ length: atOnce }, (_, lane) => again(lane)))
}

/** Reads the list again and again, as fast as it comes. */
function readOn(headers: string): void {
  const socket = askForList(`${headers}Connection: close\r\n`)
  socket.resume()
  socket.once("close", () => readOn(headers))
}

const tell = () => console.log("working")

const works: Readonly<Record<string, () => unknown>> = {
  search: () => visit((round) => `/workspace/items?q=tema+${round}&sort=name`, 4),
  keys: () => visit(() => "/workspace/settings/keys", 4),
  unread() {
    for (let count = 0; count < 200; count += 1) askForList("").pause()
    tell()
  },
  gzip() {
    for (let count = 0; count < 50; count += 1) readOn("Accept-Encoding: gzip\r\n")
    tell()
  },
}
works[work]?.()

import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { connect } from "node:net"
import { inFlightMsMax } from "../../src/server/listener.ts"
import { parseRaw } from "../harness/http/raw-http.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  type RunningServer,
  readPazar,
  runPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { until } from "../harness/until.ts"

let folder: string
beforeEach(async () => {
  folder = await createStoreFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

const serve = (env: Record<string, string> = {}) =>
  runPazar(folder, ["serve"], { env: { PORT: "0", ...env } })
const otherKey = Buffer.alloc(32, 7).toString("base64")

test("the master key of another database is rejected", async () => {
  await (await startServer(folder)).stop()
  expect(await serve({ PAZAR_MASTER_KEY: otherKey })).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^pazar: .+\n$/),
  })
})

describe("stopping", () => {
  const feed = toFeed([account("elif"), item("elif", 1), purchase("code-1", 1)])
  const token = "operator-token-of-32-characters-or-more"

  test("an idle keep-alive connection does not delay a stop", async () => {
    const server = await startServer(folder)
    const idle = await openConnection(server)
    idle.socket.write(`GET / HTTP/1.1\r\nHost: pazar\r\n\r\n`)
    await until(() => (idle.received().includes("Pazar") ? true : undefined))
    const startedAt = performance.now()
    expect((await server.stop()).status).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(inFlightMsMax)
  })

  test("a validation whose body is still arriving gets its response", async () => {
    await readPazar(folder, ["import", "-"], { input: feed })
    const key = await readPazar(folder, ["key", "create", "elif"])
    const server = await startServer(folder)
    const { socket, received, closed } = await openConnection(server)
    const body = JSON.stringify({ api_key: key.trim(), purchase_code: "code-1" })
    const head = `POST /api/purchases/validation HTTP/1.1\r\nHost: pazar\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(head + body.slice(0, 20))
    await whenAccepted(received)
    server.child.kill("SIGINT")
    await whenStopping(server)
    socket.write(body.slice(20))
    expect((await server.ended).status).toBe(0)
    await closed
    const response = parseRaw(received())
    expect({
      status: response.status,
      code: JSON.parse(response.body).data.purchase.purchase_code,
    }).toEqual({
      status: 200,
      code: "code-1",
    })
  })

  test("a feed that is still arriving is read to its end", async () => {
    const server = await startServer(folder, { PAZAR_OPERATOR_TOKEN: token })
    const { socket, received, closed } = await openConnection(server)
    const half = feed.indexOf("\n") + 10
    const bytes = Buffer.from(feed)
    socket.write(
      `POST /operator/feed HTTP/1.1\r\nHost: pazar\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, half))
    await whenAccepted(received)
    server.child.kill("SIGINT")
    await whenStopping(server)
    socket.write(bytes.subarray(half))
    expect((await server.ended).status).toBe(0)
    await closed
    const { status, body } = parseRaw(received())
    expect({ status, ...JSON.parse(body) }).toEqual({
      status: 200,
      accepted: 3,
      adjusted: 0,
      waiting: 0,
      rejected: 0,
      removed: 0,
      revoked: 0,
      restored: 0,
      seconds: expect.any(Number),
      refused: [],
    })
    const stdout = await readPazar(folder, ["export"])
    expect(stdout.split("\n").length - 1).toBe(3)
  })
})

/** The server sends "100 Continue" after it has read the head of the request. */
const whenAccepted = (received: () => string) =>
  until(() => (received().includes("100 Continue") ? true : undefined))

/** A server that does not wait would have exited after this line. */
const whenStopping = ({ stderr }: RunningServer) =>
  until(() => (stderr().includes('"message":"stopping"') ? true : undefined))

async function openConnection({ url }: RunningServer) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ""
  socket.setEncoding("utf8").on("data", (part) => {
    text += part
  })
  const closed = new Promise((resolve) => socket.on("close", resolve))
  await new Promise((resolve) => socket.on("connect", resolve))
  return { socket, received: () => text, closed }
}

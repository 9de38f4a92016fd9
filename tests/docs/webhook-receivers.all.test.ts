import { afterAll, beforeAll, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { commandLine } from "../../src/access/actor.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { createEndpoint, sendTestEvent } from "../../src/webhooks/endpoint-operations.ts"
import { pickFreePort } from "../harness/free-port.ts"
import { sendRaw } from "../harness/http/raw-http.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { plainEnvironment } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"
import { loopbackIpRanges } from "../harness/webhook-receiver.ts"

const folder = join(import.meta.dir, "../../examples/webhooks")
const commands: Readonly<Record<string, (port: number) => readonly string[]>> = {
  // The extension ctype is missing on some hosts.
  "receive.php": (port) => [
    ...["php", "-d", "disable_functions=ctype_digit"],
    ...["-S", `127.0.0.1:${port}`, "receive.php"],
  ],
  "receive.mjs": () => ["node", "receive.mjs"],
  "receive.py": () => ["python3", "receive.py"],
  "chat.mjs": () => ["node", "chat.mjs"],
}
const names = Object.keys(commands)

let program: Program
let chat: Bun.Server<undefined>
const chatMessages: string[] = []
const running: Bun.Subprocess[] = []
beforeAll(async () => {
  program = await startProgram(loopbackIpRanges)
  await program.load([account("ada"), item("ada", 1)])
  chat = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      chatMessages.push(JSON.parse(await request.text()).text)
      return new Response()
    },
  })
  program.startHousekeeping()
})
afterAll(async () => {
  for (const each of running) each.kill()
  await Promise.all(running.map(({ exited }) => exited))
  await chat.stop(true)
  await program.close()
})

const services = () => program.app.endpointServices(commandLine)

const run = (name: string, port: number, secret: string, cwd = folder) =>
  running.push(
    Bun.spawn([...(commands[name]?.(port) ?? [])], {
      cwd,
      env: {
        ...plainEnvironment,
        PORT: String(port),
        WEBHOOK_SECRET: secret,
        CHAT_URL: chat.url.href,
      },
      stdio: ["ignore", "ignore", "ignore"],
    }),
  )

const body = JSON.stringify({ type: "endpoint.test", data: {} })
const send = (url: string, at: Date, signature: string) =>
  fetch(url, {
    method: "POST",
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signature,
    },
    body,
  })

const testSecret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

const breakOff = (port: number) =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", () =>
        setTimeout(() => socket.resetAndDestroy(), 100),
      )
    })
    socket.on("close", resolve)
  })

async function start(name: string, cwd = folder) {
  const port = pickFreePort()
  const url = `http://127.0.0.1:${port}/`
  const endpoint = await createEndpoint(services(), null, {
    url,
    events: ["purchase.created"],
  })
  run(name, port, endpoint.secret, cwd)
  const forged = await until(
    () => send(url, new Date(), "v1,AAAA").catch(() => undefined),
    workMsMax,
  )
  await breakOff(port)
  const old = new Date(Date.now() - 301_000)
  const repeated = await send(url, old, new Webhook(endpoint.secret).sign("msg_1", old, body))
  expect([name, forged.status, repeated.status]).toEqual([name, 400, 400])
  return endpoint.endpoint
}

const untilDelivered = (id: string) =>
  until(async () => {
    const found = await program.app.store.messages.find(id)
    return found?.delivery.state === "delivered" ? true : undefined
  })

test.each(names)(
  "%s accepts a genuine event, rejects a forged and an old one, and survives a broken connection",
  async (name) => {
    const endpoint = await start(name)
    await untilDelivered(await sendTestEvent(services(), endpoint))
  },
)

test.each([
  ["php", "receive.php"],
  ["js", "receive.mjs"],
])("the %s sample of the page does the same in both languages", async (language, name) => {
  for (const locale of ["en", "tr"]) {
    const page = await (await fetch(`${program.url}/docs/webhooks.md?lang=${locale}`)).text()
    const [, sample = ""] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page) ?? []
    const cwd = mkdtempSync(join(program.folder, "sample-"))
    symlinkSync(join(import.meta.dir, "../../node_modules"), join(cwd, "node_modules"))
    writeFileSync(join(cwd, name), sample)
    const endpoint = await start(name, cwd)
    await untilDelivered(await sendTestEvent(services(), endpoint))
  }
})

/** PHP has its own limit, post_max_size. */
test.each(names.filter((name) => name !== "receive.php"))(
  "413: %s stops reading a body that is too long",
  async (name) => {
    const port = pickFreePort()
    run(name, port, testSecret)
    const url = `http://127.0.0.1:${port}/`
    const post = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    const tooLong = "x".repeat(2_000_001)
    // The connection may be reset before the response was read.
    const untilRejected = (request: string) =>
      until(async () => {
        const response = await sendRaw(url, request).catch(() => "")
        return /^HTTP\/1\.[01] 413 /.test(response) || undefined
      }, workMsMax)
    await untilRejected(`${post}Content-Length: 9000000\r\n\r\n${tooLong}`)
    await untilRejected(`${post}Transfer-Encoding: chunked\r\n\r\n${chunk(tooLong)}`)
  },
)

test.each(names)("%s reads a chunked body", async (name) => {
  const port = pickFreePort()
  run(name, port, testSecret)
  const at = new Date()
  const head = [
    ...["POST / HTTP/1.1", "Host: localhost", "Connection: close", "webhook-id: msg_1"],
    `webhook-timestamp: ${Math.floor(at.getTime() / 1000)}`,
    `webhook-signature: ${new Webhook(testSecret).sign("msg_1", at, body)}`,
    "Transfer-Encoding: chunked\r\n\r\n",
  ]
  const chunks = [chunk(body.slice(0, 9)), chunk(body.slice(9)), chunk("")]
  const request = head.join("\r\n") + chunks.join("")
  const response = await until(
    () => sendRaw(`http://127.0.0.1:${port}/`, request).catch(() => undefined),
    workMsMax,
  )
  expect(response).toMatch(/^HTTP\/1\.[01] 204 /)
})

/** Anybody can sign with an empty secret. The library of the other receivers throws without one. */
test.each(["receive.php", "receive.py"])("%s without its secret accepts nothing", async (name) => {
  const port = pickFreePort()
  run(name, port, "")
  const at = new Date()
  const signed = `msg_1.${Math.floor(at.getTime() / 1000)}.${body}`
  const signature = `v1,${createHmac("sha256", "").update(signed).digest("base64")}`
  const url = `http://127.0.0.1:${port}/`
  const { status } = await until(() => send(url, at, signature).catch(() => undefined), workMsMax)
  expect(status).toBe(400)
})

test("a sale is posted to the chat", async () => {
  await program.load([purchase("sold", 1, { date: formatTimestamp(new Date()) })])
  await until(() => chatMessages.find((text) => text.includes(" Ürün 1 ")))
})

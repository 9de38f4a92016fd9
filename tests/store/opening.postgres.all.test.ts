import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Client } from "pg"
import { pickFreePort } from "../harness/free-port.ts"
import { temporaryFolder } from "../harness/program.ts"
import { readPazar, runPazar } from "../harness/run-pazar.ts"
import { createPostgresStore, type PostgresStore } from "../harness/stores/test-stores.ts"

let folder: string
let store: PostgresStore
let good: URL
beforeAll(async () => {
  folder = temporaryFolder()
  store = await createPostgresStore()
  good = new URL(store.DATABASE_URL)
})
afterAll(() => rmSync(folder, { recursive: true }))

type Change = Partial<Pick<URL, "hostname" | "port" | "username" | "password" | "pathname">>
const changed = (change: Change) => Object.assign(new URL(good), change).href

async function opening(url: string): Promise<string> {
  const env = { ...store, DATABASE_URL: url }
  const { status, stdout, stderr } = await runPazar(folder, ["migrate"], { env })
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
  const { host, pathname, password } = new URL(url)
  for (const secret of [url, password]) expect(stderr).not.toContain(secret)
  expect(stderr).toMatch(new RegExp(`^pazar: .*\\b${pathname.slice(1)} .*${host}.*\n$`))
  return stderr
}

/** Runs a fake server on a free port while `use` runs. */
async function beside(serve: (socket: Socket) => void, use: (port: string) => Promise<void>) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // `as`: the server listens on a port, not on a path.
  await use(String((server.address() as AddressInfo).port))
  server.close()
  for (const socket of sockets) socket.destroy()
}

test("a closed port", async () => {
  const port = String(pickFreePort())
  expect(await opening(changed({ port }))).toContain("DATABASE_URL")
})

test("an unknown host", async () => {
  const url = changed({ hostname: "no-such-host.invalid" })
  expect(await opening(url)).toContain("DATABASE_URL")
})

test("a server that never responds", async () => {
  await beside(
    () => {},
    async (port) => expect(await opening(changed({ port }))).toContain("DATABASE_URL"),
  )
})

test("a wrong password, and an unknown user", async () => {
  const wrong = await opening(changed({ password: "hunter2" }))
  expect(wrong).toMatch(/DATABASE_URL.*%40/)
  expect(await opening(changed({ username: "nobody", password: "hunter2" }))).toBe(wrong)
})

test("an unknown database", async () => {
  const message = await opening(changed({ pathname: "/nowhere" }))
  expect(message).toContain("DATABASE_URL")
  expect(message).not.toContain("%40")
})

test("a user who cannot create tables", async () => {
  const client = new Client({ connectionString: good.href })
  await client.connect()
  await client.query("CREATE ROLE guest LOGIN PASSWORD 'guest-password'")
  await client.end()
  expect(await opening(changed({ username: "guest", password: "guest-password" }))).toContain(
    "GRANT CREATE ON SCHEMA public",
  )
})

test("a backup names `pg_dump`, also for a database of another version, unless it cannot be opened", async () => {
  const backUp = (DATABASE_URL: string) =>
    runPazar(folder, ["backup", "pazar.db"], { env: { ...store, DATABASE_URL } })
  const message = (hint: string) => {
    const dump = RegExp.escape('`pg_dump --format=custom --file=FILE "$DATABASE_URL"`')
    const database = `${good.pathname.slice(1)} .*${good.host}`
    const stderr = expect.stringMatching(new RegExp(`^pazar: .*${database}.*${hint}[^]*${dump}`))
    return { status: 2, stdout: "", stderr }
  }
  expect(await backUp(good.href)).toEqual(message(""))
  expect(await backUp(changed({ password: "hunter2" }))).toEqual(message("%40"))
})

const respondWith = (change: (text: string) => string) => (client: Socket) => {
  const server = connect(Number(good.port), good.hostname)
  server.on("data", (bytes) => {
    client.write(Buffer.from(change(bytes.toString("latin1")), "latin1"))
  })
  client.on("data", (bytes) => server.write(bytes))
  client.on("close", () => server.destroy())
  server.on("close", () => client.destroy())
}

test("a server that is older than the minimum version", async () => {
  const pretend = respondWith((text) => text.replace(/1[4-9]\d{4}/, "120022"))
  await beside(pretend, async (port) =>
    expect(await opening(changed({ port }))).toMatch(/\b12\b.*\b13\b/),
  )
})

test("a server that closes the connection right after the login", async () => {
  const ready = "Z\0\0\0\x05I"
  const farewell = "SFATAL\0C57P01\0Mterminating connection\0\0"
  const error = `E\0\0\0${String.fromCharCode(farewell.length + 4)}${farewell}`
  await beside(
    respondWith((text) => text.replace(ready, ready + error)),
    async (port) => expect(await opening(changed({ port }))).toContain("DATABASE_URL"),
  )
})

test("a database of a newer version is rejected and not changed", async () => {
  const newer = await createPostgresStore()
  await readPazar(folder, ["migrate"], { env: newer })
  const client = new Client({ connectionString: newer.DATABASE_URL })
  await client.connect()
  await client.query("UPDATE schema_version SET version = 9999")
  expect(await runPazar(folder, ["export"], { env: newer })).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^pazar: .*\b9999\b.*\n$/),
  })
  await client.end()
})

const slips = [
  ...["postgres:/pazar:hunter2@db/pazar", "postgress://pazar:hunter2@db/pazar"],
  ...["postgres://pazar:hun/ter2@db/pazar", "postgres://pazar:hun#ter2@db/pazar"],
  ...["postgres://pazar:hunter2@db:five/pazar", "pazar:hunter2@db/pazar"],
  ...["postgres://pazar:12345#PW@db/pazar", "postgres:///pazar:hunter2@127.0.0.1/pazar"],
]
test.each(slips)("an invalid URL: %s", async (url) => {
  const { status, stdout, stderr } = await runPazar(folder, ["migrate"], {
    env: { ...store, DATABASE_URL: url },
  })
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
  expect(stderr).toMatch(/^pazar: .+\n- DATABASE_URL .+\n$/)
  expect(stderr).not.toMatch(/hun.?ter2|12345/)
})

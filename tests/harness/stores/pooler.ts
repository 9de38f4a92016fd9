/** A real PgBouncer in front of a server, and a recorder of startup packets. */
import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { pickFreePort } from "../free-port.ts"
import { until, workMsMax } from "../until.ts"
import { addressOf, queryPostgres, superuser } from "./postgres-server.ts"

export type Pooler = Readonly<{ port: number; log(): string; stop(): Promise<void> }>

const program = Bun.which("pgbouncer") ?? "/usr/sbin/pgbouncer"

/** In transaction mode, with two connections to the server. */
export async function startPgBouncer(serverPort: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "pazar-pgbouncer-"))
  // PgBouncer refuses to run as root, and its own user must be able to write here.
  chmodSync(folder, 0o777)
  const port = pickFreePort()
  const { user, password } = superuser
  const settings = [
    "[databases]",
    `* = host=127.0.0.1 port=${serverPort} user=${user} password=${password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 2",
    "server_login_retry = 1",
    "max_client_conn = 500",
    `logfile = ${join(folder, "log")}`,
  ]
  writeFileSync(join(folder, "pgbouncer.ini"), settings.join("\n"))
  const asUser = userInfo().uid === 0 ? ["-u", "nobody"] : []
  const options = ["-q", ...asUser, join(folder, "pgbouncer.ini")]
  // When this process ends, even by a kill, the pipe closes, and the shell ends the pooler.
  const script = '"$@" & read -r _; kill -9 $!; wait; rm -rf "$0"'
  const shell = spawn("sh", ["-c", script, folder, program, ...options], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  shell.unref()
  const respond = () =>
    queryPostgres(addressOf(port, "postgres"), "SELECT 1").catch(() => undefined)
  await until(respond, workMsMax)
  return {
    port,
    log: () => readFileSync(join(folder, "log"), "utf8"),
    async stop() {
      const ended = new Promise((resolve) => shell.once("close", resolve))
      shell.stdin?.end()
      await ended
    },
  }
}

export type StartupRecorder = Readonly<{ port: number; startups(): string; close(): void }>

/** Forwards connections and records their first packets. */
export async function recordStartups(serverPort: number): Promise<StartupRecorder> {
  let startups = ""
  const listener = createServer((client) => {
    client.once("data", (startup) => {
      startups += startup.toString("latin1")
      const server = connect(serverPort, "127.0.0.1")
      server.write(startup)
      client.pipe(server).pipe(client)
      for (const socket of [client, server]) socket.on("error", () => {})
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  return {
    // `as`: the server listens on a port, not on a path.
    port: (listener.address() as AddressInfo).port,
    startups: () => startups,
    close: () => void listener.close(),
  }
}

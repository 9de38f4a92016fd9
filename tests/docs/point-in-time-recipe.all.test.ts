import { afterAll, beforeAll, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { pickFreePort } from "../harness/free-port.ts"
import { temporaryFolder } from "../harness/program.ts"
import { createPostgres } from "../harness/stores/create-stores.ts"
import { queryPostgres } from "../harness/stores/postgres-server.ts"
import { accountRecord, put } from "../harness/stores/store-records.ts"
import { until, workMsMax } from "../harness/until.ts"

const installed = "/usr/lib/postgresql"
const versions = readdirSync(installed).toSorted()
const programs = join(installed, versions.at(-1) ?? "", "bin")

const page = readFileSync(join(import.meta.dir, "../../docs/backup.md"), "utf8")
function exampleOf(text: string): string {
  const examples = page.split(/^```.*\n/m).filter((_, at) => at % 2 === 1)
  const found = examples.find((example) => example.includes(text)) ?? ""
  return found.replaceAll("/var/backups", folder)
}

let folder = ""
const port = pickFreePort()
const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`

beforeAll(() => {
  folder = temporaryFolder()
  chmodSync(folder, 0o777)
})
afterAll(() => {
  run("pg_ctl -D data -m immediate stop")
  rmSync(folder, { recursive: true, force: true })
})

/** The PostgreSQL server refuses to run as root. */
function run(script: string): string {
  const path = `${programs}:${process.env.PATH}`
  const env = { PATH: path, ADMIN_URL: urlOf("postgres"), LC_ALL: "C.UTF-8" }
  const shell = ["sh", "-ec", script] as const
  const [program = "", ...args] =
    process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--", ...shell] : shell
  const { status, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  })
  return status === 0 ? "" : `${script}: ${stderr} ${error ?? ""}`
}
const start = `pg_ctl -D data -l log -o "-p ${port} -k '' -c listen_addresses=127.0.0.1 -c fsync=off" -w -t 300 start 2>> ctl`

test("a base backup and the archived log restore what was written after it", async () => {
  const archive = exampleOf("archive_mode")
  expect(
    run(`initdb -D data -A trust -U postgres
    mkdir wal
    cat >> data/postgresql.conf <<'END'
${archive}END
    ${start}`),
  ).toBe("")
  await queryPostgres(urlOf("postgres"), "CREATE DATABASE pazar")
  const store = await createPostgres({ url: urlOf("pazar"), connectionsMax: 2 })
  await put(store, accountRecord("before"))
  expect(run(exampleOf("pg_basebackup --pgdata"))).toBe("")
  await put(store, accountRecord("after"))
  await store.close()
  const [{ name } = { name: "" }] = await queryPostgres<{ name: string }>(
    urlOf("postgres"),
    "SELECT pg_walfile_name(pg_switch_wal()) AS name",
  )
  await until(async () => {
    const archived = await queryPostgres(
      urlOf("postgres"),
      `SELECT 1 FROM pg_stat_archiver WHERE last_archived_wal >= '${name}'`,
    )
    return archived.length > 0 || undefined
  }, workMsMax)
  const recovery = exampleOf("restore_command").replace(/recovery_target_time.*\n/, "")
  expect(
    run(`pg_ctl -D data -m immediate stop
    mv data lost
    cp -a base data
    cat >> data/postgresql.conf <<'END'
${recovery}END
    touch data/recovery.signal
    ${start}`),
  ).toBe("")
  await until(async () => {
    const recovered = await queryPostgres(urlOf("pazar"), "SELECT 1 WHERE NOT pg_is_in_recovery()")
    return recovered.length > 0 || undefined
  }, workMsMax)
  const rows = await queryPostgres(urlOf("pazar"), "SELECT username FROM accounts ORDER BY id")
  expect(rows).toEqual([{ username: "before" }, { username: "after" }])
})

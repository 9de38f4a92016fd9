import { spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createConnection } from "mysql2/promise"
import { pickFreePort } from "../free-port.ts"
import { until, workMsMax } from "../until.ts"

const program = Bun.which("mariadbd") ?? "/usr/sbin/mariadbd"

let server: Promise<number> | null = null
let databases = 0

export async function createMariadbDatabase(): Promise<string> {
  server ??= start()
  const port = await server
  databases += 1
  const name = `store_${databases}`
  await queryMariadb(addressOf(port, ""), `CREATE DATABASE ${name} CHARACTER SET utf8mb4`)
  return addressOf(port, name)
}

const addressOf = (port: number, database: string) => `mysql://shop@127.0.0.1:${port}/${database}`

/** Executes any number of statements and returns the rows of the last. */
export async function queryMariadb(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection({ uri: url, multipleStatements: true })
  try {
    const [rows] = await connection.query(sql)
    return rows
  } finally {
    await connection.end()
  }
}

/** Starts without tables of users, in half a second, and accepts every name and password. */
async function start(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "pazar-mariadb-"))
  const port = pickFreePort()
  const options = [
    "--no-defaults",
    ...[`--datadir=${folder}`, "--user=root", "--skip-grant-tables", "--skip-networking=0"],
    ...["--bind-address=127.0.0.1", `--port=${port}`, `--socket=${folder}/socket`],
    ...["--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=16M"],
    ...["--innodb-log-file-size=4M", "--innodb-data-file-path=ibdata1:4M:autoextend"],
  ]
  // When this process ends, even by a kill, the pipe closes, and the shell ends the server.
  const script = '"$@" & read -r _; kill -9 $!; wait; rm -rf "$0"'
  const shell = spawn("sh", ["-c", script, folder, program, ...options], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  shell.unref()
  await until(async () => {
    try {
      return await queryMariadb(addressOf(port, ""), "SELECT 1")
    } catch {
      return undefined
    }
  }, workMsMax)
  return port
}

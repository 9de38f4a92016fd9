/** Two PostgreSQL servers under a real Patroni, with one etcd. */
import { spawn } from "node:child_process"
import { chmodSync, globSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { until } from "../../contracts/until.ts"
import { pickFreePort } from "../free-port.ts"
import { temporaryFolder } from "../program.ts"
import { addressOf, askPostgres, endWithThisProcess, signalServer, superuser } from "./postgres.ts"

export type Member = Readonly<{
  port: number
  /** Kills PostgreSQL, which Patroni starts again. */
  killServer(): void
  /** Kills PostgreSQL and its Patroni, as a machine that fails. */
  killAll(): void
  /** Starts a Patroni that was killed. */
  startAgain(): void
  stop(): void
}>

export type Cluster = Readonly<{
  /** Null while none is writable. */
  findPrimary(): Promise<Member | null>
  /** Resolves when a standby has everything that the primary has. */
  untilReplicated(): Promise<void>
  members: readonly Member[]
  stop(): void
}>

const { stdout: found } = Bun.spawnSync(["which", "patroni", "etcd"])
const [initdb] = globSync("/usr/lib/postgresql/*/bin/initdb")

export async function startPatroni(): Promise<Cluster> {
  if (found.toString().split("\n").length < 3 || initdb === undefined) {
    throw new Error("Patroni is not installed: apt-get install patroni etcd-server postgresql")
  }
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const [client, peer] = [pickFreePort(), pickFreePort()].map((port) => `http://127.0.0.1:${port}`)
  const etcd = run(folder, [
    ...["etcd", "--data-dir", join(folder, "etcd"), "--initial-cluster", `default=${peer}`],
    ...["--listen-client-urls", `${client}`, "--advertise-client-urls", `${client}`],
    ...["--listen-peer-urls", `${peer}`, "--initial-advertise-peer-urls", `${peer}`],
  ])
  const members = ["one", "two"].map((name) => startMember(folder, name, client ?? ""))
  const read = async <Row>(member: Member, sql: string) =>
    (await askPostgres<Row>(addressOf(member.port, "postgres"), sql).catch(() => []))[0]
  async function findPrimary(): Promise<Member | null> {
    const setting = "SELECT current_setting('transaction_read_only') AS setting"
    const states = members.map(async (member) => {
      const row = await read<{ setting: string }>(member, setting)
      return row?.setting === "off" ? member : null
    })
    return (await Promise.all(states)).find((member) => member !== null) ?? null
  }
  async function untilReplicated(): Promise<void> {
    const replayed = `SELECT 1 FROM pg_stat_replication
      WHERE state = 'streaming' AND replay_lsn = pg_current_wal_lsn()`
    await until(async () => {
      const primary = await findPrimary()
      return primary === null ? undefined : await read(primary, replayed)
    })
  }
  await untilReplicated()
  return {
    findPrimary,
    untilReplicated,
    members,
    stop() {
      for (const member of members) member.stop()
      etcd.kill()
    },
  }
}

function startMember(folder: string, name: string, etcd: string): Member {
  const [port, rest] = [pickFreePort(), pickFreePort()]
  const own = join(folder, name)
  mkdirSync(own)
  const data_dir = join(own, "data")
  const { user: username, password } = superuser
  // The intervals are Patroni's own: ttl 30, loop_wait 10 and retry_timeout 10 seconds.
  const config = {
    scope: "pazar",
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: new URL(etcd).host },
    bootstrap: {
      dcs: { postgresql: { use_pg_rewind: true } },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir,
      bin_dir: dirname(initdb ?? ""),
      pgpass: join(own, "pgpass"),
      parameters: { unix_socket_directories: own },
      pg_hba: ["host all all 127.0.0.1/32 md5", "host replication all 127.0.0.1/32 md5"],
      authentication: {
        superuser: { username, password },
        replication: { username: "replicator", password },
      },
    },
  }
  // JSON is YAML.
  writeFileSync(join(own, "patroni.json"), JSON.stringify(config))
  Bun.spawnSync(["chown", "-R", "postgres:", own])
  const forget = endWithThisProcess(own)
  const start = () => run(folder, ["patroni", join(own, "patroni.json")], "postgres")
  let patroni = start()
  const killServer = () => signalServer(data_dir, "SIGKILL")
  return {
    port,
    killServer,
    killAll() {
      patroni.kill()
      killServer()
    },
    startAgain() {
      patroni = start()
    },
    stop() {
      patroni.kill()
      forget()
    },
  }
}

/** As `user` if this process may choose. When this process ends, even by a kill, the pipe closes, and the shell kills the program. */
function run(folder: string, command: readonly string[], user?: string) {
  const mayChoose = user !== undefined && process.getuid?.() === 0
  const id = (option: string) => Number(Bun.spawnSync(["id", option, user ?? ""]).stdout)
  const shell = spawn("sh", ["-c", '"$@" & read -r _; kill -9 $!', "sh", ...command], {
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    ...(mayChoose && { uid: id("-u"), gid: id("-g") }),
  })
  return { kill: () => void shell.stdin.end() }
}

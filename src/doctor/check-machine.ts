/** Checks the settings and this machine: free disk space, file descriptors, and file permissions. */
import { readFileSync, statfsSync, statSync } from "node:fs"
import { platform } from "node:os"
import { dirname } from "node:path"
import { type Config, ConfigError, readConfig } from "../config/config.ts"
import type { Environment } from "../platform/cli/command.ts"
import { message } from "../platform/problem.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

/** The write-ahead log of a large import needs this much. */
const freeBytesMin = 256_000_000
/** Each connection uses a descriptor, and a proxy keeps hundreds of connections open. */
const openFilesMin = 4_096

export function checkMachine(config: Config): readonly Finding[] {
  const disk = readDiskSpace(config)
  return [
    ...(disk === null ? [] : [checkDiskSpace(disk.freeBytes, disk.storeBytes)]),
    ...checkFileLimit(readFileLimit()),
    ...checkPermissions(config),
  ]
}

export function checkDiskSpace(freeBytes: number, storeBytes: number): Finding {
  const detail = message("disk_space", { free: freeBytes, used: storeBytes })
  const hint = message("free_disk")
  if (freeBytes < freeBytesMin) return problem("disk", detail, hint)
  return freeBytes < storeBytes ? warning("disk", detail, hint) : ok("disk", detail)
}

function readFileLimit(): number | null {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8")
    const [, filesMax] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
    return Number(filesMax ?? Number.POSITIVE_INFINITY)
  } catch {
    return null
  }
}

export function checkFileLimit(filesMax: number | null): readonly Finding[] {
  if (filesMax === null) return []
  const detail = message("file_limit", { max: filesMax })
  if (filesMax >= openFilesMin) return [ok("file limit", detail)]
  return [warning("file limit", detail, message("raise_file_limit"))]
}

function checkPermissions({ store, masterKey, previousMasterKey }: Config): readonly Finding[] {
  if (platform() === "win32") return []
  const database =
    store.kind === "sqlite" ? ["", "-wal", "-shm"].map((end) => store.path + end) : []
  const keys = [masterKey, previousMasterKey].flatMap((key) =>
    key === null || key.from === "environment" ? [] : key.path,
  )
  const files = [...database, ...keys]
  const folder = store.kind === "sqlite" ? findOpenFolder(dirname(store.path)) : []
  const findings = [...files.flatMap(findOpenFile), ...folder]
  if (findings.length > 0 || files.length === 0) return findings
  return [ok("permissions", "only their owner can read the files of the database and its key")]
}

const readMode = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0

function findOpenFile(path: string): readonly Finding[] {
  const mode = readMode(path)
  const hint = message("run_chmod", { mode: "600", path })
  if ((mode & 0o007) !== 0) return [problem("permissions", message("open_to_all", { path }), hint)]
  if ((mode & 0o070) === 0) return []
  return [warning("permissions", message("open_to_group", { path }), hint)]
}

/** A user who may write to the folder can replace the database. */
function findOpenFolder(folder: string): readonly Finding[] {
  if ((readMode(folder) & 0o002) === 0) return []
  const hint = message("run_chmod", { mode: "700", path: folder })
  return [problem("permissions", message("open_folder", { path: folder }), hint)]
}

const check = "configuration"
const listed = "docs/settings.md lists all settings."

export function checkSettings(env: Environment) {
  try {
    const config = readConfig(env, { mayLackKey: true })
    const warnings = listConfigWarnings(config)
    const findings = warnings.length > 0 ? warnings : [ok(check, "all settings are valid")]
    return { config, findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: null, findings: error.problems.map((each) => problem(check, each, listed)) }
  }
}

const isLocal = (host: string) => /^(localhost|127\.|\[?::1\]?$)/.test(host)

export function listConfigWarnings({ host, publicUrl, trustedProxies }: Config) {
  const url = publicUrl === null ? null : new URL(publicUrl)
  const isPlain = url === null ? !isLocal(host) : url.protocol === "http:" && !isLocal(url.hostname)
  const isBehindProxy = url?.protocol === "https:"
  const notHttps = warning(check, message("not_https"), message("use_tls"))
  const noProxies = warning(check, message("no_trusted_proxies"), message("set_proxies"))
  return [
    ...(isPlain ? [notHttps] : []),
    ...(isBehindProxy && trustedProxies.length === 0 ? [noProxies] : []),
  ]
}

/** Returns null for PostgreSQL, and if the folder of the database does not exist. */
export function readDiskSpace({ store }: Pick<Config, "store">) {
  if (store.kind !== "sqlite") return null
  const folder = dirname(store.path)
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return null
  const { bavail, bsize } = statfsSync(folder)
  const storeBytes = readSize(store.path) + readSize(`${store.path}-wal`)
  return { freeBytes: bavail * bsize, storeBytes }
}

const readSize = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

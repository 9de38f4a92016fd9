/** How much memory the process has, and how much of it may be used. From Linux; other systems give less. */
import { readFileSync } from "node:fs"
import { totalmem } from "node:os"

/**
 * Anonymous memory. The pages of the database file, which SQLite maps, do not count: the system can drop them.
 * 0 where there is no /proc.
 */
export function readUsedBytes(root = ""): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(read(`${root}/proc/self/status`) ?? "")?.[1]
  return Number(kilobytes ?? 0) * 1024
}

/** The smallest of the machine's memory and the limits of the control groups that the process is in. */
export function readMemoryLimit(root = "", machineBytes = totalmem()): number {
  const groups = read(`${root}/proc/self/cgroup`) ?? ""
  const limits = groups
    .split("\n")
    .flatMap((line) => filesOf(line))
    .map((file) => Number.parseInt(read(`${root}/sys/fs/cgroup${file}`) ?? "", 10))
  return Math.min(machineBytes, ...limits.filter((bytes) => bytes > 0))
}

/** The limits of a group and of all groups above it. In a container the path may be that of the host. */
function filesOf(line: string): readonly string[] {
  const [, controllers = "", path = ""] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
  const parts = path.split("/").filter((part) => part !== "")
  const folders = [...parts.keys(), parts.length].map((end) => parts.slice(0, end).join("/"))
  if (path === "") return []
  if (controllers === "") return folders.map((folder) => `/${folder}/memory.max`)
  if (!controllers.split(",").includes("memory")) return []
  return folders.map((folder) => `/memory/${folder}/memory.limit_in_bytes`)
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}

/** Starts contenders on their own cores and reads their CPU time from the kernel. */
import { readdirSync, readFileSync } from "node:fs"

/** The list for `taskset`, as in "0" or "2,3", or null without pinning. */
export type Cores = string | null

export type CoreMap = Readonly<{
  server: Cores
  load: Cores
  /** For databases and imports beside the server. On a machine with two cores, both. */
  others: Cores
}>

/** The cores of this process before pinning. Empty without `taskset`. */
const allowed = Bun.which("taskset") === null ? [] : readAllowedCores()

function readAllowedCores(): readonly number[] {
  const status = readFileSync("/proc/self/status", "latin1")
  const [, list = ""] = /^Cpus_allowed_list:\s*(\S+)/m.exec(status) ?? []
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

export function mapCores(): CoreMap {
  const [first, second, ...rest] = allowed
  if (first === undefined || second === undefined) return { server: null, load: null, others: null }
  const load = rest.at(-1) ?? second
  const others = rest.length > 1 ? rest.slice(0, -1) : [first, second]
  return { server: `${first}`, load: `${load}`, others: others.join(",") }
}

/** For processes that are not measured: children inherit the pinning of this process. */
export const unpinned = (command: readonly string[]): string[] =>
  pinned(allowed.join(",") || null, command)

export const pinned = (cores: Cores, command: readonly string[]): string[] =>
  cores === null ? [...command] : ["taskset", "-c", cores, ...command]

export function pinProcess(pid: number, cores: Cores): void {
  if (cores !== null) Bun.spawnSync(["taskset", "-a", "-c", "-p", cores, String(pid)])
}

/**
 * Gives this process real-time priority until the returned function is called. Returns null if the system does not
 * allow it. Children do not inherit it.
 */
export function raisePriority(): (() => void) | null {
  const set = (...policy: string[]) =>
    Bun.spawnSync(["chrt", "-a", ...policy, `${process.pid}`], { stderr: "ignore" }).success
  if (Bun.which("chrt") === null || !set("-R", "-f", "-p", "10")) return null
  return () => set("-o", "-p", "0")
}

/** Stops the children if this process is ended first. */
const running = new Set<() => void>()

export const killOnExit = (kill: () => void) => {
  running.add(kill)
  return () => running.delete(kill)
}

export function killAll(): void {
  for (const kill of running) kill()
}

/** Starts a process that ends with this one. Its standard error is discarded. */
export function spawnPinned(
  cores: Cores,
  command: readonly string[],
  env: Record<string, string>,
): Bun.Subprocess<"ignore", "pipe", "ignore"> {
  const child = Bun.spawn(pinned(cores, command), {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  })
  child.exited.then(killOnExit(() => child.kill("SIGTERM")))
  return child
}

/** For servers that cannot choose and print a free port. */
export function pickFreePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop()
  return port
}

const stopMsMax = 15_000

/** Sends SIGINT, because a server drains for five seconds after SIGTERM. */
export async function stopProcess(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGINT")
  const isEnded = await Promise.race([
    child.exited.then(() => true),
    Bun.sleep(stopMsMax).then(() => false),
  ])
  if (!isEnded) child.kill("SIGKILL")
}

export function listTree(root: number): readonly number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const fields = readStat(Number(name))
    if (fields !== null) parents.set(Number(name), Number(fields[1]))
  }
  const tree = [root]
  for (const pid of tree) {
    for (const [child, parent] of parents) if (parent === pid) tree.push(child)
  }
  return tree
}

/** The kernel's USER_HZ: 100 on every Linux that Bun runs on. */
const ticksASecond = 100

/** User and system time of these processes and of their children that have ended. */
export function cpuSecondsOf(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    const fields = readStat(pid)
    if (fields !== null) ticks += [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
  }
  return ticks / ticksASecond
}

/** CPU time of all processes of this machine and its neighbors, in core-seconds. */
export function machineCpuSeconds(): number {
  const [line = ""] = readFileSync("/proc/stat", "latin1").split("\n")
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line
    .replace(/^cpu\s+/, "")
    .split(" ")
    .map(Number)
  return (user + nice + system + irq + softIrq + steal) / ticksASecond
}

/**
 * The fields from the state on, because the name may contain spaces and parentheses. Null if the process has ended.
 */
function readStat(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return null
  }
}

/**
 * `resident` is what `ps` shows. `private` are the private dirty pages, which the system cannot reclaim: the clean pages
 * of a mapped database or program belong to the system's cache.
 */
export function memoryOf(pids: readonly number[]): Readonly<{ private: number; resident: number }> {
  const texts = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"))
  const sumOf = (line: RegExp) =>
    texts.reduce((sum, text) => sum + Number(line.exec(text)?.[1]), 0) / 1024
  return { private: sumOf(/^Private_Dirty:\s+(\d+) kB/m), resident: sumOf(/^Rss:\s+(\d+) kB/m) }
}

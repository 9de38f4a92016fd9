/**
 * A new server takes the port over from a running one. Both listen on it (SO_REUSEPORT), and the system would give
 * each a part of the new connections until one closes its socket: whoever is in the queue of that socket, or has
 * half-opened a connection, is then cut off. So the new server first steers all new connections to itself, and the
 * other one stops when nothing comes any more. Needs nothing of the other program but that it ends on SIGTERM. Linux.
 */
import { dlopen, FFIType, ptr } from "bun:ffi"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { hasErrorCode, RefusedError } from "../domain/values/error.ts"
import type { Log } from "../log/log.ts"

export type TakeOverOptions = Readonly<{
  /** Where this process listens, with all of its threads. */
  url: string
  threads: number
  /** The other server, as its file names it; null if that is not known. */
  knownPid: number | null
  /** Sends SIGTERM. */
  terminate(pid: number): void
  log: Pick<Log, "info">
}>

/** A thread goes on for five seconds after it was told to stop, if it was asked whether it is ready. */
const probesOfThread = 16
const lookEveryMs = 100
/** Longer than any version takes to stop. */
const endMsMax = 60_000

/** Resolves when all new connections come here and the other server was told to stop; at once if there is none. */
export async function takeOver(options: TakeOverOptions): Promise<void> {
  const { url, threads, knownPid, terminate, log } = options
  const port = Number(new URL(url).port)
  const others = listOthers(port)
  if (others.length === 0) return
  const sockets = others.length
  const holders = findHolders(others)
  // In a namespace of its own, as a unit's, a process does not see what others have open.
  const pids = holders.length > 0 || knownPid === null ? holders : [knownPid]
  if (pids.length === 0)
    throw new RefusedError("cannot see which process has the port: is it this user's?")
  const probes = Array.from({ length: probesOfThread * (sockets + threads) }, () =>
    fetch(`${url}/readyz`, { keepalive: false }).catch(() => null),
  )
  await Promise.all(probes)
  const isSteered = steerTo(port, sockets)
  if (!isSteered) log.info("the system does not steer connections: some may be cut off")
  for (const pid of pids) terminate(pid)
  log.info("taking over", { from: pids.join(", "), sockets })
  void shareAgain(port, log)
}

/** Once the other one has ended. */
async function shareAgain(port: number, log: Pick<Log, "info">): Promise<void> {
  const deadline = performance.now() + endMsMax
  while (listOthers(port).length > 0) {
    if (performance.now() > deadline) {
      log.info("the other server has not stopped: new connections go to one thread until it does")
      return
    }
    await Bun.sleep(lookEveryMs)
  }
  steerToAll(port)
  log.info("took over")
}

type Socket = Readonly<{ inode: string; address: string }>

/** In state LISTEN. The tables of the system have addresses and ports as hexadecimal digits. */
function listSockets(port: number): readonly Socket[] {
  const digits = port.toString(16).toUpperCase().padStart(4, "0")
  const rows = ["tcp", "tcp6"].flatMap((table) => readTable(`/proc/net/${table}`))
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => state === "0A" && local?.endsWith(`:${digits}`))
    .map(([, local = "", , , , , , , , inode = ""]) => ({ inode, address: local }))
}

function readTable(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n")
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return []
    throw error
  }
}

/** The descriptors of a process that are sockets, by inode; none for a process that is gone or another user's. */
function readDescriptors(pid: number | "self"): ReadonlyMap<string, number> {
  try {
    const found = readdirSync(`/proc/${pid}/fd`).map(
      (name) => [readInode(pid, name), name] as const,
    )
    return new Map(
      found.flatMap(([inode, name]) => (inode === null ? [] : [[inode, Number(name)]])),
    )
  } catch {
    return new Map()
  }
}

function readInode(pid: number | "self", descriptor: string): string | null {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1] ?? null
  } catch {
    // It was closed meanwhile.
    return null
  }
}

/** The sockets of others that listen where this process does. */
function listOthers(port: number): readonly Socket[] {
  const own = readDescriptors("self")
  const sockets = listSockets(port)
  const addresses = sockets.filter(({ inode }) => own.has(inode)).map(({ address }) => address)
  return sockets.filter(({ inode, address }) => !own.has(inode) && addresses.includes(address))
}

/** The processes that have them open, as far as this one may see that. */
function findHolders(sockets: readonly Socket[]): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => {
    const open = readDescriptors(pid)
    return sockets.some(({ inode }) => open.has(inode))
  })
}

/** Of <linux/filter.h> and <asm-generic/socket.h>. */
const [solSocket, attachReuseportCbpf, detachReuseportBpf] = [1, 51, 68]
const returnConstant = 0x06
const programBytes = 16

/**
 * All new connections go to the socket that was opened as number `at`, counted from 0. As other sockets close, the
 * last one takes the place of each; so the socket at this place stays the same while no more close than were opened
 * after it. Returns false where the system refuses.
 */
function steerTo(port: number, at: number): boolean {
  // The instruction stands behind the program that points to it: in a buffer of its own, nothing would keep it until the system reads it.
  const program = new Uint8Array(new ArrayBuffer(24))
  const view = new DataView(program.buffer)
  view.setUint16(0, 1, true)
  view.setBigUint64(8, BigInt(ptr(program) + programBytes), true)
  view.setUint16(programBytes, returnConstant, true)
  view.setUint32(programBytes + 4, at, true)
  return setOption(port, attachReuseportCbpf, program, programBytes)
}

/** The system distributes new connections again. */
const steerToAll = (port: number): boolean =>
  setOption(port, detachReuseportBpf, new Uint8Array(4), 4)

/** Of a listening socket of this process; it holds for all that share the port. */
function setOption(port: number, option: number, value: Uint8Array, length: number): boolean {
  const own = readDescriptors("self")
  const descriptor = listSockets(port)
    .map(({ inode }) => own.get(inode))
    .find((each) => each !== undefined)
  const library = openLibrary()
  if (descriptor === undefined || library === null) return false
  try {
    const { setsockopt } = library.symbols
    return setsockopt(descriptor, solSocket, option, ptr(value), length) === 0
  } finally {
    library.close()
  }
}

const { i32, u32 } = FFIType
const symbols = { setsockopt: { args: [i32, i32, i32, FFIType.ptr, u32], returns: i32 } } as const

/** That of glibc, or of musl. Null on another system. */
function openLibrary() {
  for (const name of ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]) {
    try {
      return dlopen(name, symbols)
    } catch {
      // Try the next one.
    }
  }
  return null
}

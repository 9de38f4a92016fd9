import { type Cores, listTree, spawnPinned, stopProcess } from "../processes.ts"
import { environment, type Settings } from "../program.ts"

export type Contender = Readonly<{
  name: string
  port: number
  /** The ids of all its current processes. */
  pids(): readonly number[]
  stop(): Promise<void>
}>

/** A contender that this machine cannot run, and the reason for the report. */
export type Missing = Readonly<{ name: string; missing: string }>

export const isMissing = (contender: Contender | Missing): contender is Missing =>
  "missing" in contender

type Command = Readonly<{
  name: string
  command: readonly string[]
  settings: Settings
  cores: Cores
}>

const startMsMax = 60_000

/** Starts a server that prints `listening on http://…:PORT`. */
export async function startServer(options: Command): Promise<Contender> {
  const child = spawn(options)
  const port = await started(options, child, readPort(child.stdout))
  return asContender(options.name, port, child)
}

export async function startQuietServer(options: Command, port: number): Promise<Contender> {
  const child = spawn(options)
  await started(options, child, untilConnected(port))
  return asContender(options.name, port, child)
}

const spawn = ({ command, settings, cores }: Command) =>
  spawnPinned(cores, command, environment(settings))

type Child = ReturnType<typeof spawn>

async function started<T>({ name, command }: Command, child: Child, sign: Promise<T>): Promise<T> {
  const failed = (why: string) => new Error(`${name} ${why}: ${command.join(" ")}`)
  const outcome = await Promise.race([
    sign.then((value) => ({ value })),
    child.exited.then((status) => failed(`ended with status ${status}`)),
    Bun.sleep(startMsMax).then(() => failed(`does not listen after ${startMsMax} ms`)),
  ])
  if (!(outcome instanceof Error)) return outcome.value
  child.kill("SIGKILL")
  throw outcome
}

function asContender(name: string, port: number, child: Child): Contender {
  return {
    name,
    port,
    pids: () => listTree(child.pid),
    stop: () => stopProcess(child),
  }
}

async function readPort(output: ReadableStream<Uint8Array>): Promise<number> {
  const reader = output.getReader()
  const decoder = new TextDecoder()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: true })
    const port = /listening on http:\/\/\S+:(\d+)\s/.exec(text)?.[1]
    if (port !== undefined) return Number(port)
    // The server has exited; the code that awaits `ended` reports it.
    if (done) return new Promise(() => {})
  }
}

async function untilConnected(port: number): Promise<void> {
  for (;;) {
    try {
      const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })
      socket.end()
      return
    } catch {
      await Bun.sleep(20)
    }
  }
}

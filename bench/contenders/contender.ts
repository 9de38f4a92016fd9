/** What the parts race against each other: a server that runs, and how to weigh it. */
import { type Cores, listTree, pinned } from "../processes.ts"
import { environment, type Settings } from "../program.ts"

export type Contender = Readonly<{
  name: string
  port: number
  /** All its processes at this moment. */
  pids(): readonly number[]
  stop(): Promise<void>
}>

/** A contender that this machine cannot run; the report says why. */
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

/** Starts a server that says `listening on http://…:PORT` on its standard output. */
export async function startServer(wish: Command): Promise<Contender> {
  const { name, command, settings, cores } = wish
  const child = Bun.spawn(pinned(cores, command), {
    env: environment(settings),
    stdin: "ignore",
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  })
  const port = await Promise.race([
    readPort(child.stdout),
    child.exited.then((status) => {
      throw new Error(`${name} ended with status ${status}: ${command.join(" ")}`)
    }),
    Bun.sleep(startMsMax).then(() => {
      throw new Error(`${name} does not listen after ${startMsMax} ms`)
    }),
  ])
  return {
    name,
    port,
    pids: () => listTree(child.pid),
    async stop() {
      child.kill("SIGTERM")
      await Promise.race([child.exited, Bun.sleep(15_000).then(() => child.kill("SIGKILL"))])
    },
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
    if (done) return new Promise(() => {})
  }
}

import { openApp } from "../app.ts"
import { readConfig } from "../config.ts"
import type { Listener } from "../http/server.ts"
import { createLog } from "../log.ts"
import { CannotRun, type Command, type CommandContext, parseCommandLine } from "./command.ts"

export const serve: Command = {
  name: "serve",
  usage: "",
  summary: "run the server until it is stopped",
  help: "Configured by environment variables; docs/operating.md lists them all.",
  async run(args, context) {
    parseCommandLine(args, {}, { min: 0, max: 0 })
    return serveUntilStopped(context, async ({ url }) => context.write(`listening on ${url}\n`))
  },
}

/** `onListening` runs once, when requests can come. */
export async function serveUntilStopped(
  context: CommandContext,
  onListening: (listener: Listener) => Promise<void>,
): Promise<number> {
  const config = readConfig(context.env)
  const log = createLog(config.logLevel, context.writeLog)
  const app = await openApp(config, "serve")
  try {
    const listener = listen(() => app.listen(log), config)
    // Before anybody hears that we listen: a stop asked for in the same moment is a clean one too.
    const stop = context.untilStopped().then(
      // Whoever presses Ctrl+C is watching; whoever terminates may be replacing one node of many.
      (signal) => ({ status: 0, isUrgent: signal === "SIGINT" }),
      (fault) => {
        log.error("a fault nobody caught; stopping", fault)
        return { status: 1, isUrgent: true }
      },
    )
    await onListening(listener)
    log.info("started", { url: listener.url })
    const { status, isUrgent } = await stop
    log.info("stopping")
    if (!isUrgent) await listener.retire()
    await listener.close()
    log.info("stopped")
    return status
  } finally {
    log.flush()
    await app.close()
  }
}

function listen(open: () => Listener, { host, port }: { host: string; port: number }): Listener {
  try {
    return open()
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined
    const why = code === "EADDRINUSE" ? "something else is listening there" : String(cause)
    throw new CannotRun(
      `cannot listen on ${host}:${port}: ${why}. PORT=0 picks a free port, HOST chooses the address.`,
      { cause },
    )
  }
}

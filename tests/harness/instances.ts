/** The instances of deploy/systemd/pazar@.service, started, awaited and stopped as the unit says. */
import type { Environment } from "../../src/platform/cli/command.ts"
import { readDeployFile } from "./deploy-files.ts"
import { pickFreePort } from "./free-port.ts"
import { type Launcher, type RunningCommand, spawnPazar } from "./run-pazar.ts"

export type Instance = Readonly<{
  url: string
  logged(): string
  /** Restarts like `systemctl restart`, and resolves when the instance is ready again. */
  restart(launcher?: Launcher): Promise<void>
  /** Sends SIGINT, which skips the five seconds after SIGTERM. */
  stop(): Promise<void>
}>

const unit = readDeployFile("systemd/pazar@.service")
const [, readyCheck = ""] = /^ExecStartPost=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? []

export async function startInstance(
  folder: string,
  env: Environment,
  launcher: Launcher = "bun",
): Promise<Instance> {
  const port = String(pickFreePort())
  const untilReady = readyCheck.replaceAll("$$", "$").replace("808%i", port)
  const earlier: string[] = []
  let running: RunningCommand

  async function start(chosen: Launcher): Promise<void> {
    running = await spawnPazar(folder, ["serve"], { ...env, PORT: port }, chosen)
    const { PATH } = process.env
    const variables = { PATH, HOST: "127.0.0.1", MAINPID: `${running.child.pid}` }
    const status = await Bun.spawn(["sh", "-c", untilReady], { env: variables }).exited
    if (status !== 0) throw new Error(`it is not ready: ${running.stderr()}`)
  }
  async function end(signal: "SIGINT" | "SIGTERM"): Promise<void> {
    running.child.kill(signal)
    const { status, stderr } = await running.ended
    if (status !== 0) throw new Error(`it ended with ${status}: ${stderr}`)
    earlier.push(stderr)
  }
  await start(launcher)
  return {
    url: `http://127.0.0.1:${port}`,
    logged: () => [...earlier, running.stderr()].join(""),
    async restart(chosen = launcher) {
      await end("SIGTERM")
      await start(chosen)
    },
    stop: () => end("SIGINT"),
  }
}

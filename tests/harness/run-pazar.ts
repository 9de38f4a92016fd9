import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findBun, runOptions } from "../../bin/bun.mjs"
import { readConfig } from "../../src/config/config.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { migrateApp } from "../../src/server/app.ts"
import { temporaryFolder } from "./program.ts"
import { signalIfAlive } from "./signal.ts"
import { migratedStoreOf, storeOf } from "./stores/test-stores.ts"
import { until, workMsMax } from "./until.ts"

/** `npx` starts Node, which starts Bun. Other tests skip Node, whose start costs more than the command. */
export const launchers = {
  bun: [findBun() ?? "bun", ...runOptions],
  npx: ["node", fileURLToPath(new URL("../../bin/pazar.mjs", import.meta.url))],
} as const
/** The name of a launcher, or another command and its first arguments. */
export type Launcher = keyof typeof launchers | readonly [string, ...string[]]

/**
 * Settings of the environment are left out, because the program rejects unknown ones. Rate limits are off except in
 * their own tests, because tests send requests faster than any client.
 */
export const plainEnvironment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PAZAR_RATE_LIMIT: "off",
}

export type CommandResult = Readonly<{ status: number | null; stdout: string; stderr: string }>

export type RunOptions = Readonly<{
  env?: Environment
  input?: string | Uint8Array
  launcher?: Launcher
}>

/** Creates the database that commands in this folder use, as `pazar migrate` would. */
export async function createStore(folder: string, env: Environment = {}): Promise<void> {
  const inFolder = { DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}` }
  await migrateApp(
    readConfig({ ...inFolder, ...(await migratedStoreOf(folder)), ...env }),
    () => {},
  )
}

export async function createStoreFolder(): Promise<string> {
  const folder = temporaryFolder()
  await createStore(folder)
  return folder
}

export type RunningCommand = Readonly<{
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** A null status means that a signal ended the command. */
  ended: Promise<CommandResult>
}>

/** Runs the command in `folder` to its end. Without `input` its standard input is empty. */
export async function runPazar(
  folder: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<CommandResult> {
  const { child, ended } = await spawnPazar(folder, args, options.env, options.launcher)
  child.stdin?.end(options.input)
  return ended
}

/** Runs the command and returns its output. Throws its errors if it fails. */
export async function readPazar(
  folder: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { status, stdout, stderr } = await runPazar(folder, args, options)
  if (status === 0) return stdout
  throw new Error(`${args.join(" ")}: status ${status}: ${stderr}`)
}

/** Starts the command and leaves it running, with an open standard input. */
export async function spawnPazar(
  folder: string,
  args: readonly string[],
  env: Environment = {},
  launcher: Launcher = "bun",
): Promise<RunningCommand> {
  const [program, ...options] = typeof launcher === "string" ? launchers[launcher] : launcher
  const child = spawn(program, [...options, ...args], {
    cwd: folder,
    env: { ...plainEnvironment, ...(await storeOf(folder)), ...env },
    // A separate process group, so that a test can kill the whole tree.
    detached: true,
  })
  child.stdin.on("error", () => {})
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text
  })
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (status) => resolve({ status, stdout, stderr }))
  })
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

export type RunningServer = RunningCommand &
  Readonly<{
    url: string
    /** Sends SIGINT, which skips the five seconds after SIGTERM. */
    stop(): Promise<CommandResult>
  }>

/** Starts `serve` (or `demo`) on a free port and waits until it listens. */
export async function startServer(
  folder: string,
  env: Environment = {},
  command: "serve" | "demo" = "serve",
  launcher: Launcher = "bun",
): Promise<RunningServer> {
  const running = await spawnPazar(folder, [command], { PORT: "0", ...env }, launcher)
  const url = await Promise.race([
    until(() => /^listening on (\S+)\n/.exec(running.stdout())?.[1], workMsMax),
    running.ended.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`))),
  ])
  return {
    ...running,
    url,
    stop() {
      running.child.kill("SIGINT")
      return running.ended
    },
  }
}

export function killTree({ child, ended }: RunningCommand): Promise<CommandResult> {
  if (child.pid !== undefined) signalIfAlive(-child.pid, "SIGKILL")
  return ended
}

/** The real `pazar` command. A test gives it a folder to work in. */

import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findBun, runOptions } from "../../bin/bun.mjs"
import { readConfig } from "../../src/config/config.ts"
import type { Environment } from "../../src/config/settings.ts"
import { migrateApp } from "../../src/server/app.ts"
import { until } from "../contracts/until.ts"
import { temporaryFolder } from "./program.ts"
import { signalIfAlive } from "./signal.ts"
import { migratedStoreOf, storeOf } from "./stores/test-stores.ts"

/** `npx` starts Node, which starts Bun. Tests of anything else skip Node, which costs more than the command. */
export const launchers = {
  bun: [findBun() ?? "bun", ...runOptions],
  npx: ["node", fileURLToPath(new URL("../../bin/pazar.mjs", import.meta.url))],
} as const
/** The name of one, or another command and its first arguments. */
export type Launcher = keyof typeof launchers | readonly [string, ...string[]]

/**
 * Settings of the environment are left out: the program refuses unknown ones. Tests ask faster than any
 * client, so only those of the rate limits have any.
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

/** Creates the store that commands in this folder use, as `pazar migrate` there would. */
export async function createStore(folder: string, env: Environment = {}): Promise<void> {
  const inFolder = { DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}` }
  await migrateApp(
    readConfig({ ...inFolder, ...(await migratedStoreOf(folder)), ...env }),
    () => {},
  )
}

/** A folder for commands to work in, with a store. */
export async function createStoreFolder(): Promise<string> {
  const folder = temporaryFolder()
  await createStore(folder)
  return folder
}

export type RunningCommand = Readonly<{
  child: ChildProcess
  /** What it has written so far. */
  stdout(): string
  stderr(): string
  /** Status null: a signal ended it. */
  ended: Promise<CommandResult>
}>

/** Runs the command in `folder` to its end; without `input` its standard input is empty. */
export async function runPazar(
  folder: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<CommandResult> {
  const { child, ended } = await spawnPazar(folder, args, options.env, options.launcher)
  child.stdin?.end(options.input)
  return ended
}

/** Starts the command and leaves it running, its standard input open. */
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
    // A process group of its own, so that a test can kill the whole tree at once.
    detached: true,
  })
  // A command that does not read its input closes it.
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
    /** By SIGINT, without the five seconds after SIGTERM. */
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
    until(() => /^listening on (\S+)\n/.exec(running.stdout())?.[1]),
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

/** Kills the command and its children, unless it has ended by itself. */
export function killTree({ child, ended }: RunningCommand): Promise<CommandResult> {
  if (child.pid !== undefined) signalIfAlive(-child.pid, "SIGKILL")
  return ended
}

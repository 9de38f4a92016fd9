import { readFileSync } from "node:fs"
import { join } from "node:path"
import { unpinned } from "./processes.ts"

const root = join(import.meta.dir, "..")
export const dataFolder = join(root, "bench/data")

export type Program = Readonly<{
  root: string
  /** Through Node, as `npx pazar` does. */
  command: readonly string[]
  /** The same without Node, so that a server is one process. */
  server: readonly string[]
}>

export function programAt(root: string, bun = join(root, "node_modules/.bin/bun")): Program {
  const settings = `--tsconfig-override=${join(root, "tsconfig.json")}`
  return {
    root,
    command: ["node", join(root, "bin/pazar.mjs")],
    server: [bun, "--no-orphans", settings, join(root, "src/main.ts")],
  }
}

export const ownProgram = programAt(root, process.execPath)

export function revisionOf({ root }: Program) {
  const git = Bun.spawnSync(["git", "-C", root, "describe", "--always", "--dirty"])
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  )
  return { version, commit: git.stdout.toString().trim() }
}

export type Settings = Readonly<Record<string, string>>

export const environment = (settings: Settings): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  ...settings,
})

/** Runs a command and returns its output. Throws unless it succeeds. */
export async function runPazar(
  args: readonly string[],
  settings: Settings,
  { command }: Program = ownProgram,
  input = "",
): Promise<string> {
  const child = Bun.spawn(unpinned([...command, ...args]), {
    env: environment(settings),
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  })
  const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`pazar ${args[0]} failed: ${complaints}`)
  return output.trim()
}

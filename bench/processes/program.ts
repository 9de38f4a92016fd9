/** The program under test, run as its operators run it. */
import { join } from "node:path"
import { anywhere } from "./processes.ts"

const root = join(import.meta.dir, "../..")
export const dataFolder = join(root, "bench/data")

/** Through Node, as `npx pazar` does. */
export const pazarCommand = ["node", join(root, "bin/pazar.mjs")]

/** The same without the start of Node, so that a server is one process. */
export const pazarServer = [
  process.execPath,
  "--no-orphans",
  `--tsconfig-override=${join(root, "tsconfig.json")}`,
  join(root, "src/main.ts"),
]

export type Settings = Readonly<Record<string, string>>

/** Settings of the environment are left out. */
export const environment = (settings: Settings): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  ...settings,
})

/** Runs a command to its end and returns what it printed; anything but success is an error. */
export async function runPazar(args: readonly string[], settings: Settings): Promise<string> {
  const child = Bun.spawn(anywhere([...pazarCommand, ...args]), {
    env: environment(settings),
    stdout: "pipe",
    stderr: "pipe",
  })
  const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`pazar ${args[0]} failed: ${complaints}`)
  return output.trim()
}

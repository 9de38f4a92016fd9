/** Runs commands inside the process of the tests, which takes a tenth of the time. */
import { join } from "node:path"
import { runCommandLine } from "../../src/cli.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import type { CommandResult } from "./run-pazar.ts"
import { storeOf } from "./stores/test-stores.ts"

export type InProcessOptions = Readonly<{
  env?: Environment
  input?: string | Uint8Array
  isTyped?: boolean
}>

/** Runs the command on the database of `folder`, which need not exist. */
export async function runInProcess(
  folder: string,
  args: readonly string[],
  { env = {}, input = "", isTyped = false }: InProcessOptions = {},
): Promise<CommandResult> {
  let [stdout, stderr] = ["", ""]
  const isNeverCalled = () => {
    throw new Error("this command is no server")
  }
  const inFolder = { DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}` }
  const status = await runCommandLine(args, {
    env: { ...inFolder, ...(await storeOf(folder)), ...env },
    hasColors: false,
    isTyped,
    async write(text) {
      stdout += text
    },
    printStderr(line) {
      stderr += `${line}\n`
    },
    showProgress: () => {},
    writeLog: isNeverCalled,
    async *readStandardInput() {
      yield typeof input === "string" ? new TextEncoder().encode(input) : input
    },
    lowerPriority: () => {},
    ignoreHangup: isNeverCalled,
    untilStopped: () => new Promise(() => {}),
    untilInterrupted: isNeverCalled,
  })
  return { status, stdout, stderr }
}

export const cellsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((row) => row.split(/ {2,}/))

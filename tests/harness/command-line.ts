/** Runs a command in this process, on the store of a running program: starting one takes much longer. */
import { join } from "node:path"
import { runCommandLine } from "../../src/cli/commands.ts"
import type { Environment } from "../../src/config.ts"
import type { Outcome } from "./command.ts"
import { storeOf } from "./stores.ts"

export async function runBeside(
  { folder }: Readonly<{ folder: string }>,
  args: readonly string[],
  env: Environment = {},
): Promise<Outcome> {
  let [stdout, stderr] = ["", ""]
  const isNeverCalled = () => {
    throw new Error("only for commands that end by themselves and read no input")
  }
  const place = (await storeOf(folder)) ?? {
    DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`,
  }
  const status = await runCommandLine(args, {
    env: { ...place, ...env },
    async write(text) {
      stdout += text
    },
    tell(line) {
      stderr += `${line}\n`
    },
    showProgress() {},
    writeLog: isNeverCalled,
    readStandardInput: isNeverCalled,
    surviveHangup: isNeverCalled,
    untilStopped: isNeverCalled,
  })
  return { status, stdout, stderr }
}

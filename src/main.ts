/** The process edge: arguments, environment, signals, streams and the exit code. Nothing else. */
import { writeSync } from "node:fs"
import { isatty } from "node:tty"
import type { CommandContext } from "./cli/command.ts"
import { runCommandLine } from "./cli/commands.ts"
import { printable, printableJson } from "./cli/printable.ts"
import { hasErrorCode } from "./domain/error-code.ts"

const output = Bun.stdout.writer()
const isOutputWatched = isatty(1)
const isWatched = process.stderr.isTTY === true
let hasProgress = false

/**
 * Standard error, waiting while its reader is slow: a million refused lines are neither held in
 * memory nor lost when the process ends. If standard error is closed, the work goes on silently.
 */
function tellAll(text: string): void {
  let rest: Uint8Array = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(process.stderr.fd, rest))
    } catch (error) {
      const isFull = hasErrorCode(error, "EAGAIN")
      if (!isFull) return
      Bun.sleepSync(1)
    }
  }
}

const clearProgress = () => {
  if (hasProgress) process.stderr.write("\r\x1b[K")
  hasProgress = false
}

const context: CommandContext = {
  env: process.env,
  async write(text) {
    clearProgress()
    // Tables are printable already, and the rest that holds the text of others is JSON.
    const shown = isOutputWatched ? printableJson(text) : text
    // Either of them may be the one to hear that the reader has gone.
    await Promise.all([output.write(shown), output.flush()])
  },
  tell(line) {
    clearProgress()
    tellAll(`${printable(line)}\n`)
  },
  showProgress(line) {
    if (!isWatched) return
    clearProgress()
    process.stderr.write(line)
    hasProgress = line !== ""
  },
  writeLog: (text) => {
    process.stderr.write(isWatched ? printableJson(text) : text)
  },
  readStandardInput: () => Bun.stdin.stream(),
  surviveHangup: () => {
    process.on("SIGHUP", () => {})
  },
  untilStopped: () =>
    new Promise((resolve, reject) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve(signal))
      for (const fault of ["unhandledRejection", "uncaughtException"]) process.on(fault, reject)
    }),
}

// A closed log, or a full disk under it, is no reason to stop answering.
process.stderr.on("error", () => {})

try {
  process.exitCode = await runCommandLine(process.argv.slice(2), context)
} catch (error) {
  // A reader that went away, as `head` does, is no failure of ours.
  const isPipeClosed = hasErrorCode(error, "EPIPE")
  if (!isPipeClosed) throw error
}
process.exit()

/** The only module that accesses the process: arguments, environment, signals, streams and the exit status. */
import { fstatSync, writeSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"
import { runCommandLine } from "./cli.ts"
import type { CommandContext } from "./platform/cli/command.ts"
import { escapeControlCharacters, replaceControlCharacters } from "./platform/cli/output.ts"
import { hasErrorCode } from "./platform/error.ts"

const output = Bun.stdout.writer()
const isStdoutTerminal = isTerminal(1)
const isStderrTerminal = isTerminal(2)
/** https://no-color.org, and https://force-color.org for a pipe into a pager. */
function usesColors(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0"
  return isTerminal && TERM !== "dumb"
}
const hasRedErrors = usesColors(isStderrTerminal)
let hasProgress = false

/** Loads `node:tty` only if needed, because it slows the start of every command. */
function isTerminal(descriptor: number): boolean {
  try {
    const mayBe = fstatSync(descriptor).isCharacterDevice()
    return mayBe && process.getBuiltinModule("node:tty").isatty(descriptor)
  } catch {
    return false
  }
}

/** Synchronous, so that a million rejected lines are neither buffered nor lost at exit. Ignores a closed stream. */
function writeStderr(text: string): void {
  let rest: Uint8Array = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(2, rest))
    } catch (error) {
      const isFull = hasErrorCode(error, "EAGAIN")
      if (!isFull) return
      Bun.sleepSync(1)
    }
  }
}

const clearProgress = () => {
  if (hasProgress) writeStderr("\r\x1b[K")
  hasProgress = false
}

const context: CommandContext = {
  env: process.env,
  hasColors: usesColors(isStdoutTerminal),
  isTyped: isTerminal(0) || isStderrTerminal,
  async write(text) {
    clearProgress()
    // Tables are already safe. All other output with text from a feed is JSON.
    const shown = isStdoutTerminal ? escapeControlCharacters(text) : text
    // Either can fail if the reader has closed the pipe.
    await Promise.all([output.write(shown), output.flush()])
  },
  printStderr(line) {
    clearProgress()
    const shown = replaceControlCharacters(line)
    writeStderr(`${hasRedErrors ? shown.replace(/^pazar:/, "\x1b[31mpazar:\x1b[39m") : shown}\n`)
  },
  showProgress(line) {
    if (!isStderrTerminal) return
    clearProgress()
    writeStderr(line)
    hasProgress = line !== ""
  },
  writeLog(text) {
    // A closed log or a full disk must not stop the server.
    if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {})
    process.stderr.write(isStderrTerminal ? escapeControlCharacters(text) : text)
  },
  readStandardInput: () => Bun.stdin.stream(),
  lowerPriority() {
    const low = constants.priority.PRIORITY_BELOW_NORMAL
    try {
      // Never raises the priority, which an ordinary user may not do.
      if (getPriority() < low) setPriority(low)
    } catch {
      // The system may forbid it, for example by a systemd filter. The command runs anyway.
    }
  },
  ignoreHangup: () => {
    process.on("SIGHUP", () => {})
  },
  untilStopped: () =>
    new Promise((resolve, reject) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve())
      for (const fault of ["unhandledRejection", "uncaughtException"]) process.on(fault, reject)
    }),
  untilInterrupted: () => new Promise((resolve) => process.on("SIGINT", () => resolve())),
}

try {
  process.exitCode = await runCommandLine(process.argv.slice(2), context)
} catch (error) {
  // A reader that closes the pipe, such as `head`, is not an error.
  const isPipeClosed = hasErrorCode(error, "EPIPE")
  if (!isPipeClosed) throw error
}
process.exit()

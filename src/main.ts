/** The process edge: arguments, environment, signals, streams and the exit code. Nothing else. */
import { fstatSync, writeSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"
import type { CommandContext } from "./cli/framework/command.ts"
import {
  escapeControlCharacters,
  replaceControlCharacters,
} from "./cli/framework/control-characters.ts"
import { runCommandLine } from "./cli/run-command-line.ts"
import { hasErrorCode } from "./domain/values/error.ts"

const output = Bun.stdout.writer()
const isOutputWatched = isTerminal(1)
const isWatched = isTerminal(2)
/** https://no-color.org, and https://force-color.org for a pipe into a pager. */
function mayColour(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0"
  return isTerminal && TERM !== "dumb"
}
const hasRedErrors = mayColour(isWatched)
let hasProgress = false

/** `node:tty` and the streams of the process take 14 ms to load, so they are loaded only where they are needed. */
function isTerminal(descriptor: number): boolean {
  try {
    const mayBe = fstatSync(descriptor).isCharacterDevice()
    return mayBe && process.getBuiltinModule("node:tty").isatty(descriptor)
  } catch {
    // It is closed.
    return false
  }
}

/**
 * Writes to standard error and waits while its reader is slow: a million refused lines are neither kept
 * in memory nor lost at the end. If standard error is closed, the work goes on silently.
 */
function tellAll(text: string): void {
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
  if (hasProgress) tellAll("\r\x1b[K")
  hasProgress = false
}

const context: CommandContext = {
  env: process.env,
  terminal: {
    columns: isOutputWatched ? (process.stdout.columns ?? null) : null,
    hasColors: mayColour(isOutputWatched),
  },
  async write(text) {
    clearProgress()
    // Tables are printable already; all other output with text from a feed is JSON.
    const shown = isOutputWatched ? escapeControlCharacters(text) : text
    // Either of them may fail when the reader has closed the pipe.
    await Promise.all([output.write(shown), output.flush()])
  },
  printStderr(line) {
    clearProgress()
    const shown = replaceControlCharacters(line)
    tellAll(`${hasRedErrors ? shown.replace(/^pazar:/, "\x1b[31mpazar:\x1b[39m") : shown}\n`)
  },
  showProgress(line) {
    if (!isWatched) return
    clearProgress()
    tellAll(line)
    hasProgress = line !== ""
  },
  writeLog(text) {
    // Go on answering when the log is closed or its disk is full.
    if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {})
    process.stderr.write(isWatched ? escapeControlCharacters(text) : text)
  },
  readStandardInput: () => Bun.stdin.stream(),
  lowerPriority() {
    const low = constants.priority.PRIORITY_BELOW_NORMAL
    try {
      // Lower it only: an ordinary user cannot raise a priority.
      if (getPriority() < low) setPriority(low)
    } catch {
      // The system forbids it, as the filter of a systemd unit may do: the command matters more.
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
  // A reader that closes the pipe, as `head` does, is no failure.
  const isPipeClosed = hasErrorCode(error, "EPIPE")
  if (!isPipeClosed) throw error
}
process.exit()

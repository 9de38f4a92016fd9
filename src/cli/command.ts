/** The shape of a command and its context. Only main.ts touches the process itself. */
import { type ParseArgsConfig, parseArgs } from "node:util"
import type { Environment } from "../config.ts"

export type CommandContext = Readonly<{
  env: Environment
  /** Standard output, without a line break of its own; waits while the reader is slow. */
  write(text: string): Promise<void>
  /** One line for the person on standard error. A control or line break in it is shown as �. */
  tell(line: string): void
  /** A line that the next one overwrites; not shown unless standard error is a terminal. */
  showProgress(line: string): void
  /** Standard error as it is, for the log. */
  writeLog(text: string): void
  readStandardInput(): AsyncIterable<Uint8Array>
  /** From now on a terminal that closes, or any other SIGHUP, does not end the program. */
  surviveHangup(): void
  /** How the process was asked to stop; rejects with a fault that nobody caught. */
  untilStopped(): Promise<"SIGINT" | "SIGTERM">
}>

export type Command = Readonly<{
  /** As typed: `import`, `key create`. */
  name: string
  /** Behind the name. */
  usage: string
  /** One line for the overview. */
  summary: string
  /** The rest of `--help`. */
  help?: string
  /** Returns the exit status: 0 done, 1 refused, 2 could not run. */
  run(args: readonly string[], context: CommandContext): Promise<number>
}>

/** The command was typed wrongly; main.ts shows the usage and exits with 2. */
export class UsageError extends Error {
  override name = "UsageError"
}

/** The command is fine but its surroundings are not; exits with 2. */
export class CannotRun extends Error {
  override name = "CannotRun"
}

type Options = NonNullable<ParseArgsConfig["options"]>

/** `positionals` is checked for length: exactly what the usage line shows. */
export function parseCommandLine<O extends Options>(
  args: readonly string[],
  options: O,
  positionals: { min: number; max: number },
) {
  const parsed = parseOrExplain(args, options)
  const { length } = parsed.positionals
  if (length < positionals.min) throw new UsageError("something is missing")
  if (length > positionals.max) {
    throw new UsageError(`${JSON.stringify(parsed.positionals[positionals.max])} is one too many`)
  }
  return parsed
}

function parseOrExplain<O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Commands, their definitions and their context. Only main.ts accesses `process`. */
import { parseArgs } from "node:util"
import { hasErrorCode } from "../error.ts"
import { findNearest } from "../text.ts"

export type CommandContext = Readonly<{
  env: Environment
  hasColors: boolean
  /** Whether a person runs the command: standard input or standard error is a terminal. */
  isTyped: boolean
  /** Writes to standard output without adding a line break. Waits while the reader is slow. */
  write(text: string): Promise<void>
  /** Writes one line to standard error, with control characters and line breaks replaced by U+FFFD. */
  printStderr(line: string): void
  /** Shows a line that the next one overwrites. Does nothing unless standard error is a terminal. */
  showProgress(line: string): void
  /** Writes log lines to standard error without blocking. */
  writeLog(text: string): void
  readStandardInput(): AsyncIterable<Uint8Array>
  /** For long work: a server on the same machine gets the CPU first. */
  lowerPriority(): void
  /** Keeps the program running when its terminal closes (SIGHUP). */
  ignoreHangup(): void
  untilStopped(): Promise<void>
  /** Resolves on SIGINT (Ctrl-C), not on SIGTERM. */
  untilInterrupted(): Promise<void>
}>

/** What a command of a subject gets besides. `App` are the stores and services that it uses. */
export type OpenContext<App> = CommandContext &
  Readonly<{
    /** Opens the database: `await using app = await context.openApp()`. */
    openApp(): Promise<App & AsyncDisposable>
    /** Throws UserError if `path` is a file of the database, which output must not overwrite. Ignores null. */
    rejectDatabaseFiles(path: string | null): Promise<void>
  }>

/** Help shows `value` after the option; `=KEY_ID` if the `=` is required. `isRequired` changes only the usage line. */
type Option = Readonly<{ help?: string }> &
  Readonly<
    | { type: "boolean" }
    | { type: "string"; value: string; default?: string; multiple?: true; isRequired?: true }
  >
type Options = Readonly<Record<string, Option>>

export const flag = (help?: string) => ({ type: "boolean", ...(help && { help }) }) as const
export const option = (value: string, help: string) => ({ type: "string", value, help }) as const

export const jsonOnly = { json: flag() }

export type ValuesOf<O extends Options> = Readonly<{ [Name in keyof O]: ValueOf<O[Name]> }>

type ValueOf<O> = O extends { type: "boolean" }
  ? boolean
  : O extends { multiple: true }
    ? readonly string[] | undefined
    : O extends { default: string }
      ? string
      : string | undefined

type CommandInput<P extends readonly string[], O extends Options> = Readonly<{
  positionals: { [Index in keyof P]: P[Index] extends `[${string}]` ? string | undefined : string }
  values: ValuesOf<O>
}>

/** `run` returns the exit status, or undefined for 0. */
type Definition<
  P extends readonly string[],
  O extends Options,
  Context extends CommandContext,
> = Readonly<{
  /** The arguments in order. An optional one is in brackets: `[FILE|-]`. */
  positionals?: P
  options?: O
  help?: string
  afterOptions?: string
  run(input: CommandInput<P, O>, context: Context): Promise<number | undefined> | Promise<void>
}>

export function command<
  const P extends readonly string[] = [],
  const O extends Options = Record<never, never>,
  Context extends CommandContext = CommandContext,
>(definition: Definition<P, O, Context>) {
  const { positionals = [], help, afterOptions, run } = definition
  const options: Options = definition.options ?? {}
  const usage = [...positionals, ...Object.entries(options).map(describeOption)].join(" ")
  const sections = [help, renderOptions(options), afterOptions].filter((each) => each)
  return {
    positionals,
    usage,
    help: sections.map((section) => `\n${section}\n`).join(""),
    /** Returns the exit status: 0 for success, 1 for failure, 2 if the command could not run. */
    async run(args: readonly string[], context: Context): Promise<number> {
      const input: unknown = parseCommandLine(args, positionals, options)
      // parseCommandLine checked the options and the number of arguments.
      return (await run(input as CommandInput<P, O>, context)) ?? 0
    },
  }
}

export type Command<Context extends CommandContext> = ReturnType<
  typeof command<readonly string[], Options, Context>
>

function describeOption([name, option]: [string, Option]): string {
  const text = nameOption(name, option)
  if (option.type === "boolean") return `[${text}]`
  const all = option.multiple ? `${text} …` : text
  return option.isRequired ? all : `[${all}]`
}

const nameOption = (name: string, option: Option) =>
  `--${name}${option.type === "string" ? option.value.replace(/^(?!=)/, " ") : ""}`

const helpColumns = 100

function renderOptions(options: Options): string {
  const rows = Object.entries(options).flatMap(([name, option]) =>
    option.help === undefined ? [] : [[nameOption(name, option), option.help] as const],
  )
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4
  return rows
    .map(([name, help]) => {
      const lines = Bun.wrapAnsi(help, helpColumns - indent).replaceAll(
        "\n",
        `\n${" ".repeat(indent)}`,
      )
      return `  ${name.padEnd(indent - 2)}${lines}`
    })
    .join("\n")
}

/** The command line is invalid; exits with 2. The default `remedy` is to run the help of the command. */
export class UsageError extends Error {
  override name = "UsageError"
  readonly remedy: string | null

  constructor(message: string, remedy: string | null = null) {
    super(message)
    this.remedy = remedy
  }
}

/** `option` may be the name of a setting: `set PORT` for `--port`. `remedy` is a guess otherwise. */
export class UnknownOption extends UsageError {
  override name = "UnknownOption"
  readonly option: string

  constructor(option: string, remedy: string | null) {
    super(`unknown option ${option}`, remedy)
    this.option = option
  }
}

/** The command line is valid, but the command cannot run; exits with 2. */
export class CannotRunError extends Error {
  override name = "CannotRunError"
}

function parseCommandLine(
  args: readonly string[],
  positionals: readonly string[],
  options: Options,
) {
  const parsed = parseOrExplain(args, options)
  const missing = positionals[parsed.positionals.length]
  if (missing !== undefined && !missing.startsWith("[")) throw new UsageError(`missing ${missing}`)
  const extra = parsed.positionals[positionals.length]
  if (extra !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(extra)}`)
  const flags = Object.keys(options).filter((name) => options[name]?.type === "boolean")
  const unset = Object.fromEntries(flags.map((name) => [name, false]))
  return { positionals: parsed.positionals, values: { ...unset, ...parsed.values } }
}

function parseOrExplain(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    if (!hasErrorCode(error, "ERR_PARSE_ARGS_UNKNOWN_OPTION")) {
      // The message of the runtime has several lines, but `printStderr` replaces line breaks.
      const message = error instanceof Error ? error.message : String(error)
      throw new UsageError(message.replaceAll("\n", " "))
    }
    const names = Object.keys(options).map((name) => `--${name}`)
    const typed = optionsIn(args).find((option) => !names.includes(option)) ?? ""
    const nearest = findNearest(typed, names)
    const guess = nearest === null ? null : `did you mean ${nearest}?`
    throw new UnknownOption(typed, guess)
  }
}

/** Returns `--name` for `--name=x`. Arguments after `--` are not options. */
function optionsIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--")
  return args
    .slice(0, end < 0 ? undefined : end)
    .filter((arg) => /^-./.test(arg))
    .map((arg) => arg.replace(/=.*$/s, ""))
}

export type Environment = Readonly<Record<string, string | undefined>>

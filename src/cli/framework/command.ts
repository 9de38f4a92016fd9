/** The shape of a command and its context. Only main.ts touches the process itself. */
import { parseArgs } from "node:util"
import { type Environment, settings } from "../../config/settings.ts"
import { hasErrorCode } from "../../domain/values/error.ts"
import { findNearest } from "../../domain/values/text.ts"

/** `columns` is null, and nothing is coloured, where standard output is no terminal. */
export type Terminal = Readonly<{ columns: number | null; hasColors: boolean }>

export type CommandContext = Readonly<{
  env: Environment
  terminal: Terminal
  /** Standard output, without a line break of its own; waits while the reader is slow. */
  write(text: string): Promise<void>
  /** One line on standard error. Control characters and line breaks in it are shown as �. */
  printStderr(line: string): void
  /** A line that the next one overwrites; not shown unless standard error is a terminal. */
  showProgress(line: string): void
  /** Standard error as it is, for the log. */
  writeLog(text: string): void
  readStandardInput(): AsyncIterable<Uint8Array>
  /** For long work: a server on the same machine goes first. */
  lowerPriority(): void
  /** From now on SIGHUP, as when a terminal closes, does not end the program. */
  ignoreHangup(): void
  /** Resolves on SIGINT or SIGTERM; rejects with an uncaught error. */
  untilStopped(): Promise<void>
  /** Resolves on SIGINT only: a person is waiting. */
  untilInterrupted(): Promise<void>
}>

export type Command = Readonly<{
  /** As typed: `import`, `key create`. */
  name: string
  /** Follows the name in help: `USERNAME [--json]`. */
  usage: string
  /** One line for the overview. */
  summary: string
  /** The rest of `--help`. */
  help: string | undefined
  positionals: readonly string[]
  options: Options
  /** Returns the exit status: 0 done, 1 refused, 2 could not run. */
  run(args: readonly string[], context: CommandContext): Promise<number>
}>

/**
 * `value` follows the option in help, as in `[--expires TIME]`; `=KEY_ID` where the `=` is needed. The work of the command
 * refuses a command line without an option that `isRequired`, and says what the option means.
 */
export type Option =
  | Readonly<{ type: "boolean" }>
  | Readonly<{
      type: "string"
      value: string
      default?: string
      multiple?: true
      isRequired?: true
    }>
export type Options = Readonly<Record<string, Option>>

export const flag = { type: "boolean" } as const
/** The options of a command that has `--json` only. */
export const jsonOnly = { json: flag }
export const overlapOption = { type: "string", value: "0|1h|1d|7d", default: "1d" } as const

/** All of a command but its work, which is loaded when it runs. */
export type CommandDefinition = Readonly<{
  name: string
  /** The arguments in order, as help names them; one in brackets, `[FILE|-]`, is optional. */
  positionals?: readonly string[]
  /** In the order of help. */
  options?: Options
  /** Options of earlier versions, each with what does the work now. */
  removedOptions?: Readonly<Record<string, string>>
  summary: string
  help?: string
}>

export type CommandDefinitions = Readonly<Record<string, CommandDefinition>>

/** The work of a command. Returns the exit status, or nothing for 0. */
export type CommandAction<D extends CommandDefinition> = (
  given: Given<D>,
  context: CommandContext,
) => Promise<number> | Promise<void>

/** The work of several commands, by the names of their declarations. */
export type CommandActions<D extends Readonly<Record<keyof D, CommandDefinition>>> = {
  readonly [Name in keyof D]: CommandAction<D[Name]>
}

type Given<D extends CommandDefinition> = Readonly<{
  positionals: D extends { positionals: infer P extends readonly string[] }
    ? { [Index in keyof P]: P[Index] extends `[${string}]` ? string | undefined : string }
    : readonly []
  values: D extends { options: infer O } ? { [Name in keyof O]: ValueOf<O[Name]> } : unknown
}>

type ValueOf<O> = O extends { type: "boolean" }
  ? boolean
  : O extends { multiple: true }
    ? readonly string[] | undefined
    : O extends { default: string }
      ? string
      : string | undefined

/** The usage line and the parsing of a command line both follow from the declaration. */
export const createCommands = <D extends Readonly<Record<keyof D, CommandDefinition>>>(
  declarations: D,
  load: () => Promise<CommandActions<D>>,
): readonly Command[] =>
  // Object.keys does not know the names of a generic type.
  (Object.keys(declarations) as (keyof D)[]).map((key) => {
    const declaration: CommandDefinition = declarations[key]
    const { name, summary, help, positionals = [], options = {} } = declaration
    return {
      name,
      usage: [...positionals, ...Object.entries(options).map(describeOption)].join(" "),
      summary,
      help,
      positionals,
      options,
      async run(args, context) {
        const given: unknown = parseCommandLine(args, declaration)
        const { [key]: run } = await load()
        // parseArgs checked the options, and the arguments were counted.
        return (await run(given as Given<D[keyof D]>, context)) ?? 0
      },
    }
  })

function describeOption([name, option]: [string, Option]): string {
  if (option.type === "boolean") return `[--${name}]`
  const text = `--${name}${option.value.replace(/^(?!=)/, " ")}${option.multiple ? " …" : ""}`
  return option.isRequired ? text : `[${text}]`
}

/** As help shows it. */
export const renderUsage = ({ name, usage }: Command) => `pazar ${name} ${usage}`.trimEnd()

/** Line by line, on standard error. */
export function printStderrLines(text: string, { printStderr }: CommandContext): void {
  for (const line of text.split("\n")) printStderr(line)
}

/** The command line is wrong; exits with 2. Without a `remedy` it is the help of the command. */
export class UsageError extends Error {
  override name = "UsageError"
  readonly remedy: string | null

  constructor(message: string, remedy: string | null = null) {
    super(message)
    this.remedy = remedy
  }
}

/** The command line is right, but the command cannot run here; exits with 2. */
export class CannotRunError extends Error {
  override name = "CannotRun"
}

function parseCommandLine(
  args: readonly string[],
  { positionals = [], options = {}, removedOptions = {} }: CommandDefinition,
) {
  const parsed = parseOrExplain(args, options, removedOptions)
  const missing = positionals[parsed.positionals.length]
  if (missing !== undefined && !missing.startsWith("[")) {
    throw new UsageError(`missing ${missing}`)
  }
  const extra = parsed.positionals[positionals.length]
  if (extra !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(extra)}`)
  const flags = Object.keys(options).filter((name) => options[name]?.type === "boolean")
  const unset = Object.fromEntries(flags.map((name) => [name, false]))
  return { positionals: parsed.positionals, values: { ...unset, ...parsed.values } }
}

type FormerOptions = NonNullable<CommandDefinition["removedOptions"]>

function parseOrExplain(args: readonly string[], options: Options, former: FormerOptions) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw explainOption(error, args, options, former)
  }
}

function explainOption(
  error: unknown,
  args: readonly string[],
  options: Options,
  former: FormerOptions,
): UsageError {
  if (hasErrorCode(error, "ERR_PARSE_ARGS_UNKNOWN_OPTION")) {
    const names = Object.keys(options).map((name) => `--${name}`)
    const typed = optionsIn(args).find((option) => !names.includes(option)) ?? ""
    const instead = former[typed.slice(2)] ?? findSetting(typed)
    const nearest = findNearest(typed, names)
    const guess = nearest === null ? null : `did you mean ${nearest}?`
    return new UsageError(`unknown option ${typed}`, instead ?? guess)
  }
  // The runtime's message has several lines, and a line break in a message is shown as a replacement character.
  const message = error instanceof Error ? error.message : String(error)
  return new UsageError(message.replaceAll("\n", " "))
}

/** Settings are variables, as in `PORT=80 pazar serve`. */
function findSetting(option: string): string | undefined {
  const name = option.slice(2).toUpperCase().replaceAll("-", "_")
  const known = settings.flatMap(({ names }) => names)
  const setting = known.find((each) => each === name || each === `PAZAR_${name}`)
  return setting && `set ${setting}`
}

/** `--name=x` as `--name`; arguments after `--` are no options. */
function optionsIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--")
  return args
    .slice(0, end < 0 ? undefined : end)
    .filter((arg) => /^-./.test(arg))
    .map((arg) => arg.replace(/=.*$/s, ""))
}

/** Finds the command that was typed, runs it, and explains its failure. */
import { ConfigError } from "../config/config.ts"
import { StoreUnavailable } from "../domain/store.ts"
import { findErrorCode, hasErrorCode, RefusedError } from "../domain/values/error.ts"
import { findNearest } from "../domain/values/text.ts"
import { PullFileError } from "../pull/pull-file.ts"
import { SourceError } from "../pull/source.ts"
import { MasterKeyError } from "../secrets/master-key.ts"
import { MigrationNeeded, NotOurs, StoreTooNew } from "../store/sql/migrate.ts"
import { commands } from "./commands.ts"
import {
  CannotRun,
  type Command,
  type CommandContext,
  signature,
  UsageError,
} from "./frame/command.ts"
import { version } from "./running/version.ts"

/** Returns the exit status. */
export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const [first] = args
  if (first === "--version" || first === "-V") return version.run(args.slice(1), context)
  if (first === "help") return explain(args.slice(1), context)
  const command = findCommand(args)
  if (command === undefined) {
    const isAsked = args.includes("--help") || args.includes("-h")
    const words = args.filter((arg) => !arg.startsWith("-"))
    return isAsked ? explain(words, context) : refuse(args, context)
  }
  const rest = args.slice(wordsOf(command).length)
  if (rest.includes("--help") || rest.includes("-h")) return explain(wordsOf(command), context)
  try {
    return await command.run(rest, context)
  } catch (error) {
    return explainFailure(error, command, context)
  }
}

const wordsOf = ({ name }: Command) => name.split(" ")

const findCommand = (args: readonly string[]) =>
  commands.find((command) => wordsOf(command).every((word, index) => word === args[index]))

/** The commands that begin with this word; none of them is the word itself. */
const groupOf = (first: string | undefined) =>
  commands.filter(({ name }) => name.startsWith(`${first} `))

/** `words` name a command, a group of commands, or nothing: then all are shown. */
async function explain(words: readonly string[], context: CommandContext): Promise<number> {
  const [first, second] = words
  const command = findCommand(words)
  const group = groupOf(first)
  const isKnown = first === undefined || group.length > 0
  if (command === undefined && (!isKnown || second !== undefined)) return refuse(words, context)
  const shown = group.length > 0 ? group : commands
  await context.write(command === undefined ? renderOverview(shown) : renderHelp(command))
  return 0
}

function renderHelp(command: Command): string {
  const help = command.help === undefined ? "" : `\n${command.help}\n`
  return `${signature(command)}\n\n${command.summary}\n${help}`
}

function renderOverview(shown: readonly Command[]): string {
  const lines = shown.map((command) => `  ${signature(command)}\n      ${command.summary}\n`)
  return `Usage:\n${lines.join("")}\n\`pazar help COMMAND\` explains one. docs/operating.md lists the settings.\n`
}

/** Names what is wrong with the command, and the nearest one; without a near one, shows its group, or all. */
function refuse(words: readonly string[], context: CommandContext): number {
  const [first, second] = words
  const group = groupOf(first)
  const isGroup = group.length > 0
  const shown = isGroup ? group : commands
  const typed = isGroup ? second : first
  if (typed !== undefined) {
    const prefix = isGroup ? `${first} ` : ""
    const known = shown.map((command) => wordsOf(command)[isGroup ? 1 : 0] ?? "")
    const nearest = findNearest(typed, known)
    const problem = `pazar: There is no command ${prefix}${typed}.`
    if (nearest !== null) {
      const help = isGroup ? `pazar help ${first}` : "pazar help"
      context.tell(`${problem} Did you mean ${prefix}${nearest}? \`${help}\` lists all.`)
      return 2
    }
    context.tell(problem)
    context.tell("")
  }
  tellLines(renderOverview(shown).trimEnd(), context)
  return 2
}

/** Errors that a person can act on are printed as one line; any other error is a bug, with its stack. */
function explainFailure(error: unknown, command: Command, context: CommandContext): number {
  if (!(error instanceof Error) || hasErrorCode(error, "EPIPE")) throw error
  if (error instanceof UsageError) {
    context.tell(`pazar: ${error.message}`)
    context.tell(`Usage: ${signature(command)}`)
    return 2
  }
  if (error instanceof RefusedError) {
    context.tell(`pazar: ${error.message}`)
    return 1
  }
  if (error instanceof ConfigError) return tellProblems("configuration", error, context)
  if (error instanceof PullFileError) return tellProblems("pull file", error, context)
  const isExplained = explained.some((kind) => error instanceof kind)
  // Errors of the system, such as "no such file", explain themselves.
  const isSystem = findErrorCode(error) !== null
  tellLines(`pazar: ${isExplained || isSystem ? error.message : error.stack}`, context)
  return 2
}

function tellProblems(
  what: string,
  { problems }: Readonly<{ problems: readonly string[] }>,
  { tell }: CommandContext,
): number {
  tell(`pazar: The ${what} cannot be used:`)
  // One by one, because a quoted value may contain a line break.
  for (const problem of problems) tell(`- ${problem}`)
  return 2
}

function tellLines(text: string, { tell }: CommandContext): void {
  for (const line of text.split("\n")) tell(line)
}

const ofStore = [MigrationNeeded, NotOurs, StoreTooNew, StoreUnavailable]
const explained = [...ofStore, CannotRun, MasterKeyError, SourceError]

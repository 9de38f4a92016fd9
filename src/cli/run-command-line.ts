import { findNearest } from "../domain/values/text.ts"
import { commandGroups, commands, subjects } from "./command-list.ts"
import { type Command, type CommandContext, renderUsage } from "./framework/command.ts"

export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const [first] = args
  if (first === "--version" || first === "-V")
    return runCommandLine(["version", ...args.slice(1)], context)
  if (first === undefined || first === "help") return printHelp(args.slice(1), context)
  const command = findCommand(args)
  const isHelp = args.includes("--help") || args.includes("-h")
  if (command === undefined) {
    const words = args.filter((arg) => !arg.startsWith("-"))
    return isHelp ? printHelp(words, context) : rejectUnknown(words, context)
  }
  if (isHelp) return printHelp(wordsOf(command), context)
  try {
    return await command.run(args.slice(wordsOf(command).length), context)
  } catch (error) {
    const { reportError } = await import("./report-error.ts")
    return reportError(error, command, context)
  }
}

const wordsOf = ({ name }: Command) => name.split(" ")

const findCommand = (args: readonly string[]) =>
  commands.find((command) => wordsOf(command).every((word, index) => word === args[index]))

/** Returns the commands of two words that begin with this one, such as `key create`. */
const groupOf = (first = "") => commands.filter(({ name }) => name.startsWith(`${first} `))

/** `words` are a command, the first word of several commands, or empty for the overview. */
async function printHelp(words: readonly string[], context: CommandContext): Promise<number> {
  const [first, second] = words
  const command = findCommand(words)
  const group = groupOf(first)
  if (command !== undefined) await context.write(renderHelp(command))
  else if (first === undefined) await context.write(renderOverview())
  else if (group.length > 0 && second === undefined) await context.write(renderGroup(group))
  else return rejectUnknown(words, context)
  return 0
}

function renderHelp(command: Command): string {
  const help = command.help === undefined ? "" : `\n${command.help}\n`
  return `${renderUsage(command)}\n\n${command.summary}\n${help}`
}

const renderGroup = (group: readonly Command[]) =>
  group.map((command) => `${renderUsage(command)}\n    ${command.summary}\n`).join("")

function renderOverview(): string {
  const width = Math.max(...firstWords.map(({ length }) => length))
  const sections = Object.entries(commandGroups).map(([title, words]) => {
    const lines = words.map((word) => `  ${word.padEnd(width)}  ${describeCommands(word)}\n`)
    return `${title}\n${lines.join("")}`
  })
  return `Usage: pazar COMMAND\n\n${sections.join("\n")}\nRun pazar help COMMAND for arguments and options.\n`
}

/** `Manage API keys: create, list, find, revoke, rotate.` for a first word, or the summary of a command. */
const describeCommands = (word: string) =>
  commands.find(({ name }) => name === word)?.summary ??
  `${subjects[word]}: ${secondWordsOf(groupOf(word)).join(", ")}.`

const secondWordsOf = (group: readonly Command[]) => group.map((each) => wordsOf(each)[1] ?? "")

function rejectUnknown(words: readonly string[], context: CommandContext): number {
  const [first, second] = words
  const group = groupOf(first)
  const help = group.length > 0 ? `pazar help ${first}` : "pazar help"
  const typed = group.length > 0 ? second : first
  if (typed === undefined) {
    context.printStderr(`pazar: missing command; run ${help}`)
    return 2
  }
  const prefix = group.length > 0 ? `${first} ` : ""
  const name = `${prefix}${typed}`
  const known = group.length > 0 ? secondWordsOf(group) : firstWords
  const nearest = findNearest(typed, known)
  const guess = nearest === null ? "" : `did you mean ${prefix}${nearest}? `
  context.printStderr(`pazar: unknown command "${name}"; ${guess}run ${help}`)
  return 2
}

const firstWords = [...new Set(commands.map((command) => wordsOf(command)[0] ?? ""))]

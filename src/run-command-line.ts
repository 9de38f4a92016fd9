import { commandGroups, commands, type ListedCommand, subjects } from "./cli.ts"
import type { CommandContext } from "./platform/cli/command.ts"
import { findNearest } from "./platform/text.ts"

export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const [first] = args
  if (first === "--version" || first === "-V")
    return runCommandLine(["version", ...args.slice(1)], context)
  if (first === undefined || first === "help") return printHelp(args.slice(1), context)
  const found = findCommand(args)
  const isHelp = args.includes("--help") || args.includes("-h")
  if (found === undefined) {
    const words = args.filter((arg) => !arg.startsWith("-"))
    return isHelp ? printHelp(words, context) : rejectUnknown(words, context)
  }
  if (isHelp) return printHelp(wordsOf(found), context)
  try {
    const command = await found.load()
    return await command.run(args.slice(wordsOf(found).length), context)
  } catch (error) {
    const { reportError } = await import("./report-error.ts")
    return reportError(error, found.name, context)
  }
}

const wordsOf = ({ name }: ListedCommand) => name.split(" ")

const findCommand = (args: readonly string[]) =>
  commands.find((command) => wordsOf(command).every((word, index) => word === args[index]))

/** Returns the commands of two words that begin with this one, such as `key create`. */
const groupOf = (first = "") => commands.filter(({ name }) => name.startsWith(`${first} `))

/** `words` are a command, the first word of several commands, or empty for the overview. */
async function printHelp(words: readonly string[], context: CommandContext): Promise<number> {
  const [first, second] = words
  const command = findCommand(words)
  const group = groupOf(first)
  if (command !== undefined) {
    const { help } = await command.load()
    await context.write(`${await renderUsage(command)}\n\n${command.summary}\n${help}`)
  } else if (first === undefined) await context.write(renderOverview())
  else if (group.length > 0 && second === undefined) {
    for (const each of group)
      await context.write(`${await renderUsage(each)}\n    ${each.summary}\n`)
  } else return rejectUnknown(words, context)
  return 0
}

export const renderUsage = async ({ name, load }: ListedCommand) =>
  `pazar ${name} ${(await load()).usage}`.trimEnd()

function renderOverview(): string {
  const width = Math.max(...subjects.map(({ word }) => word.length))
  const sections = Object.entries(commandGroups).map(([title, group]) => {
    const lines = group.map(({ word, summary }) => `  ${word.padEnd(width)}  ${summary}\n`)
    return `${title}\n${lines.join("")}`
  })
  return `Usage: pazar COMMAND\n\n${sections.join("\n")}\nRun pazar help COMMAND for arguments and options.\n`
}

function rejectUnknown([first, second]: readonly string[], context: CommandContext): number {
  const group = groupOf(first)
  const prefix = group.length > 0 ? `${first} ` : ""
  const typed = prefix === "" ? first : second
  const help = `pazar help ${prefix}`.trimEnd()
  if (typed === undefined) {
    context.printStderr(`pazar: missing command; run ${help}`)
    return 2
  }
  const known =
    prefix === ""
      ? subjects.map(({ word }) => word)
      : group.map(({ name }) => name.slice(prefix.length))
  const nearest = findNearest(typed, known)
  const guess = nearest === null ? "" : `did you mean ${prefix}${nearest}? `
  context.printStderr(`pazar: unknown command "${prefix}${typed}"; ${guess}run ${help}`)
  return 2
}

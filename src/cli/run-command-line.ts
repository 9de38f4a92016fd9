/** Finds the command that was typed, runs it, and explains its failure. */
import { findNearest } from "../domain/values/text.ts"
import { commands } from "./commands.ts"
import { type Command, type CommandContext, signature, tellLines } from "./frame/command.ts"

export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const [first] = args
  if (first === "--version" || first === "-V") {
    return runCommandLine(["version", ...args.slice(1)], context)
  }
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
    const { explainFailure } = await import("./explain-failure.ts")
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
  return `Usage:\n${lines.join("")}\n\`pazar help COMMAND\` explains one. docs/operating/settings.md lists the settings.\n`
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

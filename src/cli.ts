import type { Command, CommandContext, OpenContext } from "./platform/cli/command.ts"
import { findNearest } from "./platform/text.ts"

type FullContext = OpenContext<Awaited<ReturnType<typeof import("./server/app.ts").openCommandApp>>>

/** Commands with the same first word. `summary` is the line of the overview. */
type Subject = Readonly<{ word: string; summary: string; commands: readonly ListedCommand[] }>

type ListedCommand = Readonly<{
  name: string
  summary: string
  load(): Promise<Command<FullContext>>
}>

type Load<Name extends string> = () => Promise<
  Readonly<{ commands: Readonly<Record<Name, Command<FullContext>>> }>
>

function one<Name extends string>(name: Name, summary: string, load: Load<Name>): Subject {
  const command = { name, summary, load: async () => (await load()).commands[name] }
  return { word: name, summary, commands: [command] }
}

function several<Word extends string, Second extends string>(
  word: Word,
  summary: string,
  load: Load<`${Word} ${Second}`>,
  summaries: Readonly<Record<Second, string>>,
): Subject {
  // Object.keys loses the type of the names.
  const seconds = Object.keys(summaries) as Second[]
  const commands = seconds.map((second) => {
    const name = `${word} ${second}` as const
    return { name, summary: summaries[second], load: async () => (await load()).commands[name] }
  })
  return { word, summary: `${summary}: ${seconds.join(", ")}.`, commands }
}

const database = () => import("./server/database-commands.ts")
const items = () => import("./purchases/purchase-commands.ts")
const signingKeys = () => import("./signing/signing-key-commands.ts")
const keys = () => import("./keys/key-commands.ts")
const feed = () => import("./feed/feed-commands.ts")
const people = () => import("./people/person-commands.ts")

/** The overview of `pazar help`. The module of a command is loaded when the command, or its help, runs. */
const commandGroups: Readonly<Record<string, readonly Subject[]>> = {
  Server: [
    one("serve", "Run the server.", () => import("./server/serve-commands.ts")),
    one(
      "demo",
      "Run the server with a sample marketplace.",
      () => import("./demo/demo-commands.ts"),
    ),
    one("migrate", "Create the database, or upgrade it to this version.", database),
    one(
      "doctor",
      "Show the state of the database and the server, and check for problems.",
      () => import("./doctor/doctor-commands.ts"),
    ),
    one("version", "Print the version.", () => import("./server/version-commands.ts")),
  ],
  Data: [
    one("import", "Import accounts, items and purchases from a file.", feed),
    one(
      "pull",
      "Import accounts, items and purchases from the shop's own database.",
      () => import("./pull/pull-commands.ts"),
    ),
    one("export", "Export all accounts, items and purchases to a file.", feed),
    one("imports", "List recent imports, pulls and pushes, or show one.", feed),
  ],
  Authors: [
    several("account", "Manage accounts", () => import("./people/account-commands.ts"), {
      list: "List accounts.",
      show: "Show an account.",
      password: "Set the password of an account's owner from standard input.",
      invite: "Invite an author to set a password, by a printed link or by e-mail.",
      suspend: "Suspend an account: reject its API keys and close its workspace.",
      resume: "Resume a suspended account.",
    }),
    several("person", "Manage the people who sign in", people, {
      list: "List people.",
      "second-factor": "Show or remove somebody's two-factor authentication.",
      remove: "Delete a person and end their sessions.",
    }),
    several("key", "Manage API keys", keys, {
      create: "Create an API key and print it.",
      list: "List API keys, masked.",
      find: "Find the account of an API key from standard input.",
      revoke: "Revoke an API key permanently.",
      rotate: "Rotate an API key and print the new one.",
    }),
    several("item", "Show an item; show or set its site limit", items, {
      show: "Show an item with its author, state and number of purchases.",
      limit: "Show or set the site limit of an item.",
    }),
    several("purchase", "Show a purchase", items, {
      show: "Show a purchase with its author, item, state and sites.",
    }),
    several("webhook", "Manage webhooks", () => import("./webhooks/endpoint-commands.ts"), {
      create: "Create a webhook and print its secret.",
      list: "List webhooks.",
      remove: "Delete a webhook and its pending messages.",
    }),
  ],
  Operators: [
    several("operator", "Manage console operators", people, {
      create: "Create a console operator.",
      list: "List console operators.",
      password: "Set an operator's password from standard input.",
      role: "Change the role of an operator.",
      remove: "Delete an operator and end their sessions.",
    }),
    several("token", "Manage operator tokens of programs", people, {
      create: "Create an operator token and print it.",
      list: "List operator tokens, without their secrets.",
      rotate: "Rotate an operator token and print the new one.",
      remove: "Delete an operator token.",
    }),
  ],
  Maintenance: [
    one("backup", "Back up a SQLite database while servers run.", database),
    one("restore", "Restore a backup of a SQLite database.", database),
    one("move", "Move the database from SQLite to PostgreSQL, or back.", database),
    several("signing-key", "Manage the keys that sign responses", signingKeys, {
      list: "List the published keys that sign responses.",
      rotate: "Rotate the key that signs responses.",
    }),
    several("master-key", "Re-encrypt the database with a new master key", database, {
      reseal: "Re-encrypt the database with a new master key.",
    }),
  ],
}

const subjects = Object.values(commandGroups).flat()

export const commands = subjects.flatMap(({ commands }) => commands)

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
  const words = found.name.split(" ")
  if (isHelp) return printHelp(words, context)
  try {
    const command = await found.load()
    return await command.run(args.slice(words.length), openable(context))
  } catch (error) {
    const { reportError } = await import("./server/report-error.ts")
    return reportError(error, found.name, context)
  }
}

/** How commands open the database. The program of the server is loaded only then. */
const openable = (context: CommandContext): FullContext => ({
  ...context,
  openApp: async () => (await openings()).openCommandApp(context),
  rejectDatabaseFiles: async (path) => (await openings()).rejectDatabaseFiles(context, path),
})

const openings = () => import("./server/app.ts")

const findCommand = (args: readonly string[]) =>
  commands.find(({ name }) => name.split(" ").every((word, index) => word === args[index]))

/** Returns the commands of two words that begin with this one, such as `key create`. */
const listGroup = (first = "") => commands.filter(({ name }) => name.startsWith(`${first} `))

/** `words` are a command, the first word of several commands, or empty for the overview. */
async function printHelp(words: readonly string[], context: CommandContext): Promise<number> {
  const [first, second] = words
  const command = findCommand(words)
  const group = listGroup(first)
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
  const group = listGroup(first)
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

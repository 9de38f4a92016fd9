/** All commands in the order of `--help`, and how a command line is matched with one. */
import { ConfigError } from "../config.ts"
import { RefusedError } from "../domain/error.ts"
import { findErrorCode, hasErrorCode } from "../domain/error-code.ts"
import { StoreUnavailable } from "../domain/store.ts"
import { MasterKeyError } from "../secrets/master-key.ts"
import { MigrationNeeded, NotOurs, StoreTooNew } from "../store/migrate.ts"
import { accountInvite } from "./account-invite.ts"
import { accountList } from "./account-list.ts"
import { accountPassword } from "./account-password.ts"
import { accountShow } from "./account-show.ts"
import { CannotRun, type Command, type CommandContext, UsageError } from "./command.ts"
import { demo } from "./demo.ts"
import { exportCommand } from "./export.ts"
import { importCommand } from "./import.ts"
import { keyCreate } from "./key-create.ts"
import { keyList } from "./key-list.ts"
import { keyRevoke } from "./key-revoke.ts"
import { keyRotate } from "./key-rotate.ts"
import { migrate } from "./migrate.ts"
import { openapi } from "./openapi.ts"
import { serve } from "./serve.ts"
import { signingKeyExport } from "./signing-key-export.ts"
import { signingKeyImport } from "./signing-key-import.ts"
import { signingKeyList } from "./signing-key-list.ts"
import { signingKeyRotate } from "./signing-key-rotate.ts"
import { version } from "./version.ts"

export const commands: readonly Command[] = [
  serve,
  demo,
  importCommand,
  exportCommand,
  accountList,
  accountShow,
  accountPassword,
  accountInvite,
  keyCreate,
  keyList,
  keyRevoke,
  keyRotate,
  signingKeyList,
  signingKeyRotate,
  signingKeyExport,
  signingKeyImport,
  migrate,
  openapi,
  version,
]

/** Runs what was typed and returns the exit status. */
export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const command = commands.find(({ name }) =>
    name.split(" ").every((word, index) => word === args[index]),
  )
  if (command === undefined) return explainAll(args, context)
  const rest = args.slice(command.name.split(" ").length)
  if (rest.includes("--help") || rest.includes("-h")) {
    await context.write(renderHelp(command))
    return 0
  }
  try {
    return await command.run(rest, context)
  } catch (error) {
    return explainFailure(error, command, context)
  }
}

async function explainAll(args: readonly string[], context: CommandContext): Promise<number> {
  const [first] = args
  const isAsked = first === "help" || args.includes("--help") || args.includes("-h")
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  const shown = renderOverview(group.length > 0 ? group : commands)
  if (isAsked) {
    await context.write(shown)
    return 0
  }
  if (first !== undefined && group.length === 0) {
    context.tell(`pazar: there is no command ${first}`)
    context.tell("")
  }
  tellLines(shown.trimEnd(), context)
  return 2
}

const signature = ({ name, usage }: Command) => `pazar ${name} ${usage}`.trimEnd()

function renderHelp(command: Command): string {
  const help = command.help === undefined ? "" : `\n${command.help}\n`
  return `${signature(command)}\n\n${command.summary}\n${help}`
}

function renderOverview(shown: readonly Command[]): string {
  const lines = shown.map((command) => `  ${signature(command)}\n      ${command.summary}\n`)
  return `Usage:\n${lines.join("")}\n--help after a command explains it. docs/operating.md lists the settings.\n`
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
  if (error instanceof ConfigError) {
    // One by one, because a quoted value may contain a line break.
    context.tell("pazar: The configuration cannot be used:")
    for (const problem of error.problems) context.tell(`- ${problem}`)
    return 2
  }
  const isExplained = explained.some((kind) => error instanceof kind)
  // Errors of the system, such as "no such file", explain themselves.
  const isSystem = findErrorCode(error) !== null
  tellLines(`pazar: ${isExplained || isSystem ? error.message : error.stack}`, context)
  return 2
}

function tellLines(text: string, { tell }: CommandContext): void {
  for (const line of text.split("\n")) tell(line)
}

const explained = [
  ...[CannotRun, MasterKeyError],
  ...[MigrationNeeded, NotOurs, StoreTooNew, StoreUnavailable],
]

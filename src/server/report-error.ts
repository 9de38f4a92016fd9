import { ConfigError } from "../config/config.ts"
import { settings } from "../config/settings.ts"
import {
  CannotRunError,
  type CommandContext,
  UnknownOption,
  UsageError,
} from "../platform/cli/command.ts"
import {
  MigrationNeeded,
  NotPazarDatabase,
  StoreTooNew,
} from "../platform/database/schema-versions.ts"
import { findErrorCode, hasErrorCode, StoreUnavailable, UserError } from "../platform/error.ts"
import { PullFileError } from "../pull/pull-file.ts"
import { SourceError } from "../pull/source.ts"
import { MasterKeyError } from "../store/master-key.ts"

/** Prints expected errors as one line, and any other error, which is a bug, with its stack. Returns the exit status. */
export function reportError(error: unknown, name: string, context: CommandContext): number {
  if (!(error instanceof Error) || hasErrorCode(error, "EPIPE")) throw error
  if (error instanceof UsageError) {
    const setting = error instanceof UnknownOption ? findSetting(error.option) : undefined
    const remedy = setting ?? error.remedy ?? `run pazar help ${name}`
    context.printStderr(`pazar: ${error.message}; ${remedy}`)
    return 2
  }
  if (error instanceof UserError) {
    context.printStderr(`pazar: ${error.message}`)
    return 1
  }
  if (error instanceof ConfigError) return printProblems("configuration", error, context)
  if (error instanceof PullFileError) return printProblems("sync file", error, context)
  const isExplained = explained.some((kind) => error instanceof kind)
  const isSystem = findErrorCode(error) !== null
  const text = `pazar: ${isExplained || isSystem ? error.message : error.stack}`
  for (const line of text.split("\n")) context.printStderr(line)
  return 2
}

/** `set PORT` for `--port`: settings are environment variables, not options. */
function findSetting(option: string): string | undefined {
  const name = option.slice(2).toUpperCase().replaceAll("-", "_")
  const all = settings.flatMap(({ names }) => names)
  const setting = all.find((each) => each === name || each === `PAZAR_${name}`)
  return setting && `set ${setting}`
}

function printProblems(
  what: string,
  { problems }: Readonly<{ problems: readonly string[] }>,
  { printStderr }: CommandContext,
): number {
  printStderr(`pazar: invalid ${what}:`)
  // Printed separately, because a quoted value may contain a line break.
  for (const problem of problems) printStderr(`- ${problem}`)
  return 2
}

const databaseErrors = [MigrationNeeded, NotPazarDatabase, StoreTooNew, StoreUnavailable]
const explained = [...databaseErrors, CannotRunError, MasterKeyError, SourceError]

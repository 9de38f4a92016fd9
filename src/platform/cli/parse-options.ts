import { UserError } from "../error.ts"
import { type CommandContext, UsageError } from "./command.ts"

/** For secrets, which would appear in the process list as arguments. */
export async function readFirstLine({ readStandardInput }: CommandContext): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of readStandardInput()) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes("\n")) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ""
}

export function parseChoice<Choice extends string>(
  option: string,
  choices: readonly Choice[],
  text: string,
): Choice {
  const choice = choices.find((each) => each === text)
  if (choice !== undefined) return choice
  throw new UsageError(`--${option} must be one of ${choices.join(", ")}`)
}

const rowsMax = 1_000_000

export function parseLimitOption(text: string): number {
  const rows = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (rows >= 1 && rows <= rowsMax) return rows
  throw new UsageError(`--limit must be a number from 1 to ${rowsMax}`)
}

export function checkUsernameOrAll(username: string | undefined, isAll: boolean): void {
  if (isAll && username !== undefined)
    throw new UsageError("USERNAME and --all cannot be used together")
  if (!isAll && username === undefined)
    throw new UsageError("missing USERNAME", "or use --all for every account")
}

export function asUsageError<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof UserError ? new UsageError(error.message) : error
  }
}

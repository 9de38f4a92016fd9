/** The options of every command that loads a feed. */
import { existsSync, realpathSync } from "node:fs"
import { UsageError } from "./command.ts"

export const feedOptions = {
  strict: { type: "boolean" },
  "dry-run": { type: "boolean" },
  rejects: { type: "string", value: "FILE" },
} as const

export const feedOptionsHelp = `  --strict        check the whole feed first; write it only if no line is refused
  --dry-run       check every line, keep nothing
  --rejects FILE  write the refused lines there, to be fixed and imported again`

/** As `createCommand` parses them. */
export type FeedOptionValues = Readonly<{
  strict: boolean
  "dry-run": boolean
  rejects?: string | undefined
}>

export type FeedOptions = Readonly<{
  mode: "batches" | "strict" | "dry run"
  rejectsPath: string | null
}>

/** `inputPath` is read by the command, so no option may write to it. Throws UsageError. */
export function parseFeedOptions(values: FeedOptionValues, inputPath: string): FeedOptions {
  const rejectsPath = values.rejects ?? null
  if (rejectsPath !== null && isSameFile(rejectsPath, inputPath)) {
    throw new UsageError("--rejects must not be the feed itself")
  }
  return {
    mode: values["dry-run"] ? "dry run" : values.strict ? "strict" : "batches",
    rejectsPath,
  }
}

const isSameFile = (one: string, other: string) =>
  existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other)

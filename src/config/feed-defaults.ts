import { readFileSync } from "node:fs"
import { findErrorCode } from "../domain/values/error-code.ts"
import { parseDefaults } from "../feed/records/defaults-file.ts"
import { type FeedDefaults, noDefaults } from "../feed/records/fill-record.ts"

/** Adds to `problems`, each with the path; the result is of use only if it added none. */
export function readFeedDefaults(path: string, problems: string[]): FeedDefaults {
  const found: string[] = []
  const defaults = parse(path, found)
  problems.push(...found.map((problem) => `${path}: ${problem}`))
  return defaults
}

function parse(path: string, problems: string[]): FeedDefaults {
  try {
    return parseDefaults(readFileSync(path, "utf8"), problems)
  } catch (error) {
    const code = findErrorCode(error)
    if (code === null) throw error
    problems.push(`it cannot be read (${code})`)
    return noDefaults
  }
}

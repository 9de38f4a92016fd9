import { expect } from "bun:test"
import { describe as describeProblem, message } from "../../../src/platform/problem.ts"
import { account, item, type Line, purchase } from "../records.ts"
import { type RunOptions, runPazar } from "../run-pazar.ts"

/** The summary on standard output, without its last field, which varies. */
export function summaryOf(stdout: string) {
  const [line = "", ...rest] = stdout.split("\n")
  expect(rest).toEqual([""])
  const summary = JSON.parse(line)
  expect(Object.keys(summary)).toEqual([
    ...["accepted", "adjusted", "waiting", "rejected", "removed", "revoked", "restored", "seconds"],
  ])
  expect([summary.removed, summary.revoked, summary.restored]).toEqual([0, 0, 0])
  expect(summary.seconds).toBeGreaterThanOrEqual(0)
  return { accepted: summary.accepted, rejected: summary.rejected }
}

export async function runImport(folder: string, args: readonly string[], options?: RunOptions) {
  const { status, stdout, stderr } = await runPazar(folder, ["import", ...args], options)
  return { status, ...summaryOf(stdout), stderr }
}

export const validFeed: readonly Line[] = [account("elif"), item("elif", 1), purchase("code-1", 1)]
export const mixedFeed: readonly Line[] = [
  ...validFeed,
  purchase("code-2", 1, { price: "gratis", currency: "EURO" }),
  purchase("code-3", 1, { price: "free" }),
  purchase("code-4", 1),
]
export const mixedFeedErrors =
  `line 4: purchase code-2: price: ${describeProblem(message("not_a_number"))}; currency: ${describeProblem(message("not_a_currency"))}\n` +
  `line 5: purchase code-3: price: ${describeProblem(message("not_a_number"))}\n`

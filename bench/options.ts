/** What to measure and how large, from the command line. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"

export type Options = Readonly<{
  /** The parts that were named. */
  names: readonly string[]
  isQuick: boolean
  /** Whether this is the whole report, which replaces the one in the repository. */
  isWhole: boolean
  rounds: number | null
  connections: number
  /** In the store that most parts ask. */
  purchases: number
  /** In the large store of the parts `growth` and `sites`. */
  manyPurchases: number
  manyPostgresPurchases: number
  /** Of mixed load, in the part `memory`. */
  minutes: number
  /** Whether the parts that bench/data/last.json has of this commit and command are kept. */
  isResumed: boolean
  /** Whether single parts take the place of their older figures in the report in the repository. */
  isPublished: boolean
  /** The checkout that the part `against` races; null without that part. */
  other: string | null
}>

export class UsageError extends Error {
  override name = "UsageError"
}

export const usage = `npm run bench [-- quick | full | PART…] [options]

  (nothing)   every part, at sizes that take about an hour
  full        every part, at the sizes the targets speak of: hours, and 20 GB of disk
  quick       validation, item, account, lists against the limit: under three minutes
  PART…       single parts, by name

  --rounds N              rounds of each race
  --connections N         connections of the load (64)
  --purchases N           in the usual store (1000000; quick: 100000)
  --many N                in the large store of \`growth\` and \`sites\` (2000000; full: 20000000)
  --postgres-many N       in that of \`postgres-growth\` and \`postgres-sites\` (1000000; full: 10000000)
  --minutes N             of mixed load in \`memory\` (6; full: 60)
  --resume                keep what bench/data/last.json has of this commit and command
  --publish               put single parts into the report in the repository
  --other DIR             a checkout with its node_modules, which \`against\` races with this one
  --help

What was measured is written to bench/data/last.md and last.json after each part; a whole report, in
the end, to bench/results.md and results.json too.`

export function readOptions(args: readonly string[], parts: readonly string[]): Options | "help" {
  const { values, positionals } = parse(args)
  if (values.help === true) return "help"
  const isQuick = positionals.includes("quick")
  const isFull = positionals.includes("full")
  const names = positionals.filter((name) => name !== "quick" && name !== "full")
  const unknown = names.filter((name) => !parts.includes(name))
  if (unknown.length > 0) {
    throw new UsageError(`there is no part ${unknown.join(", ")}: they are ${parts.join(", ")}`)
  }
  const count = (name: keyof typeof values, otherwise: number) => {
    const text = values[name]
    if (text === undefined) return otherwise
    if (typeof text === "string" && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
    throw new UsageError(`--${name} must be a whole number`)
  }
  return {
    names,
    isQuick,
    isWhole: names.length === 0 && !isQuick,
    rounds: values.rounds === undefined ? null : count("rounds", 0),
    connections: count("connections", 64),
    purchases: count("purchases", isQuick ? 100_000 : 1_000_000),
    manyPurchases: count("many", isFull ? 20_000_000 : 2_000_000),
    manyPostgresPurchases: count("postgres-many", isFull ? 10_000_000 : 1_000_000),
    minutes: count("minutes", isFull ? 60 : 6),
    isResumed: values.resume === true,
    isPublished: values.publish === true,
    other: readOther(values.other, names.includes("against")),
  }
}

function readOther(folder: string | undefined, isRaced: boolean): string | null {
  if (isRaced !== (folder !== undefined)) throw new UsageError("against needs --other DIR")
  if (folder === undefined) return null
  if (!existsSync(join(folder, "node_modules/.bin/bun"))) {
    throw new UsageError(`${folder} is no checkout with its node_modules: run npm ci in it`)
  }
  return resolve(folder)
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean" },
        rounds: text,
        connections: text,
        purchases: text,
        many: text,
        "postgres-many": text,
        minutes: text,
        resume: { type: "boolean" },
        publish: { type: "boolean" },
        other: text,
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

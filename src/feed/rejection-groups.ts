/**
 * Sums up refused lines by kind, so that an operator sees the few things that are wrong with many of
 * them. Memory does not grow with the feed.
 */
import type { RecordName, Rejection } from "../domain/feed/feed-record.ts"
import type { RejectionGroup, RejectionSummary } from "../domain/feed/import-run.ts"
import type { Problem } from "../domain/values/problems/problem.ts"
import { shortened } from "../domain/values/schema.ts"

export type Rejections = readonly [Rejection, ...Rejection[]]

/** For output: without the fields by which refusals are summed up. */
export const listProblems = (rejections: Rejections): readonly Problem[] =>
  rejections.map(({ field, code, params }) => ({ field, code, params }))

/** The type and identity of a record, as far as the line names them. */
export type Identity = Readonly<{ type?: string; identity?: string }>

/** The refused line that had the missing record; `unknown` when too many were refused to tell. */
type Because = (RecordName & Readonly<{ line: number }>) | "unknown"

export type RejectedLine = Identity &
  Readonly<{
    line: number
    problems: Rejections
    /** Null: the problems are the line's own. */
    because: Because | null
  }>

/** An accepted line with members that could not be taken, and why. */
export type DefaultedLine = Identity & Readonly<{ line: number; problems: readonly Problem[] }>

/** More groups do not fit on a screen. */
export const groupsMax = 20
/** Only a feed with random member names has more kinds of problems; further ones are only counted. */
const kindsMax = 1_000
/** About 10 MB. */
const recordsKeptMax = 100_000

type Group = { -readonly [Name in keyof RejectionGroup]: RejectionGroup[Name] }

export type RejectionGroups = ReturnType<typeof createRejectionGroups>

export function createRejectionGroups(limit = recordsKeptMax) {
  const groups = new Map<string, Group>()
  /** Refused accounts and items, which other records need. */
  const refusedLines = new Map<string, number>()
  let uncounted = 0

  /** The cause of a problem: the refused line that had the missing record. Null when it has none. */
  function findCause(missing: RecordName | undefined): Because | null {
    if (missing === undefined) return null
    const record = { type: missing.type, identity: shortened(missing.identity) }
    const line = refusedLines.get(nameOf(record))
    if (line !== undefined) return { line, ...record }
    return refusedLines.size < limit ? null : "unknown"
  }

  function remember({ line, type, identity }: RejectedLine): void {
    if (identity === undefined || (type !== "account" && type !== "item")) return
    const name = nameOf({ type, identity })
    if (refusedLines.size < limit && !refusedLines.has(name)) refusedLines.set(name, line)
  }

  function count(key: string, group: Group): void {
    const known = groups.get(key)
    if (known !== undefined) known.lines += 1
    else if (groups.size < kindsMax || group.cause !== "itself") groups.set(key, group)
    else uncounted += 1
  }

  return {
    findCause,
    add(refused: RejectedLine): void {
      remember(refused)
      const { line, type = null, identity = null, problems, because } = refused
      const cause = causeOf(because)
      const counted = new Set<string>()
      for (const problem of problems) {
        // The entries of a list have the same problem: `screenshots[0]` and `screenshots[1]`.
        const field = problem.field.replaceAll(/\[\d+\]/g, "[]")
        const { code } = problem
        // Limits are numbers, and the values of a record are texts.
        const params = Object.fromEntries(
          Object.entries(problem.params).filter(([, value]) => typeof value === "number"),
        )
        const key = JSON.stringify([type, field, code, params, cause])
        if (counted.has(key)) continue
        counted.add(key)
        const first = { firstLine: line, firstIdentity: identity }
        count(key, { type, field, code, params, cause, lines: 1, ...first })
      }
    },
    summarise(): RejectionSummary {
      const sorted = [...groups.values()].toSorted((one, other) => other.lines - one.lines)
      const ofCause = (wanted: RejectionGroup["cause"]) =>
        sorted.filter(({ cause }) => cause === wanted)
      const below = [...ofCause("another line"), ...ofCause("unknown")]
      const above = ofCause("itself").slice(0, Math.max(0, groupsMax - below.length))
      const listed = [...above, ...below]
      const sum = (some: readonly Group[]) => some.reduce((total, { lines }) => total + lines, 0)
      return {
        groups: listed.map((group) => ({ ...group })),
        otherKinds: sorted.length - listed.length,
        otherProblems: sum(sorted) - sum(listed) + uncounted,
      }
    },
  }
}

const nameOf = ({ type, identity }: RecordName) => `${type} ${identity}`

const causeOf = (because: Because | null): RejectionGroup["cause"] =>
  because === null ? "itself" : because === "unknown" ? "unknown" : "another line"

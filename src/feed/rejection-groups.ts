/** Groups rejected lines by problem, so that an operator sees the few problems of many lines. Uses bounded memory. */
import type { RecordName, Rejection } from "../domain/feed/feed-record.ts"
import {
  type RejectedSample,
  type RejectionGroup,
  type RejectionSummary,
  samplesMax,
} from "../domain/feed/feed-store.ts"
import type { Problem } from "../domain/values/problems/problem.ts"
import { shortened } from "../domain/values/schema.ts"

export type Rejections = readonly [Rejection, ...Rejection[]]

/** For output: without the fields that are used for grouping. */
export const listProblems = (rejections: Rejections): readonly Problem[] =>
  rejections.map(({ field, code, params }) => ({ field, code, params }))

export type Identity = Readonly<{ type?: string; identity?: string }>

/** The rejected line with the missing record. `unknown` if too many lines were rejected to find it. */
type Because = (RecordName & Readonly<{ line: number }>) | "unknown"

export type RejectedLine = Identity &
  Readonly<{
    line: number
    problems: Rejections
    because: Because | null
  }>

export type DefaultedLine = Identity & Readonly<{ line: number; problems: readonly Problem[] }>

export const groupsMax = 20
/** Only a feed with random field names has more kinds of problems. Further kinds are only counted. */
const kindsMax = 1_000
/** About 10 MB of memory. */
const rejectedRecordsMax = 100_000

type Group = Omit<RejectionGroup, "lines" | "samples"> & {
  lines: number
  samples: [RejectedSample, ...RejectedSample[]]
}

export type RejectionGroups = ReturnType<typeof createRejectionGroups>

export function createRejectionGroups(limit = rejectedRecordsMax) {
  const groups = new Map<string, Group>()
  const rejectedLines = new Map<string, number>()
  let uncounted = 0

  function findCause(missing: RecordName | undefined): Because | null {
    if (missing === undefined) return null
    const record = { type: missing.type, identity: shortened(missing.identity) }
    const line = rejectedLines.get(nameOf(record))
    if (line !== undefined) return { line, ...record }
    return rejectedLines.size < limit ? null : "unknown"
  }

  function remember({ line, type, identity }: RejectedLine): void {
    if (identity === undefined || (type !== "account" && type !== "item")) return
    const name = nameOf({ type, identity })
    if (rejectedLines.size < limit && !rejectedLines.has(name)) rejectedLines.set(name, line)
  }

  function count(key: string, group: Group): void {
    const existing = groups.get(key)
    if (existing !== undefined) {
      existing.lines += 1
      if (existing.samples.length < samplesMax) existing.samples.push(...group.samples)
    } else if (groups.size < kindsMax || group.cause !== "itself") groups.set(key, group)
    else uncounted += 1
  }

  return {
    findCause,
    add(rejected: RejectedLine): void {
      remember(rejected)
      const { line, type = null, identity = null, problems, because } = rejected
      const cause = causeOf(because)
      const counted = new Set<string>()
      for (const problem of problems) {
        // Entries of a list are one field: `screenshots[0]` and `screenshots[1]`.
        const field = problem.field.replaceAll(/\[\d+\]/g, "[]")
        const { code } = problem
        // Numbers are limits and belong to the kind; strings are values of one record.
        const params = Object.fromEntries(
          Object.entries(problem.params).filter(([, value]) => typeof value === "number"),
        )
        const key = JSON.stringify([type, field, code, params, cause])
        if (counted.has(key)) continue
        counted.add(key)
        count(key, { type, field, code, params, cause, lines: 1, samples: [{ line, identity }] })
      }
    },
    summarize(): RejectionSummary {
      const sorted = [...groups.values()].toSorted((one, other) => other.lines - one.lines)
      const filterByCause = (wanted: RejectionGroup["cause"]) =>
        sorted.filter(({ cause }) => cause === wanted)
      const dependent = [...filterByCause("another line"), ...filterByCause("unknown")]
      const own = filterByCause("itself").slice(0, Math.max(0, groupsMax - dependent.length))
      const listed = [...own, ...dependent]
      const sum = (some: readonly Group[]) => some.reduce((total, { lines }) => total + lines, 0)
      return {
        groups: listed.map((group) => ({ ...group, samples: [...group.samples] })),
        otherKinds: sorted.length - listed.length,
        otherProblems: sum(sorted) - sum(listed) + uncounted,
      }
    },
  }
}

const nameOf = ({ type, identity }: RecordName) => `${type} ${identity}`

const causeOf = (because: Because | null): RejectionGroup["cause"] =>
  because === null ? "itself" : because === "unknown" ? "unknown" : "another line"

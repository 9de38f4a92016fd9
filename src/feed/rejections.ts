/** Groups rejected lines by problem, so that an operator sees the few problems of many lines. Uses bounded memory. */
import type { Message, Problem } from "../platform/problem.ts"
import { type InvalidRecord, shortened } from "../platform/schema.ts"

export type Identity = Readonly<{ type?: string; identity?: string }>

export type LineProblems = Identity & Readonly<{ line: number }> & Pick<InvalidRecord, "problems">

/** `because` is the rejected line with the record that this one needs. */
export type RejectedLine = LineProblems &
  Readonly<{ because?: (Identity & Readonly<{ line: number }>) | undefined }>

export const groupsMax = 20
/** Only a feed with random field names has more kinds of problems. Further kinds are only counted. */
const kindsMax = 1_000
/** About 10 MB of memory. */
const rejectedRecordsMax = 100_000

type Group = Omit<RejectionGroup, "lines" | "samples"> & {
  lines: number
  samples: [RejectedSample, ...RejectedSample[]]
}

export function createRejectionGroups() {
  const groups = new Map<string, Group>()
  const rejectedRecords = new Map<string, NonNullable<RejectedLine["because"]>>()
  let uncounted = 0

  return {
    /** Returns the line with its cause. */
    add(rejected: LineProblems): RejectedLine {
      const { line, type = null, identity = null, problems } = rejected
      const because = rejectedRecords.get(findNeeded(problems[0]) ?? "")
      const name = `${type} ${identity}`
      const isNeeded = identity !== null && (type === "account" || type === "item")
      if (isNeeded && rejectedRecords.size < rejectedRecordsMax && !rejectedRecords.has(name))
        rejectedRecords.set(name, { line, type, identity })
      const counted = new Set<string>()
      for (const problem of problems) {
        // Entries of a list are one field: `screenshots[0]` and `screenshots[1]`.
        const field = problem.field.replaceAll(/\[\d+\]/g, "[]")
        const { code } = problem
        // Numbers are limits and belong to the kind; strings are values of one record.
        const params = Object.fromEntries(
          Object.entries(problem.params).filter(([, value]) => typeof value === "number"),
        )
        const key = JSON.stringify([type, field, code, params])
        if (counted.has(key)) continue
        counted.add(key)
        const existing = groups.get(key)
        if (existing !== undefined) {
          existing.lines += 1
          if (existing.samples.length < samplesMax) existing.samples.push({ line, identity })
        } else if (groups.size < kindsMax)
          groups.set(key, { type, field, code, params, lines: 1, samples: [{ line, identity }] })
        else uncounted += 1
      }
      return { ...rejected, because }
    },
    summarize(): RejectionSummary {
      const sorted = [...groups.values()].toSorted((one, other) => other.lines - one.lines)
      const listed = sorted.slice(0, groupsMax)
      const sum = (some: readonly Group[]) => some.reduce((total, { lines }) => total + lines, 0)
      return {
        groups: listed.map((group) => ({ ...group, samples: [...group.samples] })),
        otherKinds: sorted.length - listed.length,
        otherProblems: sum(sorted) - sum(listed) + uncounted,
      }
    },
  }
}

function findNeeded({ code, params }: Problem): string | null {
  if (code === "unknown_account") return `account ${shortened(`${params.username}`)}`
  return code === "unknown_item" ? `item ${shortened(`${params.id}`)}` : null
}

export type RejectionGroup = Readonly<{
  type: string | null
  field: string
  /** `params` has only values that all records share, such as a limit. */
  code: Message["code"]
  params: Message["params"]
  /** A line with several problems is counted in the group of each. */
  lines: number
  /** The first lines, at most `samplesMax`. */
  samples: readonly [RejectedSample, ...RejectedSample[]]
}>

type RejectedSample = Readonly<{ line: number; identity: string | null }>

/** Enough to see what the lines of a group have in common. */
const samplesMax = 3

export type RejectionSummary = Readonly<{
  groups: readonly RejectionGroup[]
  otherKinds: number
  otherProblems: number
}>

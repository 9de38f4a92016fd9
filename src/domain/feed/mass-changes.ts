/** Stops a run that would delete or revoke an unusual share of the records, before the batch that exceeds its limit. */
import { type Allowance, isWithin, showAllowance } from "../values/allowance.ts"
import { type Message, message } from "../values/problems/problem.ts"
import type { DatedKind } from "./as-of.ts"
import { type KindCounts, type MassCounts, noRecords } from "./tally.ts"

export type MassLimits = Readonly<{
  deletesMax: Allowance
  revokesMax: Allowance
  options: Readonly<{ deletes: string; revokes: string }>
}>

/** 20 records are ordinary even for a small marketplace. */
const ordinary: Allowance = { percent: 1, atLeast: 20 }

export const standardLimits: MassLimits = {
  deletesMax: ordinary,
  revokesMax: ordinary,
  options: { deletes: "--max-deletes", revokes: "--max-revokes" },
}

/** The batch was not written. The problem contains the counts and the option that allows them. */
export class TooManyChanges extends Error {
  override name = "TooManyChanges"
  readonly problem: Message

  constructor(problem: Message) {
    super(problem.code)
    this.problem = problem
  }
}

export type MassGuardOptions = Readonly<{
  limits?: MassLimits | undefined
  /** Changes of the source's last run, if it was stopped. Without them, repeated pulls would bypass the limit. */
  before?: MassCounts | undefined
}>

export function findExcess(
  { deletesMax, revokesMax, options }: MassLimits,
  { removed, revoked }: MassCounts,
  totals: KindCounts,
): Message | null {
  const deletions = excessOf(deletesMax, removed, totals)
  if (deletions !== null) {
    return message("too_many_deletes", { ...deletions, option: options.deletes })
  }
  const revocations = excessOf(revokesMax, { ...noRecords, purchase: revoked }, totals)
  if (revocations === null) return null
  return message("too_many_revokes", { ...revocations, option: options.revokes })
}

const kinds: readonly DatedKind[] = ["account", "item", "purchase"]

/** The first type beyond the limit. If a type had no records, a run can delete only what it inserted itself. */
export function excessOf(
  allowed: Allowance,
  counts: KindCounts,
  totals: KindCounts,
): Message["params"] | null {
  const type = kinds.find(
    (kind) => totals[kind] > 0 && !isWithin(allowed, counts[kind], totals[kind]),
  )
  if (type === undefined) return null
  const atLeast = "atLeast" in allowed ? allowed.atLeast : undefined
  return {
    type,
    records: counts[type],
    total: totals[type],
    allowed: showAllowance(allowed),
    ...(atLeast !== undefined && { atLeast }),
  }
}

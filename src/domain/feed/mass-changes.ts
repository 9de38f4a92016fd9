/**
 * Mass changes: a run that would delete or revoke an unusual share of the records is stopped before the batch that
 * exceeds its limit. The rule is the same for files, pulls, pushes, full feeds and dry runs.
 */
import { type Allowance, isWithin, showAllowance } from "../values/allowance.ts"
import { type Message, message } from "../values/problems/problem.ts"
import type { DatedKind } from "./as-of.ts"
import { type KindCounts, type MassCounts, noRecords } from "./tally.ts"

export type MassLimits = Readonly<{
  deletesMax: Allowance
  revokesMax: Allowance
  /** How the operator sets them. */
  options: Readonly<{ deletes: string; revokes: string }>
}>

/** A small shop may change a larger share: 20 records are ordinary. */
const ordinary: Allowance = { percent: 1, atLeast: 20 }

export const standardLimits: MassLimits = {
  deletesMax: ordinary,
  revokesMax: ordinary,
  options: { deletes: "--max-deletes", revokes: "--max-revokes" },
}

/** The batch was not written. The problem says how many, and which option allows them. */
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
  /**
   * What the last run of the same source had deleted and revoked when it was stopped. A pull that is repeated would
   * otherwise go on where it was stopped, one share after the other.
   */
  before?: MassCounts | undefined
}>

/** Why the run must stop; null if it may go on. */
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

/**
 * The first type of which more than allowed would go; null if there is none. Of a type that had no records, a run can
 * delete only what it has brought itself.
 */
export function excessOf(
  allowed: Allowance,
  counts: KindCounts,
  totals: KindCounts,
): Message["params"] | null {
  const type = kinds.find(
    (kind) => totals[kind] > 0 && !isWithin(allowed, counts[kind], totals[kind]),
  )
  if (type === undefined) return null
  return { type, records: counts[type], total: totals[type], allowed: showAllowance(allowed) }
}

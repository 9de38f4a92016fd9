/**
 * Mass changes: a run that would delete or revoke an unusual share of the records is stopped before the batch that
 * exceeds its limit. The rule is the same for files, pulls, pushes, full feeds and dry runs.
 */
import { type Allowance, isWithin, showAllowance } from "../values/allowance.ts"
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

/** The batch was not written. The message says how many, and which option allows them. */
export class TooManyChanges extends Error {
  override name = "TooManyChanges"
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
): string | null {
  const deletions = describeExcess(deletesMax, removed, totals)
  if (deletions !== null) return stopBefore("delete", deletions, options.deletes, deletesMax)
  const ofPurchases = { ...noRecords, purchase: revoked }
  const revocations = describeExcess(revokesMax, ofPurchases, totals)
  if (revocations !== null) return stopBefore("revoke", revocations, options.revokes, revokesMax)
  return null
}

const stopBefore = (verb: string, records: string, option: string, allowed: Allowance) =>
  `stopped before it would ${verb} ${records}, and ${option} allows ${showAllowance(allowed)} of each type; if this is intended, run it again with a higher ${option}`

const kinds: readonly DatedKind[] = ["account", "item", "purchase"]
const plurals = { account: "accounts", item: "items", purchase: "purchases" } as const

/**
 * `4 of 200 purchases (2 %)`: the types of which more than allowed would go; null if there are none. Of a type that had
 * no records, a run can delete only what it has brought itself.
 */
export function describeExcess(
  allowed: Allowance,
  counts: KindCounts,
  totals: KindCounts,
): string | null {
  const tooMany = kinds.filter(
    (kind) => totals[kind] > 0 && !isWithin(allowed, counts[kind], totals[kind]),
  )
  const described = tooMany.map((kind) => {
    const percent = Number(((counts[kind] / totals[kind]) * 100).toPrecision(4))
    return `${counts[kind]} of ${totals[kind]} ${plurals[kind]} (${percent} %)`
  })
  return described.length === 0 ? null : described.join(" and ")
}

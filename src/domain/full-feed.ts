/** A full feed is everything: records that it does not name are removed, if they are few. */
import type { DatedIdentity, DatedKind } from "./as-of.ts"
import { isWithinLimit, type Limit, showLimit } from "./limit.ts"

/** How many records of a kind a store has, and how many of them are older than a full feed. */
export type OlderCount = Readonly<{ total: number; older: number }>
export type OlderCounts = Readonly<Record<DatedKind, OlderCount>>

/** A record that the feed does not name and that stays, because others refer to it. */
export type StayingRecord = DatedIdentity & Readonly<{ reason: string }>

export type Removal = Readonly<{ removed: number; staying: readonly StayingRecord[] }>

const plurals: Readonly<Record<DatedKind, string>> = {
  account: "accounts",
  item: "items",
  purchase: "purchases",
}

/** Why nothing may be removed; null if the limit allows it. */
export function refuseRemoval(counts: OlderCounts, limit: Limit): string | null {
  const kinds: readonly DatedKind[] = ["account", "item", "purchase"]
  const tooMany = kinds.filter(
    (kind) => !isWithinLimit(limit, counts[kind].older, counts[kind].total),
  )
  if (tooMany.length === 0) return null
  const lacks = tooMany.map((kind) => describe(kind, counts[kind])).join(" and ")
  const needed = Math.max(...kinds.map((kind) => counts[kind].older))
  return `it lacks ${lacks}, and --max-deletes allows ${showLimit(limit)} of each type; if they are really gone, import it again with --max-deletes ${needed}`
}

function describe(kind: DatedKind, { total, older }: OlderCount): string {
  const percent = Number(((older / total) * 100).toPrecision(2))
  return `${older} of ${total} ${plurals[kind]} (${percent} %)`
}

/**
 * A full feed is everything: at its end the records that it does not name are removed. It must be
 * complete, and every line of it must name its record, also where the line is refused.
 */
import { normalisePurchaseCode } from "../domain/catalogue/purchase-code.ts"
import type { DatedIdentity, DatedKind } from "../domain/feed/as-of.ts"
import {
  datedIdentityOf,
  type FeedRecord,
  type FeedWriter,
  mentionOf,
  type OlderCount,
  type OlderCounts,
  type StayingRecord,
} from "../domain/feed/feed.ts"
import { type Allowance, isWithin, showAllowance } from "../domain/values/allowance.ts"
import { trimBlank } from "../domain/values/text.ts"
import {
  type EndCounts,
  type JudgedLine,
  type MomentOf,
  readEarlierName,
  readIdentity,
} from "./judge-line.ts"

export type FullOptions = Readonly<{
  /** When the source was read; null: the earliest moment of its records, or when the import began. */
  asOfMs: number | null
  /** Of each kind. */
  deletesMax: Allowance
  /** How the operator sets it. */
  limitOption: string
  nameLine(line: number): string
  /** For a record that is not in the feed and that others refer to. */
  onStaying(record: StayingRecord): void
}>

/** `problem`: why nothing was removed. */
export type Removed = Readonly<{ removed: number; problem: string | null }>

export function createFullFeed(options: FullOptions) {
  const { asOfMs, nameLine, onStaying } = options
  const fileMs = asOfMs ?? Date.now()
  let earliestMs = fileMs
  const found = { accounts: 0, items: 0, purchases: 0 }
  let end: EndCounts | null = null
  let isEndLast = true
  let unnamedLine: number | null = null
  const mentions: FeedRecord[] = []

  /** The moment of every record is at least that of the file: older ones are not in it. */
  const momentOf: MomentOf = (own) => {
    const isOwn = own !== undefined && (asOfMs === null || own.ms > asOfMs)
    const asOf = isOwn ? own : { ms: fileMs, isArrival: false }
    earliestMs = Math.min(earliestMs, asOf.ms)
    return asOf
  }

  function findProblem(): string | null {
    if (unnamedLine !== null) return `${nameLine(unnamedLine)} does not say which record it is`
    if (end === null) return "it has no end line, so it may have been cut off"
    if (!isEndLast) return "there are records after its end line"
    for (const name of Object.values(plurals)) {
      if (end[name] !== found[name]) {
        return `its end line counts ${end[name]} ${name}, but it has ${found[name]}`
      }
    }
    return null
  }

  async function removeOlder(writer: FeedWriter): Promise<Removed> {
    const problem = findProblem() ?? refuseRemoval(await writer.countOlder(earliestMs), options)
    if (problem !== null) return { removed: 0, problem }
    const { removed, staying } = await writer.removeOlder(earliestMs)
    for (const record of staying) onStaying(record)
    return { removed, problem }
  }

  /** Writes what `keep` was told, once that makes a batch. */
  async function writeKept(writer: FeedWriter, line: number, batchRecords: number): Promise<void> {
    if (mentions.length >= batchRecords) await writer.put(mentions.splice(0), line)
  }

  return {
    momentOf,
    /** For each line with a record or a problem. */
    add(judged: JudgedLine): void {
      if (end !== null) isEndLast = false
      const named = identityOf(judged)
      if (named === null) unnamedLine ??= judged.line.number
      else found[plurals[named.kind]] += 1
    },
    addEnd(counts: EndCounts): void {
      if (end !== null) isEndLast = false
      end = counts
    },
    /** Keeps the record of a refused line from being removed. */
    keep(refused: JudgedLine): void {
      const asOf = refused.record?.asOf ?? momentOf(undefined)
      if (asOf === undefined) return
      const mention = (identity: DatedIdentity) => mentions.push({ ...mentionOf(identity), asOf })
      const named = identityOf(refused)
      if (named !== null) mention(named)
      // A refused renaming leaves the account under its old name.
      const was = readEarlierName(refused.line)
      if (was !== null) mention({ kind: "account", identity: trimBlank(was) })
    },
    writeKept,
    /** Called once, after everything else was written. */
    async removeOthers(writer: FeedWriter, line: number): Promise<Removed> {
      await writeKept(writer, line, 1)
      return removeOlder(writer)
    },
  }
}

/** Null for a line that names no record. */
function identityOf({ line, record }: JudgedLine): DatedIdentity | null {
  if (record !== null) return datedIdentityOf(record)
  const { type, identity = "" } = readIdentity(line)
  switch (type) {
    case "account":
      return named(type, trimBlank(identity))
    case "item":
      return named(type, /^\d{1,16}$/.test(identity.trim()) ? `${Number(identity)}` : "")
    case "purchase":
      return named(type, normalisePurchaseCode(identity) ?? "")
    default:
      return null
  }
}

const named = (kind: DatedIdentity["kind"], identity: string): DatedIdentity | null =>
  identity === "" ? null : { kind, identity }

const plurals = { account: "accounts", item: "items", purchase: "purchases" } as const

/** Why nothing may be removed; null if few enough would go. */
function refuseRemoval(
  counts: OlderCounts,
  { deletesMax, limitOption }: FullOptions,
): string | null {
  const kinds: readonly DatedKind[] = ["account", "item", "purchase"]
  const tooMany = kinds.filter(
    (kind) => !isWithin(deletesMax, counts[kind].older, counts[kind].total),
  )
  if (tooMany.length === 0) return null
  const lacks = tooMany.map((kind) => describe(kind, counts[kind])).join(" and ")
  const needed = Math.max(...kinds.map((kind) => counts[kind].older))
  return `it lacks ${lacks}, and ${limitOption} allows ${showAllowance(deletesMax)} of each type; if they are really gone, import it again with ${limitOption} ${needed}`
}

function describe(kind: DatedKind, { total, older }: OlderCount): string {
  const percent = Number(((older / total) * 100).toPrecision(2))
  return `${older} of ${total} ${plurals[kind]} (${percent} %)`
}

/**
 * How all threads and processes on an embedded store learn of which codes a site was released, and which codes a feed
 * removed and brought back.
 */
import type { SiteStore } from "../../../domain/catalogue/sites.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { Transaction } from "../../sql/database.ts"
import { releasedSitesMark } from "../../sql/move/marks.ts"
import { putMark, selectMark } from "../../sql/running/metadata.ts"
import type { Database } from "../connection/database.ts"

/** A thread that missed more of them forgets all sites that it has noted. */
const codesMax = 20

/** The last codes, each with the number and the day of its last release, the newest last. */
type Released = readonly (readonly [release: number, code: string, day: string])[]

/** The text was made by `tellReleases`. */
const parse = (text: string | null): Released => (text === null ? [] : JSON.parse(text))
const lastOf = (released: Released) => released.at(-1)?.[0] ?? 0

async function readMark(tx: Transaction): Promise<Released> {
  const [mark] = await tx.query<{ value: string }>(selectMark, [releasedSitesMark])
  return parse(mark?.value ?? null)
}
const writeMark = (tx: Transaction, released: Released) =>
  tx.query(putMark, [releasedSitesMark, JSON.stringify(released)])
const dayOf = (at: Timestamp) => at.slice(0, 10)

export async function tellReleases(
  tx: Transaction,
  codes: readonly string[],
  at: Timestamp,
): Promise<void> {
  const kept = await readMark(tx)
  const others = kept.filter(([, each]) => !codes.includes(each))
  const first = lastOf(kept) + 1
  const released = codes.map((code, nth) => [first + nth, code, dayOf(at)] as const)
  await writeMark(tx, [...others, ...released].slice(-codesMax))
}

/** The numbers stay, so that the next one is higher. */
export async function forgetReleases(tx: Transaction, at: Timestamp): Promise<void> {
  const kept = await readMark(tx)
  const isOld = ([, code, day]: Released[number]) => code !== "" && day !== dayOf(at)
  if (!kept.some(isOld)) return
  await writeMark(
    tx,
    kept.map((each) => (isOld(each) ? [each[0], "", each[2]] : each)),
  )
}

const none: readonly string[] = []

export function createTakeReleases({
  readReleased,
}: Pick<Database, "readReleased">): SiteStore["takeReleases"] {
  let seen = readReleased()
  return () => {
    try {
      const found = readReleased()
      if (found === seen) return none
      const last = lastOf(parse(seen))
      seen = found
      const released = parse(found)
      const oldest = released[0]?.[0] ?? 0
      if (released.length >= codesMax && oldest > last + 1) return "all"
      return released.filter(([release]) => release > last).map(([, code]) => code)
    } catch {
      // The file cannot be read: asked again with the next validation.
      return none
    }
  }
}

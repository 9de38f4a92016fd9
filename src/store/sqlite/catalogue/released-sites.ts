/** How all threads and processes on an embedded store learn of which codes a site was released. */
import type { SiteStore } from "../../../domain/catalogue/sites.ts"
import { ask, type Steps } from "../../sql/database.ts"
import { releasedSitesMark } from "../../sql/move/marks.ts"
import { putMark, selectMark } from "../../sql/running/metadata.ts"
import type { Database } from "../connection/database.ts"

/** A thread that missed more of them forgets all sites that it has noted. */
const codesMax = 20

/** The last codes, each with the number of its last release, the newest last. */
type Released = readonly (readonly [release: number, code: string])[]

/** The text was made by `tellRelease`. */
const parse = (text: string | null): Released => (text === null ? [] : JSON.parse(text))
const lastOf = (released: Released) => released.at(-1)?.[0] ?? 0

export function* tellRelease(code: string): Steps<void> {
  const [mark] = yield* ask<{ value: string }>(selectMark, [releasedSitesMark])
  const kept = parse(mark?.value ?? null)
  const others = kept.filter(([, each]) => each !== code)
  const released: Released = [...others, [lastOf(kept) + 1, code]]
  yield* ask(putMark, [releasedSitesMark, JSON.stringify(released.slice(-codesMax))])
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
      // The file cannot be read: asked again with the next site.
      return none
    }
  }
}

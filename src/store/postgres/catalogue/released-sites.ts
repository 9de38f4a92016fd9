/**
 * Of which codes a site was released, and which codes a feed removed and brought back. Told with the changes of keys,
 * which every node asks for anyway.
 */
import type { ReleasedCodes } from "../../../domain/catalogue/sites.ts"
import type { Transaction } from "../../sql/database.ts"
import { dialect } from "../connection/database.ts"

/** No id of a key begins so. */
const prefix = "released "

/** More codes at once are told as all of them, by a row without a code. */
const toldMax = 100

/** Like the trigger of keys, it removes some of what is older than an hour. */
export async function tellReleases(tx: Transaction, codes: readonly string[]): Promise<void> {
  const told = codes.length > toldMax ? [""] : codes
  await tx.query(
    `WITH forgotten AS (
       DELETE FROM key_changes WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM key_changes WHERE at < now() - interval '1 hour' LIMIT 100 FOR UPDATE SKIP LOCKED
       ))
     ) INSERT INTO key_changes (key_id) ${dialect.each("$1", "text")}`,
    [JSON.stringify(told.map((code) => prefix + code))],
  )
}

/** Those that every node has read long ago. */
export async function forgetReleases(tx: Transaction): Promise<void> {
  await tx.query("DELETE FROM key_changes WHERE key_id LIKE $1 AND at < now() - interval '1 day'", [
    `${prefix}%`,
  ])
}

/** Changed keys, and codes of which a site was released, from rows of `key_changes`. */
export function splitChanges(
  changed: readonly string[],
): Readonly<{ keys: readonly string[]; codes: ReleasedCodes }> {
  const { keys = [], releases = [] } = Object.groupBy(changed, (each) =>
    each.startsWith(prefix) ? "releases" : "keys",
  )
  const codes = releases.map((each) => each.slice(prefix.length))
  return { keys, codes: codes.includes("") ? "all" : codes }
}

/** A server without validations takes none of them. */
const keptMax = 1_000

export function createReleases() {
  const none: readonly string[] = []
  let kept: ReleasedCodes = none
  return {
    add(codes: ReleasedCodes): void {
      if (codes === "all" || kept === "all" || kept.length + codes.length > keptMax) kept = "all"
      else kept = [...kept, ...codes]
    },
    take(): ReleasedCodes {
      const taken = kept
      kept = none
      return taken
    },
  }
}

import type { DatedKind } from "./as-of.ts"
import type { Changes, DatedPurchase, Decision, ExistingRecords } from "./batch.ts"
import { identityOf } from "./pending-record.ts"
import { isRevoked, type KindCounts, type Tally } from "./tally.ts"

export function countChanges(
  { purchases: before }: Pick<ExistingRecords, "purchases">,
  { changes, ahead }: Pick<Decision, "changes" | "ahead">,
): Tally {
  const removed = listIdentities(changes, "removed")
  const inserted = listIdentities(changes, "inserted")
  const { purchases } = changes
  return {
    added: countWithout(inserted, removed),
    removed: countWithout(removed, inserted),
    ...countRevocations(before, [...purchases.inserted, ...purchases.updated]),
    ahead,
  }
}

type Identities = Readonly<Record<DatedKind, readonly string[]>>

function listIdentities(
  { accounts, items, purchases, pending }: Changes,
  change: "removed" | "inserted",
): Identities {
  const listPending = (kind: DatedKind) =>
    pending[change].filter((each) => each.kind === kind).map(identityOf)
  return {
    account: accounts[change].map(({ username }) => username),
    item: [...items[change].map(({ id }) => `${id}`), ...listPending("item")],
    purchase: [...purchases[change].map(({ code }) => code), ...listPending("purchase")],
  }
}

/** A record that is removed and inserted in one batch, or moves from pending to stored, is in both lists. */
function countWithout(listed: Identities, others: Identities): KindCounts {
  const count = (kind: DatedKind) => {
    if (others[kind].length === 0) return listed[kind].length
    const left = new Set(others[kind])
    return listed[kind].filter((identity) => !left.has(identity)).length
  }
  return { account: count("account"), item: count("item"), purchase: count("purchase") }
}

function countRevocations(
  before: ExistingRecords["purchases"],
  after: readonly DatedPurchase[],
): Pick<Tally, "revoked" | "restored"> {
  let [revoked, restored] = [0, 0]
  for (const purchase of after) {
    const known = before.get(purchase.code)
    if (known === undefined || isRevoked(known) === isRevoked(purchase)) continue
    if (isRevoked(purchase)) revoked += 1
    else restored += 1
  }
  return { revoked, restored }
}

/**
 * The rows of a dry run: what the batches so far would have changed. They are in a temporary table, because a feed
 * can be larger than memory. A row replaces what the store holds of its identity.
 */

import type { PurchaseText } from "../../../domain/catalogue/purchase.ts"
import { type DatedKind, type Tombstone, tombstoneName } from "../../../domain/feed/as-of.ts"
import { type Changes, type Found, hex } from "../../../domain/feed/batch.ts"
import type { ImportedKey } from "../../../domain/feed/feed.ts"
import { absentWaitersOf, listDated, type Mentions } from "../../../domain/feed/mentions.ts"
import type { Changed } from "../../../domain/feed/states.ts"
import {
  type Need,
  toWaitingRow,
  type WaitingRecord,
  waitingNameOf,
} from "../../../domain/feed/waiting-record.ts"

import type { NeededRow } from "./waiting.ts"

export type TriedRow = Readonly<{
  kind: DatedKind | "tombstone" | "waiting" | "key"
  identity: string
  /** The author of an item, the item of a purchase, the account of a key, the need of one that waits. */
  parent: string
  /** A key is also found by its look-up value, in hexadecimal digits. */
  lookup: string | null
  /** The part of a record or key that a verdict or a count can depend on. */
  value: string | null
  /** 0 for a key, which has none. */
  asOf: number
  isGone: boolean
}>

export function triedRowsOf(changes: Changes): readonly TriedRow[] {
  const { accounts, items, purchases, tombstones, waiting, keys, nameChanges } = changes
  return [
    ...nameChanges.map(({ from }) => toRow("account", true, { identity: from })),
    ...toRows("account", accounts, ({ username, asOf }) => ({ identity: username, asOf })),
    ...toRows("item", items, ({ id, author, body, asOf }) => ({
      identity: `${id}`,
      parent: author,
      value: body,
      asOf,
    })),
    ...toRows("purchase", purchases, ({ code, itemId, isRevoked, isRevokedByOperator, asOf }) => ({
      identity: code,
      parent: `${itemId}`,
      value: JSON.stringify({ isRevoked, isRevokedByOperator }),
      asOf,
    })),
    ...toRows("tombstone", tombstones, ({ kind, identity, asOf }) => ({
      identity: tombstoneName(kind, identity),
      asOf,
    })),
    ...toRows("waiting", waiting, (state) => {
      const { kind, needs, record, asOf } = toWaitingRow(state)
      return {
        identity: waitingNameOf(state),
        parent: needNameOf({ kind, needs }),
        value: record,
        asOf,
      }
    }),
    ...toRows("key", keys, toKeyRow),
  ]
}

type RowOfState = Pick<TriedRow, "identity"> & Partial<TriedRow>

/** Removed first: a row that comes later replaces it. */
function toRows<State>(
  kind: TriedRow["kind"],
  { removed, inserted, updated, touched }: Changed<State>,
  describe: (state: State) => RowOfState,
): readonly TriedRow[] {
  const there = [...inserted, ...updated, ...touched]
  return [
    ...removed.map((state) => toRow(kind, true, describe(state))),
    ...there.map((state) => toRow(kind, false, describe(state))),
  ]
}

const toRow = (kind: TriedRow["kind"], isGone: boolean, row: RowOfState): TriedRow => ({
  kind,
  parent: "",
  lookup: null,
  value: null,
  asOf: 0,
  isGone,
  ...row,
})

function toKeyRow({ lookup, sealed: _, ...key }: ImportedKey): RowOfState {
  return {
    identity: key.id,
    parent: key.username,
    lookup: hex(lookup),
    value: JSON.stringify(key),
  }
}

/** Stands for the text of a purchase; a patch changes some of its members. */
const anyText: PurchaseText = {
  beforeItem: '{"price":0,"item":',
  afterItem: ',"downloaded":false}',
}

/** `found` as it would be had the earlier batches been written. */
export function overlayFound(found: Found, rows: readonly TriedRow[]): Found {
  const ofKind = (kind: TriedRow["kind"]) => rows.filter((row) => row.kind === kind)
  const keyRows = ofKind("key")
  const changedKeys = new Set(keyRows.map(({ identity }) => identity))
  return {
    ...found,
    // No verdict depends on the texts of accounts and purchases: a patch of them is always valid.
    accounts: replace(found.accounts, ofKind("account"), ({ identity, asOf }) => [
      identity,
      {
        id: 0,
        username: identity,
        body: "{}",
        asOf,
        isSuspended: false,
        isSuspendedByOperator: false,
      },
    ]),
    items: replace(found.items, ofKind("item"), ({ identity, parent, value, asOf }) => [
      Number(identity),
      { id: Number(identity), author: parent, isHidden: false, body: value ?? "", asOf },
    ]),
    purchases: replace(found.purchases, ofKind("purchase"), ({ identity, parent, value, asOf }) => [
      identity,
      {
        code: identity,
        itemId: Number(parent),
        // Two flags, written by `triedRowsOf`.
        ...JSON.parse(value ?? ""),
        buyer: null,
        ...anyText,
        asOf,
      },
    ]),
    tombstones: replace(found.tombstones, ofKind("tombstone"), (row) => [
      row.identity,
      toTombstone(row),
    ]),
    waiting: replace(found.waiting, ofKind("waiting"), (row) => [row.identity, toWaiting(row)]),
    keys: [
      ...found.keys.filter((key) => !changedKeys.has(key.id)),
      ...keyRows.filter(({ isGone }) => !isGone).map(toKey),
    ],
  }
}

function replace<Identity, State>(
  found: ReadonlyMap<Identity, State>,
  rows: readonly TriedRow[],
  toState: (row: TriedRow) => readonly [Identity, State],
): ReadonlyMap<Identity, State> {
  const states = new Map(found)
  for (const row of rows) {
    const [identity, state] = toState(row)
    if (row.isGone) states.delete(identity)
    else states.set(identity, state)
  }
  return states
}

function toKey({ parent, lookup, value }: TriedRow): ImportedKey {
  // Written by `toKeyRow`, which leaves out these two members.
  const key = JSON.parse(value ?? "") as Omit<ImportedKey, "lookup" | "sealed">
  const bytes = { lookup: Buffer.from(lookup ?? "", "hex"), sealed: new Uint8Array() }
  return { ...key, username: parent, ...bytes }
}

function toTombstone({ identity: name, asOf }: TriedRow): Tombstone {
  const split = name.indexOf(" ")
  // Written by `tombstoneName`: a kind has no space.
  const kind = name.slice(0, split) as DatedKind
  return { kind, identity: name.slice(split + 1), asOf, byOperator: false }
}

/** No verdict depends on how long it has waited. */
export function toWaiting({
  identity,
  value,
  asOf,
}: Pick<TriedRow, "identity" | "value" | "asOf">): WaitingRecord {
  const kind = identity.startsWith("item ") ? "item" : "purchase"
  return { kind, record: JSON.parse(value ?? ""), asOf, sinceMs: 0 }
}

export const needNameOf = ({ kind, needs }: Need) => tombstoneName(kind, needs)

/** The reverse. */
export function needOf(name: string): Pick<NeededRow, "kind" | "identity"> {
  const [kind = "", identity = ""] = name.split(/ (.*)/s)
  return { kind: kind === "item" ? "item" : "purchase", identity }
}

const listWaiters = (mentions: Mentions) =>
  absentWaitersOf(mentions, { items: new Map(), purchases: new Map() })

/** The identities that a batch mentions, as the temporary table spells them. */
export function identitiesOf(
  mentions: Mentions,
): readonly (readonly [TriedRow["kind"], readonly string[]])[] {
  const texts = (identities: Iterable<unknown>) => Array.from(identities, String)
  return [
    ["account", texts(mentions.usernames)],
    ["item", texts(mentions.itemIds)],
    ["purchase", texts(mentions.codes)],
    ["tombstone", listDated(mentions).map(({ kind, identity }) => tombstoneName(kind, identity))],
    ["waiting", listWaiters(mentions).map(({ kind, identity }) => tombstoneName(kind, identity))],
  ]
}

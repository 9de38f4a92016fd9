import { requireRight } from "../access/actor.ts"
import type { AuditAction, Recording } from "../access/audit-event.ts"
import { createEvent, tallyPerMinute } from "../access/audit-operations.ts"
import type { KeyOperation } from "../contract/operation.ts"
import { type ApiKeyStore, isLive, type StoredKey, stateOf } from "../keys/key.ts"
import { DomainError } from "../platform/error.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import { untilNextTurn } from "../platform/timers.ts"
import type { UsageStore } from "../usage/usage.ts"
import type { FoundItem, Item, ItemStore, ListPage, ListPages } from "./item.ts"

export type ItemData = Readonly<{ items: ItemStore }>

/** Another author's item, a hidden one and one that does not exist have the same response. */
export const readItem: KeyOperation<ItemData, number, Item> = async ({ items }, key, id) => {
  const item = await items.find(key.accountId, id)
  if (item === null || item.isHidden) throw new DomainError("unknown_item")
  return item
}

/** A client that has this `version` does not receive the pages, which are read when they are iterated. */
export type ItemList = Readonly<{ version: string; pages: AsyncIterable<ListPage> }>

const pageItems = 100

export const listItems: KeyOperation<ItemData, null, ItemList> = async ({ items }, key) => {
  const list = await items.findList(key.accountId)
  if (list === null) throw new DomainError("no_items")
  return { version: list.version, pages: { [Symbol.asyncIterator]: () => walk(list) } }
}

/** Reads by id: an item that exists all the time is listed exactly once, despite concurrent writes. */
async function* walk(list: ListPages) {
  let idMax = Number.MAX_SAFE_INTEGER
  let isFirst = true
  for (;;) {
    const page = await list.read(idMax, pageItems)
    if (page === null || (isFirst && page.count === 0)) throw new DomainError("no_items")
    if (page.count > 0) yield page
    if (page.isLast) return
    idMax = page.lastId - 1
    isFirst = false
    // SQLite reads without yielding: let other requests proceed between two pages.
    await untilNextTurn()
  }
}

export function recordItemEvent(
  recording: Recording,
  { id, accountId, username }: Pick<FoundItem, "id" | "accountId" | "username">,
  action: AuditAction<"item">,
  note?: string,
): Promise<void> {
  const account = { id: accountId, username }
  const event = {
    ...createEvent(recording, { kind: "item", action }),
    ...{ account, subjectId: String(id), note },
  }
  return note === undefined ? tallyPerMinute(recording, event) : recording.audit.insert(event)
}

/** The live keys of previous authors that validate purchases of the item, with their last use. Oldest first. */
export async function listKeysOfMovedItem(
  { keys, usage, now }: Readonly<{ keys: ApiKeyStore; usage: UsageStore; now: () => Date }>,
  itemId: number,
): Promise<readonly (StoredKey & Readonly<{ lastUsedAt: Timestamp | null }>)[]> {
  const at = formatTimestamp(now())
  const live = (await keys.listOfMovedItem(itemId)).filter((key) => isLive(stateOf(key, at)))
  const uses = await usage.listLastUses(live.map(({ id }) => id))
  const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
  return live.map((key) => ({ ...key, lastUsedAt: lastUses.get(key.id) ?? null }))
}

/** By the item's author. Other items of the key are not affected. Returns false if it was revoked before. */
export async function revokeKeyForItem(
  services: Recording & Readonly<{ keys: ApiKeyStore }>,
  { id, name }: Pick<StoredKey, "id" | "name">,
  item: Parameters<typeof recordItemEvent>[1],
): Promise<boolean> {
  requireRight(services.actor, "manage")
  const at = formatTimestamp(services.now())
  const isRevoked = await services.keys.revokeForItem(id, item.id, at)
  if (isRevoked) await recordItemEvent(services, item, "key_revoked", `${name} ${id}`)
  return isRevoked
}

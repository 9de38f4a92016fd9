/** The only place that knows there is more than one kind of store. */
import type { Store } from "../domain/store.ts"
import { openSqlite } from "./sqlite/store.ts"
import type { StoreUse } from "./use.ts"

/** Where a store lives, as the configuration names it. */
export type StoreAddress = Readonly<{ kind: "sqlite"; path: string }>

export function openStore(address: StoreAddress, use: StoreUse): Promise<Store> {
  return openSqlite(address.path, use)
}

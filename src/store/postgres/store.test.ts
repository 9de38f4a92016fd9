import { beforeAll } from "bun:test"
import { type PostgresServer, sharePostgres } from "../../../tests/harness/stores/postgres.ts"
import type { Store } from "../../domain/store.ts"
import { runStoreContracts } from "../contracts/contracts.ts"
import type { StoreUse } from "../sql/database.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

/** Databases whose stores are closed. */
const unused: string[] = []

/** Opens an empty database as often as there are uses. */
async function open(...uses: readonly StoreUse[]): Promise<Store[]> {
  const old = unused.pop()
  if (old !== undefined) await server.emptyDatabase(old)
  const url = old ?? (await server.createMigratedDatabase())
  let opened = uses.length
  return Promise.all(
    uses.map(async (use) => {
      const store = await openPostgres({ url, replicaUrls: [], connectionsMax: 16 }, use)
      async function close() {
        await store.close()
        if (--opened === 0) unused.push(url)
      }
      return { ...store, close }
    }),
  )
}

runStoreContracts("postgres", {
  async openEmpty() {
    const [store] = await open("command")
    if (store === undefined) throw new Error("no store")
    return store
  },
  async openTwo() {
    const [first, second] = await open("serve", "serve")
    if (first === undefined || second === undefined) throw new Error("no stores")
    return [first, second]
  },
})

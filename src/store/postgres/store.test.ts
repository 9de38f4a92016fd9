import { afterAll, beforeAll } from "bun:test"
import { createPostgres } from "../../../tests/harness/new-stores.ts"
import { type PostgresServer, startPostgres } from "../../../tests/harness/postgres.ts"
import { runStoreContracts } from "../contracts.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
const openEmpty = async () =>
  createPostgres({ url: await server.createDatabase(), replicaUrls: [], connectionsMax: 16 })

runStoreContracts("postgres", {
  openEmpty,
  async openTwo() {
    const url = await server.createDatabase()
    const address = { url, replicaUrls: [], connectionsMax: 16 }
    return [await createPostgres(address, "serve"), await openPostgres(address, "serve")]
  },
})

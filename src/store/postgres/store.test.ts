import { afterAll, beforeAll } from "bun:test"
import { type PostgresServer, startPostgres } from "../../../tests/harness/stores/postgres.ts"
import { runStoreContracts } from "../contracts/contracts.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
const createAddress = async () => ({
  url: await server.createMigratedDatabase(),
  replicaUrls: [],
  connectionsMax: 16,
})

runStoreContracts("postgres", {
  openEmpty: async () => openPostgres(await createAddress(), "command"),
  async openTwo() {
    const address = await createAddress()
    return [await openPostgres(address, "serve"), await openPostgres(address, "serve")]
  },
})

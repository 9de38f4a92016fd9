import { afterAll, beforeAll } from "bun:test"
import { type PostgresServer, startPostgres } from "../../../tests/harness/postgres.ts"
import { accountStoreContract } from "../accounts.contract.ts"
import { apiKeyStoreContract } from "../api-keys.contract.ts"
import { feedStoreContract } from "../feed.contract.ts"
import { itemStoreContract } from "../items.contract.ts"
import { markStoreContract } from "../marks.contract.ts"
import { purchaseStoreContract } from "../purchases.contract.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
const openEmpty = async () => openPostgres(await server.createDatabase())

accountStoreContract("postgres", openEmpty)
itemStoreContract("postgres", openEmpty)
purchaseStoreContract("postgres", openEmpty)
apiKeyStoreContract("postgres", openEmpty)
feedStoreContract("postgres", openEmpty)
markStoreContract("postgres", openEmpty)

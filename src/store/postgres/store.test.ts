import { afterAll, beforeAll } from "bun:test"
import { createPostgres } from "../../../tests/harness/new-stores.ts"
import { type PostgresServer, startPostgres } from "../../../tests/harness/postgres.ts"
import { accountStoreContract } from "../accounts.contract.ts"
import { apiKeyStoreContract } from "../api-keys.contract.ts"
import { feedStoreContract } from "../feed.contract.ts"
import { invitationStoreContract } from "../invitations.contract.ts"
import { itemSearchContract } from "../item-search.contract.ts"
import { itemStoreContract } from "../items.contract.ts"
import { keyChangesContract } from "../key-changes.contract.ts"
import { keyEventStoreContract } from "../key-events.contract.ts"
import { markStoreContract } from "../marks.contract.ts"
import { passwordStoreContract } from "../passwords.contract.ts"
import { preferenceStoreContract } from "../preferences.contract.ts"
import { purchaseStoreContract } from "../purchases.contract.ts"
import { sessionNoteStoreContract } from "../session-notes.contract.ts"
import { sessionStoreContract } from "../sessions.contract.ts"
import { signInFailureStoreContract } from "../sign-in-failures.contract.ts"
import { usageStoreContract } from "../usage.contract.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
const openEmpty = async () =>
  createPostgres({ url: await server.createDatabase(), replicaUrls: [], connectionsMax: 16 })

accountStoreContract("postgres", openEmpty)
itemStoreContract("postgres", openEmpty)
purchaseStoreContract("postgres", openEmpty)
apiKeyStoreContract("postgres", openEmpty)
feedStoreContract("postgres", openEmpty)
markStoreContract("postgres", openEmpty)
invitationStoreContract("postgres", openEmpty)
itemSearchContract("postgres", openEmpty)
keyEventStoreContract("postgres", openEmpty)
keyChangesContract("postgres", async () => {
  const url = await server.createDatabase()
  const address = { url, replicaUrls: [], connectionsMax: 16 }
  return [await createPostgres(address, "serve"), await openPostgres(address, "serve")]
})
passwordStoreContract("postgres", openEmpty)
preferenceStoreContract("postgres", openEmpty)
sessionStoreContract("postgres", openEmpty)
sessionNoteStoreContract("postgres", openEmpty)
signInFailureStoreContract("postgres", openEmpty)
usageStoreContract("postgres", openEmpty)

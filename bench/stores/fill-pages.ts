/**
 * Fills the store of the settings with what the pages of authors and operators show, and prints the ids that their
 * addresses need. A process of its own: the program must not be loaded where the load is generated.
 */
import { readConfig } from "../../src/config/config.ts"
import { commandLine } from "../../src/domain/sign-in/audit-event.ts"
import { formatTimestamp, secondsBefore } from "../../src/domain/values/time/timestamp.ts"
import { requireAccount } from "../../src/operations/catalogue/accounts.ts"
import { createEndpoint } from "../../src/operations/events/endpoints.ts"
import { revokeKey } from "../../src/operations/keys/change-key.ts"
import { issueKey } from "../../src/operations/keys/issue-key.ts"
import { openApp } from "../../src/server/app.ts"
import { keyOf, usernameOf } from "./marketplace.ts"
import { fillAudit, fillImports, fillKeys, fillLog } from "./month-of-traffic.ts"

/** Of an author, or of the operators. */
type Hook = Readonly<{ endpoint: string; message: string }>
/** An author with many keys: ids of one that works and one that was stopped, and of a webhook. */
type Author = Hook & Readonly<{ id: number; key: string; stoppedKey: string }>
export type Filled = Readonly<{
  authors: readonly Author[]
  operatorHook: Hook
  run: number
}>

const [liveKeys, endedKeys, messages] = [60, 60, 200]

const accounts = Number(process.argv[2])
const app = await openApp(readConfig(process.env))
const { store, vault, now } = app
try {
  console.log(JSON.stringify(await fill()))
} finally {
  await app.close()
}

async function fill(): Promise<Filled> {
  const numbers = Array.from({ length: accounts }, (_, account) => account)
  const found = await Promise.all(
    numbers.map((account) => store.keys.findByLookup(vault.lookup(keyOf(account)))),
  )
  const keys = found.flatMap((key) => key ?? [])
  await fillKeys(
    store,
    keys.map(({ id }) => id),
  )
  await fillImports(store)
  await fillAudit(
    store,
    keys.map(({ accountId: id }, account) => ({ id, username: usernameOf(account) })),
  )
  const [run] = await store.feed.listRuns(1)
  return {
    authors: [await fillAuthor(usernameOf(0)), await fillAuthor(usernameOf(1))],
    operatorHook: await addHook(null),
    run: run?.id ?? 0,
  }
}

async function fillAuthor(username: string): Promise<Author> {
  const account = await requireAccount(store.accounts, username)
  const services = app.keyServices(commandLine)
  const ids: string[] = []
  for (let nth = 0; nth < liveKeys + endedKeys; nth += 1) {
    const options = { kind: "vk", name: `Product ${nth}`, itemIds: null, expiresAt: null } as const
    const { key } = await issueKey(services, account, options)
    if (nth >= liveKeys) await revokeKey(services, key)
    ids.push(key.id)
  }
  await fillKeys(store, ids)
  const [key = "", stoppedKey = ""] = [ids[0], ids.at(-1)]
  await fillLog(store, [...ids.slice(0, 5), stoppedKey])
  return { id: account.id, key, stoppedKey, ...(await addHook(account)) }
}

/** It is off, so that nothing is sent. */
async function addHook(owner: Parameters<typeof createEndpoint>[1]): Promise<Hook> {
  const form = { url: "https://hooks.example.com/sales", events: [] }
  const { endpoint } = await createEndpoint(app.endpointServices(commandLine), owner, form)
  const at = formatTimestamp(now())
  let message = ""
  for (let nth = 0; nth < messages; nth += 1) {
    // An author can send ten a minute.
    const sentAt = secondsBefore(now(), (messages - nth) * 60)
    const inserted = await store.messages.insertTest(endpoint.id, sentAt)
    if (inserted !== null && inserted !== "limited") message = inserted.messageId
  }
  await store.endpoints.turnOff(endpoint.id, at, "owner")
  return { endpoint: endpoint.id, message }
}

/**
 * Kills a server while sales are pushed to it and an author creates, rotates and revokes keys. After each kill the
 * server is restarted, and every acknowledged change must be there.
 */
import { Database } from "bun:sqlite"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { commandLine } from "../../../src/access/actor.ts"
import { requireAccount } from "../../../src/accounts/account-operations.ts"
import { readConfig } from "../../../src/config/config.ts"
import { issueKey } from "../../../src/keys/key-operations.ts"
import { createPasswordHasher } from "../../../src/people/password.ts"
import { setPassword } from "../../../src/people/security-operations.ts"
import { findOrCreateOwner } from "../../../src/people/sign-in-operations.ts"
import type { Environment } from "../../../src/platform/cli/command.ts"
import { openApp } from "../../../src/server/app.ts"
import { samplePassword } from "../browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../browser/visitor.ts"
import { createRandom } from "../feed/random-feed.ts"
import { lowestCost, temporaryFolder } from "../program.ts"
import { account, purchase, toFeed } from "../records.ts"
import { createStore, killTree, type RunningServer, startServer } from "../run-pazar.ts"
import { accountRecord, itemRecord, put } from "../stores/store-records.ts"
import type { StoreKind } from "../stores/test-stores.ts"
import { until, workMsMax } from "../until.ts"

export type ServerKills = Readonly<{
  sales: number
  keyChanges: number
  problems: readonly string[]
}>

type KillOptions = Readonly<{
  kind: StoreKind
  kills: number
  seed: number
  onKill(kills: number): void
}>

const token = "an-operator-token-of-some-length-0123"
const master = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
/** An author can have a hundred active keys, and a slow server gets many changes before a kill. */
const [killsEachAuthor, keptChangesMax] = [10, 12]
const keysPathOf = ({ home }: Visitor) => `${home()}/settings/keys`
const clients = 3
/** A kill follows a number of responses and a delay, so that it interrupts work on a slow machine too. */
const [salesMax, keyChangesMax, delayMsMax] = [30, 3, 20]

/** Acknowledged states: the error code that the API returns for a key. */
type Keys = Map<string, "ok" | "revoked_key">

export async function killServers({
  kind,
  kills,
  seed,
  onKill,
}: KillOptions): Promise<ServerKills> {
  const random = createRandom(seed)
  const folder = temporaryFolder()
  const store = await kind.createEnvironment()
  const env = { ...store, ...master, PAZAR_OPERATOR_TOKEN: token }
  await createStore(folder, env)
  const names = Array.from(
    { length: Math.ceil(kills / killsEachAuthor) },
    (_, at) => `author-${at}`,
  )
  const reader = await prepareAuthors(folder, env, names)

  const problems: string[] = []
  const codes: string[] = []
  const keys: Keys = new Map()
  let [sales, keyChanges] = [0, 0]
  for (let kill = 0; kill < kills; kill += 1) {
    const server = await startServer(folder, { ...env, PAZAR_THREADS: "2" })
    const visitor = openVisitor(server.url)
    await signIn(visitor, names[Math.floor(kill / killsEachAuthor)] ?? "")
    let isGone = false
    const wrong = await listLost(server, reader, codes, keys)
    problems.push(...wrong.map((what) => `before kill ${kill}: ${what}`))
    // Changes are checked once, so that a round stays short.
    codes.splice(0)
    keys.clear()
    const work = [
      ...Array.from({ length: clients }, (_, at) => sellAll(server, `${kill}-${at}`, codes)),
      changeKeys(visitor, `${kill}`, keys, () => isGone),
    ]
    const [sold, changed] = [random() * salesMax, random() * keyChangesMax]
    await until(() => (codes.length > sold && keys.size > changed ? true : undefined), workMsMax)
    await Bun.sleep(random() * delayMsMax)
    isGone = true
    await killTree(server)
    await Promise.all(work)
    sales += codes.length
    keyChanges += keys.size
    if (store.DATABASE_URL === undefined) problems.push(...inspect(folder))
    onKill(kill + 1)
  }
  const last = await startServer(folder, env)
  problems.push(...(await listLost(last, reader, codes, keys)))
  await killTree(last)
  rmSync(folder, { recursive: true })
  return { sales, keyChanges, problems }
}

/** Adds authors with a password. The first sells an item; returns a key of that author. */
async function prepareAuthors(
  folder: string,
  env: Environment,
  names: readonly string[],
): Promise<string> {
  const app = await openApp(
    readConfig({ DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`, ...env }),
  )
  const { accounts } = app.store
  const hasher = createPasswordHasher(lowestCost)
  for (const name of names) {
    const { type: _, ...body } = account(name)
    await put(app.store, accountRecord(name, JSON.stringify(body)))
    const owner = await findOrCreateOwner(
      { ...app.store, now: app.now },
      await requireAccount(accounts, name),
    )
    await setPassword({ ...app.store, hasher }, owner, samplePassword)
  }
  const [seller = ""] = names
  await put(app.store, itemRecord(seller, 1))
  const options = { kind: "sk", name: "Reader", itemIds: null, expiresAt: null } as const
  const owner = await requireAccount(accounts, seller)
  const { secret } = await issueKey(app.keyServices(commandLine), owner, options)
  await app.close()
  return secret
}

async function sellAll(
  { url }: RunningServer,
  prefix: string,
  acknowledged: string[],
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  for (let sale = 0; ; sale += 1) {
    const code = `code-${prefix}-${sale}`
    const init = { method: "POST", headers, body: toFeed([purchase(code, 1)]) }
    try {
      const { status } = await fetch(`${url}/operator/feed`, init)
      if (status === 200) acknowledged.push(code)
    } catch {
      return
    }
  }
}

/** A busy server rejects pages first, so a sign-in may need several attempts. */
const signIn = (visitor: Visitor, name: string) =>
  until(async () => {
    const { status } = await visitor.signIn(name).catch(() => ({ status: null }))
    return status === 303 ? true : undefined
  }, workMsMax)

async function changeKeys(
  visitor: Visitor,
  prefix: string,
  acknowledged: Keys,
  isGone: () => boolean,
): Promise<void> {
  for (let change = 0; !isGone(); change += 1) {
    try {
      const fields = { form_id: `change-${change}-before-kill-${prefix}`, kind: "sk" }
      const page = await visitor.submit(`${keysPathOf(visitor)}/new`, {
        ...fields,
        name: `Key ${change}`,
      })
      const [secret] = /pzr_sk_\w{36}/.exec(page.text) ?? []
      const [id] = /key_\w+/.exec(page.text) ?? []
      if (secret === undefined || id === undefined) continue
      acknowledged.set(secret, "ok")
      if (change % 2 === 0 && change < keptChangesMax) continue
      // Either state is correct until the revocation is acknowledged.
      acknowledged.delete(secret)
      const ended = await visitor.submit(`${keysPathOf(visitor)}/${id}/revoke`)
      if (ended.status === 303) acknowledged.set(secret, "revoked_key")
    } catch {
      await Bun.sleep(10)
    }
  }
}

/** Retries while a busy server rejects the request. */
const readReason = (url: string, init: RequestInit = {}) =>
  until(async () => {
    const reason = (await fetch(url, init)).headers.get("pazar-reason")
    return reason === "unavailable" ? undefined : reason
  }, workMsMax)

async function listLost(
  { url }: RunningServer,
  reader: string,
  codes: readonly string[],
  keys: Keys,
): Promise<readonly string[]> {
  const lost: string[] = []
  for (const [secret, expected] of keys) {
    const reason = await readReason(`${url}/api/account/details?api_key=${secret}`)
    if (reason !== expected) lost.push(`a key is ${reason} instead of ${expected}`)
  }
  for (const code of codes) {
    const body = new URLSearchParams({ api_key: reader, purchase_code: code })
    const init = { method: "POST", body }
    const reason = await readReason(`${url}/api/purchases/validation`, init)
    if (reason !== "ok") lost.push(`the sale ${code} is answered with ${reason}`)
  }
  return lost
}

function inspect(folder: string): readonly string[] {
  using db = new Database(join(folder, "data/pazar.db"))
  const integrity = db.query("PRAGMA integrity_check").values().flat().join()
  return integrity === "ok" ? [] : [`integrity: ${integrity}`]
}

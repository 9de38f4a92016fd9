import { afterEach, beforeEach, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readConfig } from "../../src/config/config.ts"
import { findOrCreateOwner } from "../../src/people/sign-in-operations.ts"
import { createTwoFactorCipher } from "../../src/people/two-factor.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { type App, openApp } from "../../src/server/app.ts"
import { reencrypt } from "../../src/store/master-key.ts"
import { temporaryFolder } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  createStore,
  killTree,
  type RunOptions,
  readPazar,
  runPazar,
  spawnPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { migratedStoreOf } from "../harness/stores/test-stores.ts"
import { until } from "../harness/until.ts"
import { loopbackIpRanges, openReceiver } from "../harness/webhook-receiver.ts"

const authors = Array.from({ length: 450 }, (_, at) => `author-${at}`)
const importedKeyOf = (author: string) => `an imported key of ${author}`

let folder = ""
let before: Environment = {}
let during: Environment = {}
let after: Environment = {}
beforeEach(async () => {
  folder = temporaryFolder()
  const [oldKey, newKey] = ["old-key", "new-key"].map((name) => {
    const path = join(folder, name)
    writeFileSync(path, randomBytes(32).toString("base64"), { mode: 0o600 })
    return path
  })
  const { DATABASE_URL = `sqlite:${join(folder, "data/pazar.db")}` } =
    (await migratedStoreOf(folder)) ?? {}
  const shared = { ...loopbackIpRanges, DATABASE_URL, PAZAR_MASTER_KEY: "", PAZAR_THREADS: "1" }
  before = { ...shared, PAZAR_MASTER_KEY_FILE: oldKey }
  after = { ...shared, PAZAR_MASTER_KEY_FILE: newKey }
  during = { ...after, PAZAR_MASTER_KEY_PREVIOUS_FILE: oldKey }
  await createStore(folder, before)
  const accounts = authors.map((name) => account(name, { api_key: importedKeyOf(name) }))
  const feed = [...accounts, item("author-0", 1), purchase("sold-code", 1)]
  await readPazar(folder, ["import", "-"], { env: before, input: toFeed(feed) })
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (args: readonly string[], options: RunOptions) => runPazar(folder, args, options)
const createKey = async (env: Environment) =>
  (await readPazar(folder, ["key", "create", "author-0"], { env })).trim()

async function withApp<T>(env: Environment, use: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(readConfig(env))
  try {
    return await use(app)
  } finally {
    await app.close()
  }
}

const statusOf = async (url: string, key: string) =>
  (await fetch(`${url}/api/account/details`, { headers: { "X-Api-Key": key } })).status
const statusesOf = async (url: string, ...keys: readonly string[]) => {
  const imported = authors.filter((_, at) => at % 10 === 0).map(importedKeyOf)
  return new Set(await Promise.all([...keys, ...imported].map((key) => statusOf(url, key))))
}
const rotate = (env = during) => run(["master-key", "reseal"], { env })
function required<T>(value: T | null): T {
  if (value === null) throw new Error("there is one")
  return value
}

test("servers find keys and decrypt what is stored before, during and after a rotation", async () => {
  const first = await createKey(before)
  const [authorId, personId] = await withApp(before, async ({ store, masterKeys, now }) => {
    const author = required(await store.accounts.findByUsername("author-0"))
    const { id } = await findOrCreateOwner({ ...store, now }, author)
    const keyCipher = createTwoFactorCipher(masterKeys)
    const digest = keyCipher.recoveryDigest("abcd-efgh-ijkl-mnop")
    await store.twoFactor.put(id, "", {
      encrypted: keyCipher.encrypt("a 2FA secret", id),
      usedStep: 0,
      recoveryDigests: [digest],
    })
    return [author.id, id]
  })

  const rotating = await startServer(folder, during)
  const second = await createKey(during)
  expect(await statusesOf(rotating.url, first, second)).toEqual(new Set([200]))
  await withApp(during, async ({ store, masterKeys }) => {
    let batches = 0
    const interrupted = reencrypt(
      store,
      { ...masterKeys, previous: required(masterKeys.previous) },
      () => {
        batches += 1
        if (batches === 2) throw new Error("interrupted")
      },
    )
    await expect(interrupted).rejects.toThrow("interrupted")
  })
  expect(await statusesOf(rotating.url, first, second)).toEqual(new Set([200]))
  const outcome = await rotate()
  expect([outcome.status, outcome.stderr]).toEqual([
    0,
    expect.stringMatching(/^re-encrypted \d+ rows /),
  ])
  expect(await statusesOf(rotating.url, first, second)).toEqual(new Set([200]))
  expect((await rotating.stop()).status).toBe(0)

  const rotated = await startServer(folder, after)
  expect(await statusesOf(rotated.url, first, second, await createKey(after))).toEqual(
    new Set([200]),
  )
  const validation = `${rotated.url}/api/purchases/validation?purchase_code=sold-code&nonce=${"n".repeat(16)}`
  const request = { method: "POST", headers: { "X-Api-Key": first } }
  const { status, headers } = await fetch(validation, request)
  expect([status, headers.has("signature")]).toEqual([200, true])
  await withApp(after, async ({ store, keyCipher, masterKeys }) => {
    const keys = await store.keys.list(authorId)
    expect(keys.map((key) => keyCipher.decrypt(key.encrypted, key))).toContain(first)
    const factors = createTwoFactorCipher(masterKeys)
    const encrypted = required(await store.twoFactor.find(personId))
    expect(factors.decrypt(encrypted, personId)).toBe("a 2FA secret")
    const digest = factors.recoveryDigest("abcd-efgh-ijkl-mnop")
    expect(await store.twoFactor.useRecoveryCode(personId, digest)).toBe(true)
  })
  await rotated.stop()
  expect((await run(["key", "list", "author-0"], { env: before })).status).toBe(2)
})

test("an event that is pending during a rotation is delivered with a valid signature", async () => {
  const receiver = openReceiver()
  const webhook = ["webhook", "create", "--operator", "--url", receiver.url]
  receiver.trust((await readPazar(folder, webhook, { env: before })).trim())
  const invitation = await readPazar(folder, ["account", "invite", "author-0"], { env: before })
  await rotate()
  const server = await startServer(folder, after)
  const { data } = await until(() => receiver.events()[0])
  expect([data.url, receiver.problems()]).toEqual([invitation.trim(), []])
  await server.stop()
  await receiver.close()
})

test("a key of an account that was renamed during the rotation is found afterwards", async () => {
  const renamed = account("renamed", { was: "author-7" })
  await readPazar(folder, ["import", "-"], { env: during, input: toFeed([renamed]) })
  await rotate()
  const found = await run(["key", "find", "--json"], {
    env: after,
    input: importedKeyOf("author-7"),
  })
  expect(JSON.parse(found.stdout).username).toBe("renamed")
})

test("a command that is killed between two batches is completed by the next run", async () => {
  const first = await createKey(before)
  const encrypted = async () =>
    new Set(
      (
        await queryStore<{ encrypted: Uint8Array }>({ folder }, "SELECT encrypted FROM api_keys")
      ).map((row) => Buffer.from(row.encrypted).toString("hex")),
    )
  const old = await encrypted()
  const running = await spawnPazar(folder, ["master-key", "reseal"], during)
  await until(async () => ((await encrypted()).isSubsetOf(old) ? undefined : true))
  await killTree(running)
  const server = await startServer(folder, during)
  expect(await statusesOf(server.url, first)).toEqual(new Set([200]))
  expect((await rotate()).status).toBe(0)
  await server.stop()
  expect((await encrypted()).isDisjointFrom(old)).toBe(true)
  const found = await run(["key", "find", "--json"], { env: after, input: first })
  expect(JSON.parse(found.stdout).username).toBe("author-0")
})

test("the previous key is reported until it is removed, and a second run has nothing to do", async () => {
  const doctor = async (env = during) => (await run(["doctor"], { env })).stdout
  expect(await doctor()).toMatch(/^warning +master key: .*previous key\b.*reseal/ms)
  expect((await rotate()).stderr).toMatch(/^re-encrypted /)
  const again = await rotate()
  expect([again.status, again.stderr]).toEqual([0, expect.stringMatching(/^no changes: /)])
  expect(await doctor()).toMatch(/^warning +master key: .*no longer needed/m)
  const server = await startServer(folder, during)
  await until(() =>
    server.stderr().includes("the previous key is no longer needed") ? true : undefined,
  )
  await server.stop()
  expect(await doctor(after)).toMatch(/^ok +master key/m)
})

test("exit 2: without a previous key, and with keys that are not this database's", async () => {
  const withoutPrevious = await rotate(before)
  expect([withoutPrevious.status, withoutPrevious.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^pazar: the previous master key is not set; set PAZAR_MASTER_KEY_PREVIOUS_FILE/,
    ),
  ])
  const wrong = {
    ...after,
    PORT: "0",
    PAZAR_MASTER_KEY_PREVIOUS: randomBytes(32).toString("base64"),
  }
  for (const args of [["serve"], ["master-key", "reseal"], ["key", "list", "author-0"]]) {
    const { status, stderr } = await run(args, { env: wrong })
    expect([status, stderr]).toEqual([2, expect.stringContaining("does not match this database")])
  }
})

test("exit 1: a key that cannot be decrypted is named, and found as long as the previous key is set", async () => {
  const damaged = await createKey(before)
  const found = await run(["key", "find", "--json"], { env: before, input: damaged })
  const { id } = JSON.parse(found.stdout)
  const damage = "UPDATE api_keys SET encrypted = ? WHERE id = ?"
  await queryStore({ folder }, damage, new Uint8Array(40), id)
  const { status, stderr } = await rotate()
  expect([status, stderr]).toEqual([1, expect.stringContaining(`decrypts ${id} in api_keys`)])
  const server = await startServer(folder, during)
  expect(await statusesOf(server.url, damaged)).toEqual(new Set([200]))
  await server.stop()
})

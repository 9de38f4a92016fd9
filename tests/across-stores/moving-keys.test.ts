/** Moving to another store with `export --with-keys`: authors and deployed clients notice nothing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Environment } from "../../src/config/config.ts"
import { commandLine } from "../../src/domain/sign-in/audit-event.ts"
import { requireAccount } from "../../src/operations/catalogue/accounts.ts"
import { revokeKey } from "../../src/operations/keys/change-key.ts"
import { createKey, rotateKey } from "../../src/operations/keys/issue-key.ts"
import { setPassword } from "../../src/operations/sign-in/passwords.ts"
import { createPasswordHasher } from "../../src/secrets/sign-in/password-hasher.ts"
import { account, item, type Line, purchase, toFeed } from "../../src/store/contracts/records.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { createStore, runPazar } from "../harness/command.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { type PostgresServer, sharePostgres } from "../harness/stores/postgres.ts"

const masterKey = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
const otherKey = { PAZAR_MASTER_KEY: Buffer.alloc(32, 8).toString("base64") }
const quiet = { LOG_LEVEL: "error" }
const password = "three unrelated words"

let server: PostgresServer
let folder: string
let old: Program
let secrets: Readonly<Record<string, string>>
let hash: string
beforeAll(async () => {
  server = await sharePostgres()
  folder = temporaryFolder()
  old = await startProgram({ ...masterKey, ...quiet })
  await old.load([
    account("ada", { api_key: "ada's key of old" }),
    account("bob"),
    ...[item("ada", 1), item("ada", 2), item("bob", 3)],
    ...[purchase("code-1", 1), purchase("code-2", 2), purchase("code-3", 3)],
  ])
  secrets = { imported: "ada's key of old", nobody: "a stranger", ...(await makeKeys(old)) }
  const { store } = old.app
  const ada = await requireAccount(store.accounts, "ada")
  const services = { passwords: store.passwords, hasher: createPasswordHasher() }
  await setPassword(services, ada, password)
  hash = (await store.passwords.find(ada.id)) ?? ""
})
afterAll(async () => {
  await old.close()
  rmSync(folder, { recursive: true })
})

/** A key of each kind and in each state. */
async function makeKeys({ app, issue }: Program) {
  const services = app.keyServices(commandLine)
  const [revoked, ending, ended] = [await issue("ada"), await issue("ada"), await issue("ada")]
  await revokeKey(services, revoked.key)
  const options = {
    kind: "sk",
    name: "",
    itemIds: null,
    expiresAt: "2021-01-01T00:00:00Z",
  } as const
  const made = { id: app.vault.createKeyId(), createdAt: "2020-01-01T00:00:00Z" }
  const owner = { id: revoked.key.accountId, username: "ada" }
  const expired = createKey(app.vault, owner, options, made)
  await app.store.keys.insert(expired.key)
  const keys = {
    revoked,
    ending,
    ended,
    expired,
    secret: await issue("ada"),
    validation: await issue("ada", "vk"),
    chosen: await issue("ada", "vk", [2]),
    sample: await issue("ada", "tk"),
    bobs: await issue("bob"),
    replacement: await rotateKey(services, ending.key, "1d"),
    other: await rotateKey(services, ended.key, "0"),
  }
  return mapValues(keys, ({ secret }) => secret)
}

const mapValues = <In, Out>(record: Readonly<Record<string, In>>, change: (value: In) => Out) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

const questions: readonly (readonly [path: string, parameters: Record<string, string>])[] = [
  ["account/details", {}],
  ["items/all", {}],
  ["items/item", { item_id: "1" }],
  ["purchases/validation", { purchase_code: "code-1" }],
  ["purchases/validation", { purchase_code: "code-2" }],
  ["purchases/validation", { purchase_code: "code-3" }],
]

type Told = Readonly<{ status: number; reason: string; body: string }>

/** The answer to each key, with its reason. */
async function askAll({ url }: Program) {
  const told: Record<string, Told[]> = {}
  for (const [name, api_key] of Object.entries(secrets)) {
    const ask = async ([path, parameters]: (typeof questions)[number]) => {
      const sent = new URLSearchParams({ api_key, ...parameters })
      const isRead = path !== "purchases/validation"
      const response = isRead
        ? await fetch(`${url}/api/${path}?${sent}`)
        : await fetch(`${url}/api/${path}`, { method: "POST", body: sent })
      const reason = response.headers.get("pazar-reason") ?? ""
      return { status: response.status, reason, body: await response.text() }
    }
    told[name] = await Promise.all(questions.map(ask))
  }
  return told
}

const pazar = (args: readonly string[], env: Environment) => runPazar(folder, args, { env })
const homeOf = ({ folder }: Program) => ({
  DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`,
})
const read = (name: string) => readFileSync(join(folder, name), "utf8")

async function signIn({ url }: Program, given: string): Promise<string | null> {
  return (await openVisitor(url).signIn("ada", given)).location
}

test("SQLite → PostgreSQL → SQLite: every key and password does what it did", async () => {
  const postgres = { DATABASE_URL: await server.createDatabase() }
  await createStore(folder, { ...postgres, ...masterKey })
  const first = ["export", "first.ndjson", "--with-keys"]
  expect((await pazar(first, { ...homeOf(old), ...masterKey })).status).toBe(0)
  expect((await pazar(["import", "first.ndjson"], { ...postgres, ...masterKey })).status).toBe(0)
  const grown = await startProgram({ ...postgres, ...masterKey, ...quiet })
  const second = ["export", "--with-keys", "second.ndjson"]
  expect((await pazar(second, { ...postgres, ...masterKey })).status).toBe(0)
  const back = await startProgram({ ...masterKey, ...quiet })
  const again = ["import", "--strict", "second.ndjson"]
  expect((await pazar(again, { ...homeOf(back), ...masterKey })).status).toBe(0)

  expect(read("second.ndjson")).toBe(read("first.ndjson"))
  expect(await back.dumpWithKeys()).toBe(read("first.ndjson"))
  const told = await askAll(old)
  expect(mapValues(told, (answers) => answers.map(({ reason }) => reason))).toEqual(reasons)
  for (const home of [grown, back]) {
    expect(await askAll(home)).toEqual(told)
    expect(await signIn(home, password)).toBe("/workspace")
    expect(await signIn(home, "three other words")).toBeNull()
  }
  await grown.close()
  await back.close()
})

/** Of the questions above, in their order. */
const all = ["ok", "ok", "ok", "ok", "ok", "unknown_code"]
const only = (...reasons: string[]) => [...Array(3).fill("key_not_allowed"), ...reasons]
const reasons: Record<string, string[]> = {
  imported: all,
  nobody: Array(6).fill("unknown_key"),
  revoked: Array(6).fill("revoked_key"),
  ending: all,
  ended: Array(6).fill("expired_key"),
  expired: Array(6).fill("expired_key"),
  secret: all,
  validation: only("ok", "ok", "unknown_code"),
  chosen: only("unknown_code", "ok", "unknown_code"),
  sample: ["ok", "ok", "ok", "unknown_code", "unknown_code", "unknown_code"],
  bobs: ["ok", "ok", "unknown_item", "unknown_code", "unknown_code", "ok"],
  replacement: all,
  other: all,
}

describe("what is written", () => {
  test("has no plain key or hash, is readable by its owner only, and is the same every time", async () => {
    const env = { ...homeOf(old), ...masterKey }
    const { stdout } = await pazar(["export", "feed.ndjson", "--with-keys"], env)
    const text = read("feed.ndjson")
    const lines = text.split("\n").slice(0, -1)
    // The seal is no record.
    expect(JSON.parse(stdout)).toEqual({ exported: lines.length - 1, seconds: expect.any(Number) })
    expect((await pazar(["export", "--with-keys"], env)).stdout).toBe(text)
    expect(statSync(join(folder, "feed.ndjson")).mode & 0o777).toBe(0o600)
    const shown = [
      ...Object.values(secrets),
      hash,
      ...hash.split("$").filter((part) => part !== ""),
    ]
    const spelled = shown.flatMap((part) => [part, Buffer.from(part).toString("base64url")])
    expect(spelled.filter((part) => part.length > 8 && text.includes(part))).toEqual([])
  })

  test("has the keys after the accounts, then the passwords; the seal comes last", async () => {
    const text = await old.dumpWithKeys()
    const types = [...text.matchAll(/^\{"type":"(\w+)"/gm)].map(([, type]) => type)
    expect([...new Set(types)]).toEqual([
      ...["account", "key", "password", "item", "purchase", "seal"],
    ])
    const rest = text.split("\n").filter((line) => !/^\{"type":"(key|password|seal)"/.test(line))
    expect(rest.join("\n")).toBe(await old.dump())
  })
})

type Sealed = Readonly<{ line: number; type: string }>
const sealedLines = (text: string): readonly Sealed[] =>
  text.split("\n").flatMap((line, at) => {
    const [, type] = /^\{"type":"(key|password)"/.exec(line) ?? []
    return type === undefined ? [] : [{ line: at + 1, type }]
  })

test("under another master key each sealed line is refused, and nothing else", async () => {
  const feed = await old.dumpWithKeys()
  const stranger = await startProgram({ ...otherKey, ...quiet })
  const { accepted, refused, refusedText } = await stranger.load(feed)
  const sealed = sealedLines(feed)
  expect(refusedText).toBe(sealed.map(({ line }) => `${feed.split("\n")[line - 1]}\n`).join(""))
  expect(refused).toEqual(
    sealed.map(({ line, type }) => ({
      line,
      member: "sealed",
      reason: `was sealed under another master key, or for another ${type === "key" ? "key" : "account"}`,
    })),
  )
  expect([accepted, sealed.length]).toEqual([feed.split("\n").length - 2 - sealed.length, 13])
  expect(sealedLines(await stranger.dumpWithKeys())).toEqual([])
  await stranger.close()
})

describe("on a store that is in use", () => {
  test("the same feed twice, and a dry run, change nothing", async () => {
    const before = await old.dumpWithKeys()
    for (const mode of ["batches", "strict", "dry run"] as const) {
      expect((await old.load(before, mode)).refused).toEqual([])
      expect(await old.dumpWithKeys()).toBe(before)
    }
  })

  test("a key that was revoked after the export stays revoked, and its author signed in", async () => {
    const home = await startProgram({ ...masterKey, ...quiet })
    const feed = await old.dumpWithKeys()
    await home.load(feed)
    const visitor = openVisitor(home.url)
    await visitor.signIn("ada", password)
    const key = await home.app.store.keys.findByLookup(home.app.vault.lookup(secrets.secret ?? ""))
    await home.app.store.keys.revoke(key?.id ?? "", "2026-01-01T00:00:00Z")
    const after = await home.dumpWithKeys()
    expect((await home.load(feed)).refused).toEqual([])
    expect(await home.dumpWithKeys()).toBe(after)
    expect(after).not.toBe(feed)
    expect((await visitor.get("/workspace")).status).toBe(200)
    await home.close()
  })

  test("422: a push with keys is refused, because its seal would come too late", async () => {
    const token = "operator-token-of-32-characters-or-more"
    const home = await startProgram({ ...masterKey, ...quiet, PAZAR_OPERATOR_TOKEN: token })
    const feed = await old.dumpWithKeys()
    const headers = { Authorization: `Bearer ${token}` }
    const pushed = await fetch(`${home.url}/operator/feed`, { method: "POST", headers, body: feed })
    const { rejected, refused } = JSON.parse(await pushed.text())
    expect(rejected).toBe(sealedLines(feed).length + 1)
    expect(refused[0]).toMatchObject({
      line: sealedLines(feed)[0]?.line,
      member: "type",
      reason: "keys and passwords are only taken by `pazar import`, from a whole export",
    })
    expect(await home.dump()).toBe(await old.dump())
    expect(sealedLines(await home.dumpWithKeys())).toEqual([])
    await home.close()
  })

  test("a key's line cannot give the key to another account", async () => {
    const home = await startProgram({ ...masterKey, ...quiet })
    const feed: Line[] = (await old.dumpWithKeys())
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    const stolen = feed.map((line) =>
      line.type === "key" || line.type === "password" ? { ...line, username: "bob" } : line,
    )
    const { refused } = await home.load(stolen)
    const isBobs = (line: Line) => line.type === "key" && line.username === "bob"
    expect(refused.length).toBe(sealedLines(toFeed(feed)).length - feed.filter(isBobs).length)
    const bob = await requireAccount(home.app.store.accounts, "bob")
    const ids = (await home.app.store.keys.list(bob.id)).map(({ id }) => id)
    expect(ids).toEqual(feed.filter(isBobs).map(({ id }) => String(id)))
    expect(await home.app.store.passwords.find(bob.id)).toBeNull()
    await home.close()
  })
})

describe("the seal of the file", () => {
  const changes: readonly (readonly [what: string, change: (feed: string) => string])[] = [
    ["one character is another", (feed) => feed.replace("code-1", "code-9")],
    ["a line is gone", (feed) => feed.replace(/^.*"code-3".*\n/m, "")],
    ["a line was added", (feed) => `${toFeed([account("eve")])}${feed}`],
    ["two lines changed places", (feed) => feed.replace(/^(.*\n)(.*\n)/, "$2$1")],
    ["a key was revoked later", (feed) => feed.replace(/"revoked_at":"\d/, '"revoked_at":"3')],
    ["something follows the seal", (feed) => `${feed}${toFeed([account("eve")])}`],
  ]
  const wrong =
    "the seal of the feed is wrong: it was changed since it was exported, or under another master key. Nothing was taken."
  const missing =
    "the feed has keys or passwords, but no seal at its end: it was cut off, or exported by a version before 0.4. Export it again with this version. Nothing was taken."

  async function importInto(home: Program, feed: string, args: readonly string[] = []) {
    const env = { ...homeOf(home), ...masterKey }
    writeFileSync(join(folder, "changed.ndjson"), feed)
    return pazar(["import", ...args, "changed.ndjson"], env)
  }

  test.each(changes)("2: %s, and nothing is taken", async (what, change) => {
    const home = await startProgram({ ...masterKey, ...quiet })
    const feed = await old.dumpWithKeys()
    expect(change(feed)).not.toBe(feed)
    for (const args of [[], ["--strict"], ["--dry-run"]]) {
      const outcome = await importInto(home, change(feed), args)
      const message = what === "something follows the seal" ? missing : wrong
      expect(outcome).toEqual({ status: 2, stdout: "", stderr: `pazar: ${message}\n` })
    }
    expect(await home.dump()).toBe("")
    await home.close()
  })

  test("2: a file that was cut off, or of 0.3, is to be exported again", async () => {
    const home = await startProgram({ ...masterKey, ...quiet })
    const feed = await old.dumpWithKeys()
    for (const cut of [feed.replace(/.*\n$/, ""), feed.slice(0, -20)]) {
      const outcome = await importInto(home, cut)
      expect(outcome).toEqual({ status: 2, stdout: "", stderr: `pazar: ${missing}\n` })
    }
    expect(await home.dump()).toBe("")
    await home.close()
  })

  test("2: of another master key", async () => {
    const home = await startProgram({ ...otherKey, ...quiet })
    writeFileSync(join(folder, "feed.ndjson"), await old.dumpWithKeys())
    const outcome = await pazar(["import", "feed.ndjson"], { ...homeOf(home), ...otherKey })
    expect(outcome).toEqual({ status: 2, stdout: "", stderr: `pazar: ${wrong}\n` })
    expect(await home.dump()).toBe("")
    await home.close()
  })

  test.each([
    ["batches", []],
    ["strict", ["--strict"]],
  ])("0: through a pipe it is checked too (%s)", async (_, args) => {
    const home = await startProgram({ ...masterKey, ...quiet })
    const env = { ...homeOf(home), ...masterKey }
    const feed = await old.dumpWithKeys()
    const bad = await runPazar(folder, ["import", "-", ...args], {
      env,
      input: feed.replace("code-1", "code-9"),
    })
    expect([bad.status, bad.stderr]).toEqual([
      2,
      expect.stringContaining("the seal of the feed is wrong"),
    ])
    expect(sealedLines(await home.dumpWithKeys())).toEqual([])
    const good = await runPazar(folder, ["import", "-", ...args], { env, input: feed })
    expect([good.status, good.stderr]).toEqual([0, ""])
    expect(await home.dumpWithKeys()).toBe(feed)
    await home.close()
  })

  test("1: an older export leaves a newer password, unless it is told to replace it", async () => {
    const home = await startProgram({ ...masterKey, ...quiet })
    const feed = await old.dumpWithKeys()
    await importInto(home, feed)
    const { accounts, passwords } = home.app.store
    const ada = await requireAccount(accounts, "ada")
    await setPassword({ passwords, hasher: createPasswordHasher() }, ada, "three newer words")
    const { line } = sealedLines(feed).find(({ type }) => type === "password") ?? {}
    expect(await importInto(home, feed)).toMatchObject({
      status: 1,
      stderr: `line ${line}: password ada: sealed: is not the password the account has (--overwrite-passwords replaces it)\n`,
    })
    expect(await signIn(home, "three newer words")).toBe("/workspace")
    expect((await importInto(home, feed, ["--overwrite-passwords"])).status).toBe(0)
    expect(await signIn(home, "three newer words")).toBeNull()
    expect(await signIn(home, password)).toBe("/workspace")
    await home.close()
  })
})

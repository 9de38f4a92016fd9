import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { secondsAfter } from "../../src/platform/time.ts"
import { account, item, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { createStoreFolder, readPazar, runPazar } from "../harness/run-pazar.ts"

let folder: string
beforeAll(async () => {
  folder = await createStoreFolder()
  const deniz = account("deniz", { email: "deniz\u001b[2J@example.com", api_key: "kept-key" })
  const input = toFeed([account("elif"), deniz, item("elif", 1), item("elif", 2), item("deniz", 3)])
  expect((await runPazar(folder, ["import", "-"], { input })).status).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true }))

const pazar = (...args: string[]) => runInProcess(folder, args)

async function pazarJson(...args: string[]) {
  const { status, stdout, stderr } = await pazar(...args, "--json")
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return JSON.parse(stdout)
}

const rejection = (name: string) => ({
  status: 1,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^pazar: .*${name}.*\n$`)),
})
const secretOf = (kind: string) =>
  expect.stringMatching(new RegExp(`^pzr_${kind}_[0-9A-Za-z]{36}$`))
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const anyId = expect.stringMatching(/^key_[0-9A-Za-z]{16}$/)

describe("accounts", () => {
  test("account list prints one line per account, without control characters", async () => {
    const { status, stdout, stderr } = await pazar("account", "list")
    expect({ status, stderr, rows: stdout.split("\n").map((row) => row.split(/ {2,}/)) }).toEqual({
      status: 0,
      stderr: "",
      rows: [
        expect.any(Array),
        ["deniz", "Ada Yılmaz", "deniz\ufffd[2J@example.com", "2024-04-27T12:00:00Z"],
        ["elif", "Ada Yılmaz", "elif@example.com", "2024-04-27T12:00:00Z"],
        [""],
      ],
    })
  })

  test("account list --json prints the accounts as the API returns them, with their state", async () => {
    const { type: _, ...elif } = account("elif")
    const list = await pazarJson("account", "list")
    expect(list.map(({ username }: { username: string }) => username)).toEqual(["deniz", "elif"])
    expect(list[1]).toEqual({ ...elif, suspended: false })
    expect(await pazarJson("account", "show", "elif")).toEqual({
      ...elif,
      suspended: false,
      suspended_by_feed: false,
      suspended_by_operator: false,
    })
  })

  test("account show prints the main fields", async () => {
    const { status, stdout, stderr } = await pazar("account", "show", "deniz")
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    const values = stdout.split("\n").map((row) => row.split(/ {2,}/)[1])
    expect(values.slice(0, 7)).toEqual([
      ...["deniz", "Ada Yılmaz", "deniz\ufffd[2J@example.com", "120.5 USD"],
      ...["2024-04-27T12:00:00Z", "Temalar", "1"],
    ])
  })

  test("an empty database prints a hint to standard error, and an empty list in JSON", async () => {
    const empty = await createStoreFolder()
    const plain = await runPazar(empty, ["account", "list"])
    const json = await runPazar(empty, ["account", "list", "--json"])
    rmSync(empty, { recursive: true })
    const stderr = expect.stringMatching(/^.*`pazar import FILE`.*\n$/)
    expect(plain).toEqual({ status: 0, stdout: "", stderr })
    expect(json).toEqual({ status: 0, stdout: "[]\n", stderr: "" })
  })
})

describe("key create", () => {
  test.each(["sk", "vk", "tk"])("--kind %s prints only the key", async (kind) => {
    expect(await pazar("key", "create", "elif", "--kind", kind)).toEqual({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`^pzr_${kind}_[0-9A-Za-z]{36}\n$`)),
      stderr: "",
    })
  })

  test("--json prints one object with exactly the documented fields", async () => {
    const plain = await pazarJson("key", "create", "elif")
    expect(Object.keys(plain)).toEqual(["id", "key", "kind", "name", "items", "expires_at"])
    expect(plain).toEqual({
      id: anyId,
      key: secretOf("sk"),
      kind: "sk",
      name: expect.any(String),
      items: null,
      expires_at: null,
    })
  })

  test("--scope limits a secret key, which lists show", async () => {
    const { id } = await pazarJson("key", "create", "elif", "--scope", "help_desk")
    const scoped: unknown[] = (await pazarJson("key", "list", "elif")).filter(
      (key: { scope?: string }) => key.scope !== undefined,
    )
    expect(scoped).toEqual([expect.objectContaining({ id, scope: "help_desk", kind: "sk" })])
    for (const wrong of [
      ["--scope", "all"],
      ["--scope", "catalog", "--kind", "vk"],
    ]) {
      expect((await pazar("key", "create", "elif", ...wrong)).status).toBe(2)
    }
  })

  test("--items, --name and --expires are applied", async () => {
    const options = ["--kind", "vk", "--items", "2, 1,2", "--name", " Eklenti 🔑 "]
    const expiry = ["--expires", "2099-01-01T03:00:00+03:00"]
    expect(await pazarJson("key", "create", "elif", ...options, ...expiry)).toEqual({
      id: anyId,
      key: secretOf("vk"),
      kind: "vk",
      name: "Eklenti 🔑",
      items: [2, 1],
      expires_at: "2099-01-01T00:00:00Z",
    })
  })

  test.each([
    [["nobody"], "nobody"],
    [["elif", "--kind", "vk", "--items", "1,3"], "elif.*3"],
    [["elif", "--name", "x".repeat(101)], "100"],
    [["elif", "--expires", "2020-01-01T00:00:00Z"], "2020-01-01T00:00:00Z"],
  ])("exit 1: %j is rejected", async (args, name) => {
    expect(await pazar("key", "create", ...args)).toEqual(rejection(name))
  })

  test.each([
    [[], "USERNAME"],
    [["elif", "--kind", "imported"], "--kind"],
    [["elif", "--items", "1"], "--kind vk"],
    [["elif", "--kind", "vk", "--items", ""], "--items"],
    [["elif", "--kind", "vk", "--items", "1,,2"], "--items"],
    [["elif", "--kind", "vk", "--items", "0"], "--items"],
    [["elif", "--kind", "vk", "--items", "9007199254740993"], "--items"],
    [["elif", "--expires", "tomorrow"], "--expires"],
    [["elif", "--expires", "2099-01-01T00:00:00"], "--expires"],
    [["elif", "--expires", "2099-02-30T00:00:00Z"], "--expires"],
  ])("exit 2: %j is a usage error", async (args, name) => {
    const { status, stdout, stderr } = await pazar("key", "create", ...args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toMatch(/^pazar: .+; .+\n$/)
    expect(stderr).toContain(name)
  })
})

describe("key list", () => {
  const mask = ({ key }: { key: string }) => `${key.slice(0, 7)}…${key.slice(-4)}`

  test("prints every key of the account, masked, with its state, and never a secret", async () => {
    const active = await pazarJson("key", "create", "deniz", "--kind", "vk", "--items", "3")
    const gone = await pazarJson("key", "create", "deniz", "--name", "Gone")
    expect(await pazar("key", "revoke", gone.id)).toEqual({
      status: 0,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^.* ${gone.id}\n$`)),
    })
    const { stdout } = await pazar("key", "list", "deniz")
    const text = expect.any(String)
    const rows = stdout.split("\n").map((row) => row.split(/ {2,}/))
    expect(rows.slice(1)).toEqual([
      [anyId, "imported", "…", text, anyTime, text, text, text, text],
      [active.id, "vk", mask(active), text, anyTime, text, text, "3", text],
      [gone.id, "sk", mask(gone), text, anyTime, text, text, text, "Gone"],
      [""],
    ])
    expect(new Set(rows.slice(1, 3).map((row) => row[3])).size).toBe(1)
    expect(rows[3]?.[3]).not.toBe(rows[2]?.[3])
    const list = await pazarJson("key", "list", "deniz")
    const times = { username: "deniz", created_at: anyTime, expires_at: null, last_used_at: null }
    expect(list).toEqual([
      {
        id: anyId,
        kind: "imported",
        masked: "…",
        name: expect.any(String),
        items: null,
        ...times,
        revoked_at: null,
      },
      {
        id: active.id,
        kind: "vk",
        masked: mask(active),
        name: expect.any(String),
        items: [3],
        ...times,
        revoked_at: null,
      },
      {
        id: gone.id,
        kind: "sk",
        masked: mask(gone),
        name: "Gone",
        items: null,
        ...times,
        revoked_at: anyTime,
      },
    ])
    const shown = stdout + JSON.stringify(list)
    for (const secret of [active.key, gone.key, "kept-key"]) expect(shown).not.toContain(secret)
  })

  test("an account without keys prints a hint, and an empty list in JSON", async () => {
    const input = toFeed([account("yeni")])
    await readPazar(folder, ["import", "-"], { input })
    expect(await pazar("key", "list", "yeni")).toEqual({
      status: 0,
      stdout: "",
      stderr: expect.stringMatching(/^.*`pazar key create yeni`.*\n$/),
    })
    expect(await pazarJson("key", "list", "yeni")).toEqual([])
  })
})

describe("key rotate", () => {
  const listed = async (id: string) =>
    (await pazarJson("key", "list", "elif")).find((key: { id: string }) => key.id === id)

  test.each([
    [["--overlap", "0"], 0],
    [["--overlap", "1h"], 3_600],
    [["--overlap", "1d"], 86_400],
    [["--overlap", "7d"], 604_800],
    [[], 86_400],
  ])("%j keeps the old key valid for that long", async (args, seconds) => {
    const options = ["--kind", "vk", "--items", "1", "--name", "Shop"]
    const old = await pazarJson("key", "create", "elif", ...options)
    const askedAt = Date.now()
    const fresh = await pazarJson("key", "rotate", old.id, ...args)
    expect(fresh).toEqual({ ...old, id: anyId, key: secretOf("vk") })
    expect([fresh.id, fresh.key]).not.toEqual([old.id, old.key])
    const { expires_at } = await listed(old.id)
    const rotatedAt = Date.parse(expires_at) - 1_000 * seconds
    expect(rotatedAt).toBeWithin(askedAt - 1_000, Date.now() + 1)
  })

  test("never extends the old key's own expiry, which the new key inherits", async () => {
    const soon = secondsAfter(new Date(), 600)
    const old = await pazarJson("key", "create", "elif", "--expires", soon)
    const fresh = await pazarJson("key", "rotate", old.id, "--overlap", "7d")
    expect([fresh.expires_at, (await listed(old.id)).expires_at]).toEqual([soon, soon])
  })

  test("prints only the new key", async () => {
    const { id } = await pazarJson("key", "create", "elif")
    expect(await pazar("key", "rotate", id)).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^pzr_sk_[0-9A-Za-z]{36}\n$/),
      stderr: "",
    })
  })

  test("exit 1: a revoked key cannot be rotated", async () => {
    const { id } = await pazarJson("key", "create", "elif")
    await pazar("key", "revoke", id)
    expect(await pazar("key", "rotate", id)).toEqual(rejection(id))
  })

  test("exit 2: an unknown overlap period is a usage error", async () => {
    expect(await pazar("key", "rotate", "key_x", "--overlap", "2h")).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^pazar: --overlap .*; run pazar help key rotate\n$/),
    })
  })
})

test.each([
  [["account", "show", "nobody"]],
  [["key", "list", "nobody"]],
  [["key", "revoke", "key_nobody"]],
  [["key", "rotate", "key_nobody"]],
])("exit 1: %j is rejected", async (args) => {
  expect(await pazar(...args)).toEqual(rejection(args[2] ?? ""))
})

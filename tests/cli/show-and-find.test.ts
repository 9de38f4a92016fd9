import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { revokeKey } from "../../src/keys/key-operations.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { cellsOf, runInProcess } from "../harness/run-in-process.ts"
import { addUsage } from "../harness/stores/store-records.ts"

const code = "6f1c1d2e-aaaa-4000-8000-00000000000a"
const usedAt = "2026-06-30T12:00:00Z"
const imported = "kept-key"

let program: Program
let elifs: Awaited<ReturnType<Program["issue"]>>
let deniz: Awaited<ReturnType<Program["issue"]>>
beforeAll(async () => {
  program = await startProgram()
  const refunded = purchase("refunded", 2, { revoked: true, buyer: "İpek" })
  const matching = [purchase("Same-1", 1), purchase("same-1", 3)]
  await program.load([
    ...[account("cem", { api_key: imported }), account("elif"), account("deniz")],
    ...[item("elif", 1, { name: "Tema\u001b[2J" }), item("elif", 2, { hidden: true })],
    ...[item("deniz", 3), purchase(code, 1), refunded, ...matching],
  ])
  elifs = await program.issue("elif")
  deniz = await program.issue("deniz", "vk", [3])
  await revokeKey(program.app.keyServices(commandLine), deniz.key)
  await addUsage(program.app.store, {
    lastUses: [{ keyId: elifs.key.id, lastUsedAt: usedAt }],
  })
})
afterAll(() => program.close())

const pazar = (args: readonly string[], input?: string) =>
  runInProcess(program.folder, args, input === undefined ? {} : { input })

async function pazarJson(args: readonly string[], input?: string) {
  const { status, stdout, stderr } = await pazar([...args, "--json"], input)
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return JSON.parse(stdout)
}
const rejection = (name: string) => ({
  status: 1,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^pazar: .*${name}.*\n$`)),
})

const mask = ({ secret }: { secret: string }) => `${secret.slice(0, 7)}…${secret.slice(-4)}`
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const anyId = expect.stringMatching(/^key_/)

describe("key list", () => {
  test("--all lists the keys of every account by username, with their last use", async () => {
    const { status, stdout } = await pazar(["key", "list", "--all"])
    const rows: readonly (readonly unknown[])[] = cellsOf(stdout)
    expect(status).toBe(0)
    const text = expect.any(String)
    expect(rows.slice(1)).toEqual([
      ["cem", anyId, "imported", "…", text, anyTime, text, text, text, text],
      ["deniz", deniz.key.id, "vk", mask(deniz), text, anyTime, text, text, "3", "Test"],
      ["elif", elifs.key.id, "sk", mask(elifs), text, anyTime, text, usedAt, text, "Test"],
    ])
  })

  test("a list of one account has the same rows, and so has --json", async () => {
    const all = await pazarJson(["key", "list", "--all"])
    const keyOfElif = await pazarJson(["key", "list", "elif"])
    expect(all.map(({ username }: { username: string }) => username)).toEqual([
      ...["cem", "deniz", "elif"],
    ])
    expect(keyOfElif).toEqual(all.slice(2))
    expect(all[2]).toEqual({
      id: elifs.key.id,
      username: "elif",
      kind: "sk",
      masked: mask(elifs),
      name: "Test",
      items: null,
      created_at: anyTime,
      expires_at: null,
      revoked_at: null,
      last_used_at: usedAt,
    })
    expect((await pazar(["key", "list", "elif"])).stdout).toContain(` ${usedAt} `)
  })

  test("requires either a username or --all", async () => {
    const stderr = expect.stringMatching(/^pazar: .*USERNAME.*--all.*\n$/)
    for (const args of [[], ["elif", "--all"]]) {
      expect(await pazar(["key", "list", ...args])).toEqual({ status: 2, stdout: "", stderr })
    }
  })
})

describe("key find", () => {
  test("prints the owner of the key on standard input, and never the key", async () => {
    const found = await pazar(["key", "find"], `$key = "${elifs.secret}";\nmore`)
    const text = expect.any(String)
    expect([found.status, cellsOf(found.stdout).map(([, value]) => value)]).toEqual([
      0,
      [elifs.key.id, "elif", "sk", "Test", text, text, anyTime, text, usedAt],
    ])
    expect(found.stdout + found.stderr).not.toContain(elifs.secret.slice(-8))
  })

  test("finds keys of every kind and state", async () => {
    expect(await pazarJson(["key", "find"], ` ${deniz.secret}\r\n`)).toEqual({
      id: deniz.key.id,
      username: "deniz",
      kind: "vk",
      masked: mask(deniz),
      name: "Test",
      items: [3],
      created_at: anyTime,
      expires_at: null,
      revoked_at: anyTime,
      last_used_at: null,
      state: "revoked",
      account_suspended: false,
    })
    expect(await pazarJson(["key", "find"], imported)).toMatchObject({
      username: "cem",
      kind: "imported",
      state: "active",
    })
  })

  test("reports that the account is suspended", async () => {
    const { accounts } = program.app.store
    const { id } = await requireAccount(accounts, "cem")
    await accounts.setSuspended(id, true, new Date())
    expect(cellsOf((await pazar(["key", "find"], imported)).stdout)[1]?.[1]).toMatch(/^cem ./)
    expect((await pazarJson(["key", "find"], imported)).account_suspended).toBe(true)
    await accounts.setSuspended(id, false, new Date())
  })

  test("rejects an unknown key without repeating it", async () => {
    for (const text of ["nobody's", `${elifs.secret}x`.slice(1), "x".repeat(10_000), "\ufffd\0"]) {
      const outcome = await pazar(["key", "find"], text)
      expect(outcome).toEqual(rejection(""))
      expect(outcome.stderr).not.toContain(text.slice(0, 20))
    }
    expect(await pazar(["key", "find"], publicTestSecret)).toEqual(rejection(""))
    expect(await pazar(["key", "find"], " \n")).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^pazar: .+; run pazar help key find\n$/),
    })
  })
})

describe("item show", () => {
  test("shows any author's item, including hidden ones", async () => {
    const { status, stdout } = await pazar(["item", "show", "1"])
    const text = expect.any(String)
    expect([status, cellsOf(stdout).map(([, value]) => value)]).toEqual([
      0,
      ["1", "Tema\ufffd[2J", "elif", text, text, text, text, anyTime, "2", text],
    ])
    const { type: _, ...members } = item("elif", 2, { hidden: true })
    expect(await pazarJson(["item", "show", "2"])).toEqual({
      ...members,
      author_suspended: false,
      purchases: 1,
      site_limit: { sites: null, licenses: [] },
    })
  })

  test("rejects an unknown item and an invalid id", async () => {
    expect(await pazar(["item", "show", "99"])).toEqual(rejection("99"))
    expect((await pazar(["item", "show", "9007199254740993"])).status).toBe(2)
    expect((await pazar(["item", "show", "1e3"])).status).toBe(2)
  })
})

describe("purchase show", () => {
  test("shows author, item and validity", async () => {
    const { status, stdout } = await pazar(["purchase", "show", code])
    const text = expect.any(String)
    const price = expect.stringMatching(/^[\d.]+ USD$/)
    expect([status, cellsOf(stdout).map(([, value]) => value)]).toEqual([
      0,
      [
        ...[code, text, text, text, "elif", "1 Tema\ufffd[2J", "Regular", price, anyTime],
        ...[text, text, text],
      ],
    ])
  })

  test("--json has the fields of the feed, the author and the item's name", async () => {
    const { type: _, ...members } = purchase("refunded", 2, { revoked: true, buyer: "İpek" })
    expect(await pazarJson(["purchase", "show", "refunded"])).toEqual({
      ...members,
      author: "elif",
      author_suspended: false,
      item_name: item("elif", 2).name,
      state: "revoked",
      revoked_by_feed: true,
      revoked_by_operator: false,
      sites: [],
    })
  })

  test("shows the state of the feed and the operator override", async () => {
    const { purchases } = program.app.store
    const statesOf = async (shown: string) =>
      cellsOf((await pazar(["purchase", "show", shown])).stdout)
        .slice(1, 4)
        .map(([, value]) => value)
    const [valid, byFeed] = [await statesOf(code), await statesOf("refunded")]
    await purchases.setRevokedByOperator(code, true, new Date())
    const byOperator = await statesOf(code)
    const object = await pazarJson(["purchase", "show", code])
    await purchases.setRevokedByOperator(code, false, new Date())
    expect(valid[0]).not.toBe(byFeed[0])
    expect(byOperator.slice(0, 2)).toEqual([byFeed[0], valid[1]])
    expect([valid[1] === byFeed[1], valid[2] === byOperator[2]]).toEqual([false, false])
    expect(object).toMatchObject({
      revoked: true,
      revoked_by_feed: false,
      revoked_by_operator: true,
    })
  })

  test("shows the end of a subscription, and that it has passed", async () => {
    const ends = { ended: "2020-01-01T00:00:00Z", running: "2099-01-01T00:00:00Z" }
    await program.load([
      purchase("ended", 1, { valid_until: ends.ended, site_limit: 3 }),
      purchase("running", 1, { valid_until: ends.running }),
    ])
    const stateAndEndOf = async (shown: string) => {
      const cells = cellsOf((await pazar(["purchase", "show", shown])).stdout)
      return ["State", "Valid until", "Site limit"].map(
        (name) => cells.find(([head]) => head === name)?.[1],
      )
    }
    expect(await stateAndEndOf("ended")).toEqual(["expired", ends.ended, "3"])
    expect(await stateAndEndOf("running")).toEqual(["valid", ends.running, undefined])
    expect(await stateAndEndOf(code)).toEqual(["valid", undefined, undefined])
    expect(await pazarJson(["purchase", "show", "ended"])).toMatchObject({
      state: "expired",
      valid_until: ends.ended,
      site_limit: 3,
      revoked: false,
    })
    expect(await pazarJson(["purchase", "show", "running"])).toMatchObject({ state: "valid" })
  })

  test("parses a code as the API does", async () => {
    const pasted = ` ${code.toUpperCase().replaceAll("-", "\u2013")}\u200b\n`
    expect((await pazarJson(["purchase", "show", pasted])).purchase_code).toBe(code)
    expect((await pazarJson(["purchase", "show", "same-1"])).author).toBe("deniz")
    expect(await pazar(["purchase", "show", "SAME-1"])).toEqual(rejection("Same-1, same-1"))
  })

  test("reports that the author is suspended", async () => {
    const { accounts } = program.app.store
    const { id } = await requireAccount(accounts, "deniz")
    await accounts.setSuspended(id, true, new Date())
    const [sale, product] = [
      cellsOf((await pazar(["purchase", "show", "same-1"])).stdout),
      cellsOf((await pazar(["item", "show", "3"])).stdout),
    ]
    await accounts.setSuspended(id, false, new Date())
    expect([sale[4]?.[1], product[2]?.[1]]).toEqual(
      Array(2).fill(expect.stringMatching(/^deniz ./)),
    )
  })

  test("reports why a code has no purchase", async () => {
    const cases = [
      ["nobody-bought-it", "nobody-bought-it"],
      ["test-regular", "test-regular"],
      [" ", "255"],
      ["x".repeat(256), "255"],
    ] as const
    for (const [typed, name] of cases) {
      expect(await pazar(["purchase", "show", typed])).toEqual(rejection(name))
    }
  })
})

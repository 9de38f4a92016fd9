/** The operator's look-ups: keys, items and purchases of any owner. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { publicTestSecret } from "../../../src/domain/keys/api-key.ts"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { requireAccount } from "../../../src/operations/catalogue/accounts.ts"
import { revokeKey } from "../../../src/operations/keys/change-key.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { addUsage } from "../../contracts/store-records.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { cellsOf, runInProcess } from "../../harness/run-in-process.ts"

const code = "6f1c1d2e-aaaa-4000-8000-00000000000a"
const usedAt = "2026-06-30T12:00:00Z"
const imported = "kept-key"

let program: Program
let elifs: Awaited<ReturnType<Program["issue"]>>
let deniz: Awaited<ReturnType<Program["issue"]>>
beforeAll(async () => {
  program = await startProgram()
  const refunded = purchase("refunded", 2, { revoked: true, buyer: "İpek" })
  const alike = [purchase("Same-1", 1), purchase("same-1", 3)]
  await program.load([
    ...[account("cem", { api_key: imported }), account("elif"), account("deniz")],
    ...[item("elif", 1, { name: "Tema\u001b[2J" }), item("elif", 2, { hidden: true })],
    ...[item("deniz", 3), purchase(code, 1), refunded, ...alike],
  ])
  elifs = await program.issue("elif")
  deniz = await program.issue("deniz", "vk", [3])
  await revokeKey(program.app.keyServices(commandLine), deniz.key)
  const sighting = { keyId: elifs.key.id, network: "192.0.2.0/24", lastUsedAt: usedAt }
  await addUsage(program.app.store, [], [sighting])
})
afterAll(() => program.close())

const pazar = (args: readonly string[], input?: string) =>
  runInProcess(program.folder, args, input === undefined ? {} : { input })

async function pazarJson(args: readonly string[], input?: string) {
  const { status, stdout, stderr } = await pazar([...args, "--json"], input)
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return JSON.parse(stdout)
}
const refused = (message: string) => ({ status: 1, stdout: "", stderr: `pazar: ${message}\n` })

const mask = ({ secret }: { secret: string }) => `${secret.slice(0, 7)}…${secret.slice(-4)}`
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const anyId = expect.stringMatching(/^key_/)

describe("key list", () => {
  const header = [
    ...["USERNAME", "ID", "KIND", "KEY", "STATE"],
    ...["CREATED", "EXPIRES", "LAST USED", "ITEMS", "NAME"],
  ]

  test("--all lists the keys of every account, by its name, with their last use", async () => {
    const { status, stdout } = await pazar(["key", "list", "--all"])
    const rows: readonly (readonly unknown[])[] = cellsOf(stdout)
    expect(status).toBe(0)
    expect(rows).toEqual([
      header,
      ["cem", anyId, "imported", "…", "active", anyTime, "never", "never", "all", "Imported key"],
      ["deniz", deniz.key.id, "vk", mask(deniz), "revoked", anyTime, "never", "never", "3", "Test"],
      ["elif", elifs.key.id, "sk", mask(elifs), "active", anyTime, "never", usedAt, "all", "Test"],
    ])
  })

  test("of one account has the same rows, and so has --json", async () => {
    const all = await pazarJson(["key", "list", "--all"])
    const ofElif = await pazarJson(["key", "list", "elif"])
    expect(all.map(({ username }: { username: string }) => username)).toEqual([
      ...["cem", "deniz", "elif"],
    ])
    expect(ofElif).toEqual(all.slice(2))
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
    expect((await pazar(["key", "list", "elif"])).stdout).toContain(`${usedAt}  all`)
  })

  test("needs a name or --all, and not both", async () => {
    const usage = "Usage: pazar key list [USERNAME] [--all] [--json]\n"
    expect(await pazar(["key", "list"])).toEqual({
      status: 2,
      stdout: "",
      stderr: `pazar: Missing USERNAME, or --all for every account.\n${usage}`,
    })
    expect(await pazar(["key", "list", "elif", "--all"])).toEqual({
      status: 2,
      stdout: "",
      stderr: `pazar: Give USERNAME or --all, not both.\n${usage}`,
    })
  })
})

describe("key find", () => {
  test("says whose the key on standard input is, and never prints it", async () => {
    const found = await pazar(["key", "find"], `$key = "${elifs.secret}";\nmore`)
    expect([found.status, cellsOf(found.stdout)]).toEqual([
      0,
      [
        ["Key", elifs.key.id],
        ["Account", "elif"],
        ["Kind", "sk"],
        ["Name", "Test"],
        ["State", "active"],
        ["Items", "all"],
        ["Created", anyTime],
        ["Expires", "never"],
        ["Last used", usedAt],
      ],
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

  test("says that the account is suspended", async () => {
    const { accounts } = program.app.store
    const { id } = await requireAccount(accounts, "cem")
    await accounts.setSuspended(id, true)
    expect(cellsOf((await pazar(["key", "find"], imported)).stdout)[1]).toEqual([
      ...["Account", "cem (suspended)"],
    ])
    expect((await pazarJson(["key", "find"], imported)).account_suspended).toBe(true)
    await accounts.setSuspended(id, false)
  })

  test("refuses what is nobody's key, without repeating it", async () => {
    for (const text of ["nobody's", `${elifs.secret}x`.slice(1), "x".repeat(10_000), "\ufffd\0"]) {
      expect(await pazar(["key", "find"], text)).toEqual(refused("no account has this key"))
    }
    expect(await pazar(["key", "find"], publicTestSecret)).toEqual(
      refused("this is the test key of the documentation; it belongs to no account"),
    )
    expect(await pazar(["key", "find"], " \n")).toEqual({
      status: 2,
      stdout: "",
      stderr: "pazar: Standard input holds no key.\nUsage: pazar key find [--json]\n",
    })
  })
})

describe("item show", () => {
  test("shows any author's item, hidden ones too", async () => {
    const { status, stdout } = await pazar(["item", "show", "1"])
    expect([status, cellsOf(stdout)]).toEqual([
      0,
      [
        ["Item", "1"],
        ["Name", "Tema\ufffd[2J"],
        ["Author", "elif"],
        ["State", "visible"],
        ["Category", expect.stringContaining(" / ")],
        ["Version", expect.any(String)],
        ["Price", expect.stringContaining(", extended ")],
        ["Published", anyTime],
        ["Purchases", "2"],
        ["Sites each", "any number"],
      ],
    ])
    const { type: _, ...members } = item("elif", 2, { hidden: true })
    expect(await pazarJson(["item", "show", "2"])).toEqual({
      ...members,
      author_suspended: false,
      purchases: 1,
      site_limit: { sites: null, licences: [] },
    })
  })

  test("refuses an unknown item, and what is no number", async () => {
    expect(await pazar(["item", "show", "99"])).toEqual(refused("there is no item 99"))
    expect((await pazar(["item", "show", "9007199254740993"])).status).toBe(2)
    expect((await pazar(["item", "show", "1e3"])).status).toBe(2)
  })
})

describe("purchase show", () => {
  test("shows whose it is, of which item, and whether it is valid", async () => {
    const { status, stdout } = await pazar(["purchase", "show", code])
    expect([status, cellsOf(stdout)]).toEqual([
      0,
      [
        ["Code", code],
        ["State", "valid"],
        ["Feed says", "valid"],
        ["Operator says", "nothing"],
        ["Author", "elif"],
        ["Item", "1 Tema\ufffd[2J"],
        ["License", "Regular"],
        ["Price", expect.stringMatching(/^[\d.]+ USD$/)],
        ["Sold", anyTime],
        ["Supported until", expect.any(String)],
        ["Downloaded", "no"],
        ["Buyer", "not known"],
        ["Last asked for", "no call noted yet"],
      ],
    ])
  })

  test("--json has the members of the feed, the author and the item's name", async () => {
    const { type: _, ...members } = purchase("refunded", 2, { revoked: true, buyer: "İpek" })
    expect(await pazarJson(["purchase", "show", "refunded"])).toEqual({
      ...members,
      author: "elif",
      author_suspended: false,
      item_name: item("elif", 2).name,
      revoked_by_feed: true,
      revoked_by_operator: false,
      sites: [],
    })
  })

  test("says what the feed and what an operator says", async () => {
    const { purchases } = program.app.store
    await purchases.setRevokedByOperator(code, true)
    const { stdout } = await pazar(["purchase", "show", code])
    const object = await pazarJson(["purchase", "show", code])
    await purchases.setRevokedByOperator(code, false)
    expect(cellsOf(stdout).slice(1, 4)).toEqual([
      ["State", "revoked"],
      ["Feed says", "valid"],
      ["Operator says", "revoked"],
    ])
    expect(object).toMatchObject({
      revoked: true,
      revoked_by_feed: false,
      revoked_by_operator: true,
    })
  })

  test("reads a code as the API does", async () => {
    const pasted = ` ${code.toUpperCase().replaceAll("-", "\u2013")}\u200b\n`
    expect((await pazarJson(["purchase", "show", pasted])).purchase_code).toBe(code)
    expect((await pazarJson(["purchase", "show", "same-1"])).author).toBe("deniz")
    expect(await pazar(["purchase", "show", "SAME-1"])).toEqual(
      refused("these codes differ only in case, name one of them: Same-1, same-1"),
    )
  })

  test("says that the author is suspended", async () => {
    const { accounts } = program.app.store
    const { id } = await requireAccount(accounts, "deniz")
    await accounts.setSuspended(id, true)
    const [sale, product] = [
      cellsOf((await pazar(["purchase", "show", "same-1"])).stdout),
      cellsOf((await pazar(["item", "show", "3"])).stdout),
    ]
    await accounts.setSuspended(id, false)
    expect([sale[4], product[2]]).toEqual([
      ["Author", "deniz (suspended)"],
      ["Author", "deniz (suspended)"],
    ])
  })

  test("says why there is none", async () => {
    const cases = [
      ["nobody-bought-it", "there is no purchase nobody-bought-it"],
      ["test-regular", "test-regular is a test code: only test keys know it"],
      [" ", "this cannot be a purchase code: 1 to 255 characters of text are needed"],
      ["x".repeat(256), "this cannot be a purchase code: 1 to 255 characters of text are needed"],
    ] as const
    for (const [typed, message] of cases) {
      expect(await pazar(["purchase", "show", typed])).toEqual(refused(message))
    }
  })
})

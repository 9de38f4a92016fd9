import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { findOrCreateOwner } from "../../src/people/sign-in-operations.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { cellsOf, runInProcess } from "../harness/run-in-process.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram()
  await program.load([account("ada"), account("cem", { suspended: true }), account("elif")])
  await givePassword(program, "ada")
})
afterAll(() => program.close())

const run = (...args: readonly string[]) =>
  runInProcess(program.folder, args, {
    env: { PAZAR_PUBLIC_URL: "https://api.example.com" },
  })
const pazar = (...args: readonly string[]) => run("account", ...args)
const rejection = (name: string) => ({
  status: 1,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^pazar: .*${name}.*\n$`)),
})

test("person second-factor shows whether two-factor authentication is enabled, and removes it", async () => {
  const { twoFactor, passkeys, audit } = program.app.store
  const pazar = (...args: readonly string[]) => run("person", ...args)
  const author = await requireAccount(program.app.store.accounts, "elif")
  const { id } = await findOrCreateOwner({ ...program.app.store, now: program.app.now }, author)
  const success = { status: 0, stdout: "", stderr: expect.stringMatching(/^.*\belif\b.*\n$/) }
  const off = await pazar("second-factor", "elif")
  expect(off).toEqual(success)
  await twoFactor.put(id, "", {
    encrypted: new Uint8Array([1]),
    usedStep: 0,
    recoveryDigests: [new Uint8Array([2])],
  })
  const key = { publicKey: new Uint8Array([1]), algorithm: -8, counter: 0 }
  const times = { createdAt: "2026-06-01T08:00:00Z", lastUsedAt: null }
  await passkeys.insert({ id: "p", personId: id, name: "Phone", ...key, ...times })
  const { stdout } = await pazar("second-factor", "elif", "--json")
  expect(JSON.parse(stdout)).toEqual({ name: "elif", second_factor: true, passkeys: 1 })
  expect((await pazar("second-factor", "elif")).stderr).not.toBe(off.stderr)
  const listed = JSON.parse((await pazar("list", "--json")).stdout)
  const state = { name: "elif", totp: true, passkeys: 1 }
  expect(listed).toContainEqual(expect.objectContaining(state))
  expect(await pazar("second-factor", "elif", "--remove")).toEqual(success)
  expect(await passkeys.list(id)).toEqual([])
  expect([await twoFactor.find(id), await twoFactor.countRecoveryCodes(id)]).toEqual([null, 0])
  const events = await audit.list({ accountId: null, kind: "person" }, null, 2)
  expect(events.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ["passkey_removed", "command"],
    ["second_factor_off", "command"],
  ])
  expect(await pazar("second-factor", "nobody")).toEqual(rejection("nobody"))
})

describe("account suspend and resume", () => {
  test("take effect in the running server, account show and account list", async () => {
    const canSignIn = async () => (await openVisitor(program.url).signIn("ada")).status === 303
    const success = { status: 0, stdout: "", stderr: expect.stringMatching(/^.* ada\n$/) }
    const statesOf = async (username: string) =>
      cellsOf((await pazar("show", username)).stdout)
        .slice(-3)
        .map(([, value]) => value)
    const active = await statesOf("ada")
    expect(await pazar("suspend", "ada", "--reason", "Resold codes")).toEqual(success)
    expect(await pazar("suspend", "ada")).toEqual(success)
    const { accounts, audit } = program.app.store
    const { id } = await requireAccount(accounts, "ada")
    const [event] = await audit.list({ accountId: id, kind: "account" }, null, 1)
    expect([event?.action, event?.note]).toEqual(["suspended", "Resold codes"])
    expect((await pazar("suspend", "ada", "--reason", "x".repeat(501))).status).toBe(2)
    expect(await canSignIn()).toBe(false)
    const [byOperator, byFeed] = [await statesOf("ada"), await statesOf("cem")]
    expect(byOperator[0]).not.toBe(active[0])
    expect(byFeed).toEqual([byOperator[0], byOperator[2], byOperator[1]])
    const cells = cellsOf((await pazar("list")).stdout)
    expect(cells.map((row) => [row[0], row[4]]).slice(1)).toEqual([
      ["ada", byOperator[0]],
      ["cem", byOperator[0]],
      ["elif", undefined],
    ])
    expect(JSON.parse((await pazar("show", "ada", "--json")).stdout)).toMatchObject({
      suspended: true,
      suspended_by_feed: false,
      suspended_by_operator: true,
    })
    expect(await pazar("resume", "ada")).toEqual(success)
    expect(await canSignIn()).toBe(true)
  })

  test("resume reports that a feed had suspended the account", async () => {
    const stderr = expect.stringMatching(/^.* cem\n.+\n$/)
    expect(await pazar("resume", "cem")).toEqual({ status: 0, stdout: "", stderr })
    await pazar("suspend", "cem")
  })

  test.each([
    ["suspend", true],
    ["resume", false],
  ])("%s --json prints only the state", async (command, suspended) => {
    const { status, stdout, stderr } = await pazar(command, "ada", "--json")
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect(stdout).toBe(`{"username":"ada","suspended":${suspended}}\n`)
  })

  test.each(["suspend", "resume", "invite"])(
    "exit 1: %s of an unknown account",
    async (command) => {
      expect(await pazar(command, "nobody")).toEqual(rejection("nobody"))
    },
  )
})

describe("account invite --all", () => {
  const invitedSql = `SELECT actor_kind, subject_id AS subject, CAST(count AS integer) AS count FROM audit_events
    WHERE action = 'invited' ORDER BY id`

  test("--json prints a working link for every author who is not suspended", async () => {
    const { status, stdout, stderr } = await pazar("invite", "--all", "--json")
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    const lines = stdout.split("\n").slice(0, -1)
    const links = lines.map((line) => JSON.parse(line))
    expect(links).toEqual(
      ["ada", "elif"].map((username) => ({
        username,
        email: `${username}@example.com`,
        url: expect.stringMatching(/^https:\/\/api\.example\.com\/invite\/[\w-]{43}$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      })),
    )
    for (const { url, expires_at } of links) {
      expect((Date.parse(expires_at) - Date.now()) / 86_400_000).toBeWithin(6.99, 7.01)
      expect((await openVisitor(program.url).get(new URL(url).pathname)).status).toBe(200)
    }
  })

  test("--without-password leaves out authors with a password; without --json it is a table", async () => {
    const args = ["invite", "--all", "--without-password"]
    const { stdout } = await pazar(...args)
    const rows = stdout.split("\n").map((line) => line.split(/ {2,}/))
    expect(rows.slice(1)).toEqual([
      ["elif", expect.any(String), expect.stringMatching(/^https:.*\/invite\/[\w-]{43}$/)],
      [""],
    ])
    await givePassword(program, "elif")
    expect(await pazar(...args)).toEqual({
      status: 0,
      stdout: "",
      stderr: expect.stringMatching(/^.+\n$/),
    })
  })

  test("cannot be combined with a username; a suspended account is rejected", async () => {
    expect(await pazar("invite", "cem")).toEqual(rejection("cem"))
    const named = {
      "--all": ["ada", "--all"],
      "--without-password": ["ada", "--without-password"],
      USERNAME: [],
    }
    for (const [name, args] of Object.entries(named)) {
      const { status, stdout, stderr } = await pazar("invite", ...args)
      expect([status, stdout]).toEqual([2, ""])
      expect(stderr.split("\n")[0]).toContain(name)
    }
  })

  test("covers more accounts than one page has, each once", async () => {
    const names = Array.from({ length: 501 }, (_, index) => `author-${index}`)
    await program.load(names.map((name) => account(name)))
    const { stdout } = await pazar("invite", "--all", "--json")
    const invited = stdout.split("\n").slice(0, -1)
    const usernames = invited.map((line) => JSON.parse(line).username)
    expect(usernames.join()).toBe([...names, "ada", "elif"].toSorted().join())
  })

  test("in a pipe, neither invite --all nor account list repeats the header", async () => {
    for (const args of [["invite", "--all"], ["list"]]) {
      const lines = (await pazar(...args)).stdout.split("\n")
      expect(lines.filter((line) => line.startsWith("USERNAME"))).toHaveLength(1)
      expect(lines.length).toBeGreaterThan(503)
    }
  })

  test("is one audit entry with the number of invited authors", async () => {
    await queryStore(program, "DELETE FROM audit_events")
    await pazar("invite", "--all")
    expect(await queryStore<object>(program, invitedSql)).toEqual([
      { actor_kind: "command", subject: "", count: 503 },
    ])
  })
})

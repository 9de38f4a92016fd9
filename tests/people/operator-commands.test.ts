import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { runInProcess } from "../harness/run-in-process.ts"
import { createStoreFolder } from "../harness/run-pazar.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

const password = "kiraz bülbül pencere"

let folder: string
beforeAll(async () => {
  folder = await createStoreFolder()
})
afterAll(() => rmSync(folder, { recursive: true }))

const pazar = (args: string, input = "") => runInProcess(folder, args.split(" "), { input })
const list = async () => JSON.parse((await pazar("operator list --json")).stdout)
const rejection = (name: string) => ({
  status: 1,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^pazar: .*${name}.*\n$`)),
})

test("an operator is created, listed, gets another password and is removed", async () => {
  expect((await pazar("operator list")).stderr).toContain("pazar operator create NAME")
  expect(await pazar("operator create deniz", `${password}\n`)).toEqual({
    status: 0,
    stdout: "",
    stderr: expect.stringMatching(/^.*\bdeniz\b.*\n$/),
  })
  expect(await list()).toEqual([
    {
      name: "deniz",
      email: null,
      role: "admin",
      created_at: expect.any(String),
      password: true,
      totp: false,
      last_seen_at: null,
    },
  ])
  expect((await pazar("operator list")).stdout).toMatch(/^.+\ndeniz .+\n$/)
  const stored = () =>
    queryStore<{ hash: string }>({ folder }, "SELECT password_hash AS hash FROM people")
  const [before] = await stored()
  // A last admin cannot be removed.
  await pazar("operator create yedek", `${password}\n`)
  expect((await pazar("operator password DENIZ", "another one entirely")).status).toBe(0)
  expect(before?.hash).toMatch(/^\$argon2id\$/)
  expect((await stored())[0]).not.toEqual({ hash: before?.hash ?? "" })
  expect((await pazar("operator remove deniz --json")).stdout).toBe('{"name":"deniz"}\n')
  expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["yedek"])
})

test("an operator is created with a role, which a command changes; the last admin keeps it", async () => {
  const roles = async () =>
    (await list()).map(({ name, role }: { name: string; role: string }) => [name, role])
  expect((await pazar("operator create gul --role viewer", password)).status).toBe(0)
  expect(await roles()).toEqual([
    ["gul", "viewer"],
    ["yedek", "admin"],
  ])
  expect((await pazar("operator role gul support --json")).stdout).toBe(
    '{"name":"gul","role":"support"}\n',
  )
  expect((await pazar("operator list")).stdout).toMatch(/^gul +support /m)
  expect(await pazar("operator role yedek viewer")).toEqual(rejection("yedek is the last admin"))
  expect(await pazar("operator remove yedek")).toEqual(rejection("yedek is the last admin"))
  expect(await pazar("operator role gul owner")).toEqual(rejection("owner.*admin, support, viewer"))
  expect((await pazar("operator create ayla --role owner --link")).status).toBe(2)
  expect(await roles()).toEqual([
    ["gul", "support"],
    ["yedek", "admin"],
  ])
  expect((await pazar("operator remove gul")).status).toBe(0)
})

test("--link prints a link and reads no password; the operator is invited", async () => {
  const { stdout } = await pazar("operator create cem --link --role support")
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:8080\/invite\/[\w-]{43}\n$/)
  const invited = { name: "cem", role: "support", password: false, created_at: null }
  expect(await list()).toContainEqual(expect.objectContaining(invited))
  expect((await pazar("operator list")).stdout).toMatch(/^cem +support +invited /m)
  expect(await pazar("operator password cem --link")).toEqual(rejection("cem"))
  expect((await pazar("operator remove CEM")).status).toBe(0)
  expect(await list()).not.toContainEqual(expect.objectContaining(invited))
  await pazar("operator create cem", password)
  const again = JSON.parse((await pazar("operator password cem --link --json")).stdout)
  expect(again).toEqual({
    name: "cem",
    url: expect.stringMatching(/:8080\/invite\//),
    expires_at: expect.any(String),
  })
})

test("a link without a known server URL is printed with a warning", async () => {
  const warning = (url: string) =>
    expect.stringMatching(new RegExp(`^.*${RegExp.escape(url)}\\b.*PAZAR_PUBLIC_URL.*\n.+\n$`))
  const args = ["operator", "password", "cem", "--link"]
  const guessed = await runInProcess(folder, args)
  expect(guessed.stderr).toEqual(warning("http://127.0.0.1:8080"))
  expect(guessed.stdout).toStartWith("http://127.0.0.1:8080/invite/")
  const invited = await runInProcess(folder, ["account", "invite", "--all"])
  expect(invited.stderr).toEqual(warning("http://127.0.0.1:8080"))
  const elsewhere = await runInProcess(folder, args, { env: { HOST: "::1", PORT: "9090" } })
  expect(elsewhere.stderr).toEqual(warning("http://[::1]:9090"))
  const env = { PAZAR_PUBLIC_URL: "https://api.example.com" }
  const set = await runInProcess(folder, args, { env })
  expect(set.stderr).toMatch(/^.*\bcem\b.*\n$/)
  expect(set.stdout).toStartWith("https://api.example.com/invite/")
})

test("a rejected command says why, and changes nothing", async () => {
  const before = await list()
  expect(await pazar("operator create CEM", password)).toEqual(rejection("CEM"))
  expect(await pazar("operator create ada", "short")).toEqual(rejection("12 .*256"))
  expect(await pazar("operator create kilimanjaro", "kilimanjaro")).toEqual(rejection(""))
  expect(await pazar("operator create \t", password)).toEqual(rejection("255"))
  expect(await pazar("operator password none", password)).toEqual(rejection("none"))
  expect(await pazar("operator remove none")).toEqual(rejection("none"))
  expect(await list()).toEqual(before)
})

test("each change is in the audit log", async () => {
  const rows = await queryStore<{ event: string }>(
    { folder },
    "SELECT actor_kind || ' ' || action || ' ' || subject_id AS event FROM audit_events ORDER BY id",
  )
  expect(rows.map(({ event }) => event)).toEqual([
    ...["command role_admin deniz", "command role_admin yedek", "command password deniz"],
    ...["command removed deniz", "command role_viewer gul", "command role_support gul"],
    ...["command removed gul", "command invited cem", "command removed CEM"],
    ...["command role_admin cem", ...Array(4).fill("command invited cem")],
  ])
})

test("--link with --remove-totp ends password, two-factor authentication and identities immediately; --link alone keeps them", async () => {
  await pazar("operator create ece", `${password}\n`)
  const identities = () => queryStore({ folder }, "SELECT subject FROM identities")
  await queryStore(
    { folder },
    "INSERT INTO identities SELECT 'https://id.example.com', '7', id FROM people WHERE name = 'ece'",
  )
  const hasPassword = async () =>
    (await list()).find(({ name }: { name: string }) => name === "ece").password
  const works = async () => {
    const sql = "SELECT password_hash AS hash FROM people WHERE name = 'ece'"
    const [row] = await queryStore<{ hash: string | null }>({ folder }, sql)
    return row !== undefined && row.hash !== null && Bun.password.verify(password, row.hash)
  }
  await pazar("operator password ece --link")
  expect([await works(), await hasPassword()]).toEqual([true, true])
  expect(await identities()).toHaveLength(1)
  expect((await pazar("operator password ece --link --remove-totp")).stdout).toContain("/invite/")
  expect([await works(), await hasPassword()]).toEqual([false, false])
  expect(await identities()).toEqual([])
})

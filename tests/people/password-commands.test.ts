import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import type { Environment } from "../../src/platform/cli/command.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { account, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import {
  createStoreFolder,
  type RunningServer,
  runPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { queryStore, storeText } from "../harness/stores/stored-rows.ts"

const password = "nar bülbül pencere 🦜"

let folder: string
let server: RunningServer
beforeAll(async () => {
  folder = await createStoreFolder()
  const input = toFeed([account("elif"), account("deniz"), account("ada")])
  expect((await runPazar(folder, ["import", "-"], { input })).status).toBe(0)
  server = await startServer(folder)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const setPassword = (username: string, input: string | Uint8Array) =>
  runInProcess(folder, ["account", "password", username], { input })
const isSet = (username: string) => ({
  status: 0,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^.*\\b${username}\\b.*\n$`)),
})
const rejection = (name: string) => ({
  status: 1,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^pazar: .*${name}.*\n$`)),
})
const tooShort = rejection("12 .*256")
const invite = (username: string, env: Environment = {}, ...args: readonly string[]) =>
  runInProcess(folder, ["account", "invite", username, ...args], { env })
const visit = () => openVisitor(server.url, {}, retryingFetch)
const canSignIn = async (name: string, password: string) =>
  (await visit().signIn(name, password)).status === 303

describe("account password", () => {
  test("sets the password from standard input, and the running server accepts it", async () => {
    expect(await setPassword("elif", password)).toEqual(isSet("elif"))
    expect([await canSignIn("elif", password), await canSignIn("deniz", password)]).toEqual([
      true,
      false,
    ])
  })

  const inputs: readonly (readonly [how: string, input: string | Uint8Array])[] = [
    ["with a line break", `${password}\n`],
    ["with a line break of Windows", `${password}\r\n`],
    ["with more lines behind it", `${password}\nsomething else\n`],
    ["with a byte order mark", new TextEncoder().encode(`\ufeff${password}\n`)],
  ]
  test.each(inputs)("reads the first line, %s", async (_, input) => {
    expect(await setPassword("elif", input)).toEqual(isSet("elif"))
    expect(await canSignIn("elif", password)).toBe(true)
  })

  test("keeps leading and trailing whitespace, which is part of a password", async () => {
    const padded = `  ${password}  `
    expect(await setPassword("ada", `${padded}\n`)).toEqual(isSet("ada"))
    expect([await canSignIn("ada", padded), await canSignIn("ada", password)]).toEqual([
      true,
      false,
    ])
  })

  test("exit 1: a password that is too short or too long is rejected; the old one stays valid", async () => {
    await setPassword("elif", password)
    for (const input of ["", "\n", "123456789", `123456789\n${password}`, "x".repeat(257)]) {
      expect(await setPassword("elif", input)).toEqual(tooShort)
    }
    expect(await canSignIn("elif", password)).toBe(true)
  })

  test("exit 1: a common password and the account's own name are rejected", async () => {
    await setPassword("elif", password)
    for (const typed of ["123456789012", "Fenerbahçe1907\n", "Elif@example.com"]) {
      expect(await setPassword("elif", typed)).toEqual(rejection(""))
    }
    expect(await canSignIn("elif", password)).toBe(true)
  })

  test("ends every session of the account immediately, and no other account's", async () => {
    await setPassword("elif", password)
    await setPassword("deniz", password)
    const [elif, deniz] = [visit(), visit()]
    await elif.signIn("elif", password)
    await deniz.signIn("deniz", password)
    const statuses = async () => [
      (await elif.get("/workspace/elif")).status,
      (await deniz.get("/workspace/deniz")).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    await setPassword("elif", "an entirely new one")
    expect(await statuses()).toEqual([303, 200])
    expect(await canSignIn("elif", password)).toBe(false)
  })

  test("invalidates an open invitation", async () => {
    const { stdout } = await invite("elif")
    await setPassword("elif", password)
    expect((await visit().get(new URL(stdout).pathname)).status).toBe(404)
  })

  test("the password is not in the database, the log or the output", async () => {
    const { stdout, stderr } = await setPassword("elif", password)
    expect(await canSignIn("elif", password)).toBe(true)
    const stored = await storeText({ folder })
    expect(stdout + stderr + server.stderr() + stored).not.toContain(password)
    expect(stored).toContain("$argon2id$v=19$m=19456,t=2")
  })
})

describe("account invite", () => {
  const anyLink = (origin: string) =>
    expect.stringMatching(new RegExp(`^${origin.replace(/[[\].]/g, "\\$&")}/invite/[\\w-]{43}\n$`))

  const origins: readonly (readonly [env: Environment, origin: string | null])[] = [
    [{}, null],
    [{ HOST: "0.0.0.0", PORT: "9090" }, null],
    [{ PAZAR_PUBLIC_URL: "https://api.example.com" }, "https://api.example.com"],
    [{ PAZAR_PUBLIC_URL: "https://api.example.com:8443/" }, "https://api.example.com:8443"],
  ]
  test.each(origins)(
    "with %j prints only a link, to %p or the running server",
    async (env, origin) => {
      const { status, stdout, stderr } = await invite("elif", env)
      const link = anyLink(origin ?? server.url)
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: link, stderr: "" })
    },
  )

  test("--json prints one object with the account and the link", async () => {
    const env = { PAZAR_PUBLIC_URL: "https://api.example.com" }
    const { status, stdout, stderr } = await invite("elif", env, "--json")
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect(JSON.parse(stdout)).toEqual({
      username: "elif",
      email: "elif@example.com",
      url: expect.stringMatching(/^https:\/\/api\.example\.com\/invite\/[\w-]{43}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    })
    expect(stdout.endsWith("}\n")).toBe(true)
  })

  test("--role and --email invite a person to the team, by a link that gives the role", async () => {
    const member = ["--role", "developer", "--email", "bora@example.com"]
    const { status, stdout, stderr } = await invite("elif", {}, ...member)
    expect({ status, stdout, stderr }).toEqual({
      ...{ status: 0, stdout: anyLink(server.url), stderr: "" },
    })
    const visitor = visit()
    const path = new URL(stdout.trim()).pathname
    const chosen = "armut kiraz bülbül"
    const form = { name: "bora", password: chosen, repeat: chosen }
    expect((await visitor.submit(path, form, path)).status).toBe(303)
    expect((await visitor.get("/workspace/elif/settings/keys")).status).toBe(200)
    expect(JSON.parse((await invite("elif", {}, ...member, "--json")).stdout)).toEqual({
      ...{ username: "elif", email: "bora@example.com" },
      ...{ url: expect.stringContaining("/invite/"), expires_at: expect.any(String) },
    })
  })

  test.each([
    ["elif --role developer", 2, "--role and --email need each other"],
    ["elif --email bora@example.com", 2, "--role and --email need each other"],
    ["elif --role admin --email bora@example.com", 2, "--role must be one of owner, developer"],
    ["--all --role owner --email bora@example.com", 2, "omit --all"],
    ["elif --role support --email bora", 1, "bora is not an e-mail address"],
    ["nobody --role support --email bora@example.com", 1, "nobody"],
  ])("%s: exit %d, %s", async (args, exit, problem) => {
    const [first = "", ...others] = args.split(" ")
    const { status, stdout, stderr } = await invite(first, {}, ...others)
    expect([status, stdout, stderr]).toEqual([exit, "", expect.stringContaining(problem)])
  })

  test("never prints the same link twice, and does not store it", async () => {
    const links = [(await invite("elif")).stdout, (await invite("elif")).stdout]
    expect(new Set(links).size).toBe(2)
    const stored = await storeText({ folder })
    const tokens = links.map((link) => link.trim().split("/").at(-1) ?? "")
    expect(tokens.filter((token) => stored.includes(token))).toEqual([])
  })

  test("the link sets a password and signs in, once", async () => {
    const { pathname } = new URL((await invite("deniz", { PORT: "1" })).stdout)
    const chosen = { password: "chosen by deniz", repeat: "chosen by deniz" }
    const [first, second] = [visit(), visit()]
    const secondToken = await second.formToken(pathname)
    const entered = await first.submit(pathname, chosen, pathname)
    expect([entered.status, entered.location]).toEqual([303, "/workspace?done=welcome"])
    expect((await first.get("/workspace/deniz")).status).toBe(200)
    const stolen = { password: "chosen by another", repeat: "chosen by another" }
    const late = await second.post(pathname, { ...stolen, form_token: secondToken })
    expect([late.status, (await second.get(pathname)).status]).toEqual([404, 404])
    expect([
      await canSignIn("deniz", "chosen by deniz"),
      await canSignIn("deniz", "chosen by another"),
    ]).toEqual([true, false])
  })

  test("the link expires after seven days", async () => {
    const { pathname } = new URL((await invite("elif")).stdout)
    const visitor = visit()
    expect((await visitor.get(pathname)).status).toBe(200)
    const sql = "SELECT max(expires_at) AS at FROM invitations"
    const [ends] = await queryStore<{ at: string }>({ folder }, sql)
    const days = (Date.parse(ends?.at ?? "") - Date.now()) / 86_400_000
    expect(days).toBeWithin(6.99, 7.01)
    // The clock of another process cannot be changed, so the test changes the stored time.
    const now = new Date().toISOString()
    await queryStore({ folder }, "UPDATE invitations SET expires_at = ?", now)
    expect((await visitor.get(pathname)).status).toBe(404)
  })

  test("keeps the password and the sessions until the link is used", async () => {
    await setPassword("elif", password)
    const visitor = visit()
    await visitor.signIn("elif", password)
    await invite("elif")
    expect((await visitor.get("/workspace/elif")).status).toBe(200)
    expect(await canSignIn("elif", password)).toBe(true)
  })
})

describe("usage errors", () => {
  test.each(["password", "invite"])("exit 1: account %s of an unknown account", async (command) => {
    const outcome = await runInProcess(folder, ["account", command, "nobody"], {
      input: password,
    })
    expect(outcome).toEqual(rejection("nobody"))
  })

  test.each([
    [["account", "password"], "USERNAME"],
    [["account", "password", "elif", password], JSON.stringify(password)],
    [["account", "invite"], "--all"],
    [["account", "invite", "elif", "deniz"], '"deniz"'],
  ])("exit 2: %j prints the usage", async (args, name) => {
    const { status, stdout, stderr } = await runInProcess(folder, args, { input: password })
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toMatch(/^pazar: .+; .+\n$/)
    expect(stderr).toContain(name)
  })
})

describe("invalid settings", () => {
  const named = (variable: string, text: string) =>
    expect.stringMatching(new RegExp(`^- ${variable} .*"${RegExp.escape(text)}"$`))

  test("exit 2: all are named together, before anything is printed or stored", async () => {
    const env = {
      PAZAR_PUBLIC_URL: "https://example.com/shop",
      PAZAR_TRUSTED_PROXIES: "10.0.0.0/8, proxy.local, 10.0.0.0/33,::1/129, 1.2.3.4/",
    }
    const ipRanges = ["proxy.local", "10.0.0.0/33", "::1/129", "1.2.3.4/"]
    const { status, stdout, stderr } = await invite("elif", env)
    expect({
      status,
      stdout,
      problems: stderr.split("\n").filter((line) => line.startsWith("- ")),
    }).toEqual({
      status: 2,
      stdout: "",
      problems: [
        named("PAZAR_PUBLIC_URL", "https://example.com/shop"),
        ...ipRanges.map((ipRange) => named("PAZAR_TRUSTED_PROXIES", ipRange)),
      ],
    })
  })

  test.each(["api.example.com", "ftp://example.com", "https://example.com/?a", "https://"])(
    "PAZAR_PUBLIC_URL=%s prevents the server from starting",
    async (url) => {
      const env = { PAZAR_PUBLIC_URL: url, PORT: "0" }
      const { status, stdout, stderr } = await runPazar(folder, ["serve"], { env })
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
      expect(stderr.trimEnd().split("\n").at(-1)).toEqual(named("PAZAR_PUBLIC_URL", url))
    },
  )
})

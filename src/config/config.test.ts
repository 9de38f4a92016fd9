import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { temporaryFolder } from "../../tests/harness/program.ts"
import type { Environment } from "../platform/cli/command.ts"
import { explainOpening } from "../platform/database/postgres.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { ConfigError, readConfig } from "./config.ts"

const master = Buffer.alloc(32, 7).toString("base64")
const token = "0123456789abcdefghijklmnopqrstuv"

test("defaults: loopback, port 8080, database and key in data", () => {
  const path = resolve("data/pazar.db")
  expect(readConfig({})).toEqual({
    host: "127.0.0.1",
    port: 8080,
    threads: availableParallelism(),
    store: { kind: "sqlite", path },
    masterKey: { from: "made", path: `${path}.master-key` },
    previousMasterKey: null,
    siteLocale: "en",
    siteName: "Pazar",
    supportUrl: null,
    signInUrl: null,
    mailServer: null,
    identityProvider: null,
    backupFolder: null,
    operatorToken: null,
    metricsToken: null,
    downloadSecret: null,
    publicUrl: null,
    trustedProxies: [],
    webhookIpRanges: [],
    webhookReceiver: null,
    failedValidationsMax: 60,
    receiptDays: 14,
    idleSeconds: 10,
    passwordCost: { memoryCost: 19_456, timeCost: 2 },
    pictures: {},
    logLevel: "info",
    settings: expect.any(Array),
  })
})

test("every setting is read; an empty one counts as unset", () => {
  const config = readConfig({
    HOST: "0.0.0.0",
    PORT: "0",
    PAZAR_THREADS: "3",
    DATABASE_URL: "sqlite:///var/lib/pazar/a.db",
    PAZAR_MASTER_KEY: master,
    PAZAR_MASTER_KEY_FILE: " ",
    PAZAR_LOCALE: "tr",
    PAZAR_SITE_NAME: " Çarşı & Co ",
    PAZAR_SMTP_URL: "smtp://shop%40example.com:p%2Fss@mail.example.com",
    PAZAR_SUPPORT_URL: "https://example.com/support",
    PAZAR_SIGN_IN_URL: "https://example.com/login?to=api",
    PAZAR_OIDC_ISSUER: "https://id.example.com",
    PAZAR_OIDC_CLIENT_ID: "pazar",
    PAZAR_OIDC_CLIENT_SECRET: "hunter2",
    PAZAR_OIDC_ACCOUNT_CLAIM: "preferred_username",
    PAZAR_BACKUP_DIR: tmpdir(),
    PAZAR_OPERATOR_TOKEN: token,
    PAZAR_METRICS_TOKEN: `${token}-2`,
    PAZAR_PUBLIC_URL: "https://api.example.com/",
    PAZAR_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
    PAZAR_WEBHOOK_NETWORKS: "10.1.0.0/16",
    PAZAR_RATE_LIMIT: "off",
    PAZAR_RECEIPT_DAYS: "30",
    LOG_LEVEL: "warn",
  })
  expect(config).toEqual({
    host: "0.0.0.0",
    port: 0,
    threads: 3,
    store: { kind: "sqlite", path: "/var/lib/pazar/a.db" },
    masterKey: { from: "environment", key: new Uint8Array(32).fill(7) },
    previousMasterKey: null,
    siteLocale: "tr",
    siteName: "Çarşı & Co",
    supportUrl: "https://example.com/support",
    signInUrl: "https://example.com/login?to=api",
    mailServer: {
      host: "mail.example.com",
      port: 587,
      tls: "required",
      credentials: { user: "shop@example.com", password: "p/ss" },
      from: "shop@example.com",
    },
    identityProvider: {
      issuer: "https://id.example.com",
      clientId: "pazar",
      clientSecret: "hunter2",
      accountClaim: "preferred_username",
    },
    backupFolder: tmpdir(),
    operatorToken: token,
    metricsToken: `${token}-2`,
    downloadSecret: null,
    publicUrl: "https://api.example.com",
    trustedProxies: ["10.0.0.0/8", "::1"],
    webhookIpRanges: [{ address: "10.1.0.0", bits: 16, family: "ipv4" }],
    webhookReceiver: null,
    failedValidationsMax: null,
    receiptDays: 30,
    idleSeconds: 10,
    passwordCost: { memoryCost: 19_456, timeCost: 2 },
    pictures: {},
    logLevel: "warn",
    settings: expect.any(Array),
  })
})

describe("the mail server", () => {
  const from = { PAZAR_MAIL_FROM: "shop@example.com" }

  test.each([
    ["smtps://mail.example.com", { port: 465, tls: "immediate" }],
    ["smtp://mail.example.com:2525/", { port: 2_525, tls: "offered" }],
    ["smtp://localhost", { host: "localhost", port: 25, tls: "none" }],
    ["smtp://[2001:db8::1]", { host: "2001:db8::1", port: 587 }],
  ])("%s", (url, expected) => {
    const { mailServer } = readConfig({ PAZAR_SMTP_URL: url, ...from })
    expect(mailServer).toMatchObject({ credentials: null, from: "shop@example.com", ...expected })
  })

  test.each([
    "mail.example.com",
    "http://mail.example.com",
    "smtp://",
    "smtp://a:hunter2/x@mail.example.com",
    "smtp://a:hunter2%@mail.example.com",
    "smtp://a:hunter2@mail.example.com/x",
    "smtp://a:hunter2@mail.example.com?tls=no",
  ])("rejects %s without repeating a password", (url) => {
    const [problem = "", ...others] = problemsOf({ PAZAR_SMTP_URL: url, ...from })
    expect([problem.startsWith("PAZAR_SMTP_URL "), others]).toEqual([true, []])
    expect(problem).not.toContain("hunter2")
  })

  test("needs a sender, and the sender needs it", () => {
    const url = { PAZAR_SMTP_URL: "smtp://apikey:hunter2@mail.example.com" }
    const problems = [url, from, { ...url, PAZAR_MAIL_FROM: "a@b.com, c@d.com" }].map(problemsOf)
    expect(problems).toEqual([
      [expect.stringMatching(/^PAZAR_SMTP_URL needs PAZAR_MAIL_FROM/)],
      [expect.stringMatching(/^PAZAR_MAIL_FROM needs PAZAR_SMTP_URL/)],
      [expect.stringMatching(/^PAZAR_MAIL_FROM must be an e-mail address/)],
    ])
  })

  test("is shown without its password", () => {
    const { settings } = readConfig({
      PAZAR_SMTP_URL: "smtps://a%40b.com:hunter2@mail.example.com",
    })
    const shown = settings.filter(({ name }) => /SMTP|MAIL/.test(name))
    expect(shown.map(({ value }) => value)).toEqual(["mail.example.com:465", "a@b.com"])
  })
})

describe("the identity provider", () => {
  const client = { PAZAR_OIDC_CLIENT_ID: "pazar", PAZAR_OIDC_CLIENT_SECRET: "hunter2" }

  test.each([
    ["https://id.example.com/realms/shop", true],
    ["http://localhost:9000", true],
    ["http://127.0.0.1", true],
    ["http://[::1]:9000", true],
    ["http://id.example.com", false],
    ["http://localhost.example.com", false],
    ["id.example.com", false],
    ["javascript:alert(1)", false],
  ])("PAZAR_OIDC_ISSUER=%s", (issuer, isFine) => {
    const problem = expect.stringMatching(/^PAZAR_OIDC_ISSUER /)
    expect(problemsOf({ ...client, PAZAR_OIDC_ISSUER: issuer })).toEqual(isFine ? [] : [problem])
  })

  test("needs a client and its secret, which is not shown", () => {
    const all = { ...client, PAZAR_OIDC_ISSUER: "https://id.example.com" }
    for (const name of [...Object.keys(all), "PAZAR_OIDC_ACCOUNT_CLAIM"]) {
      const some = name in all ? { ...all, [name]: "" } : { [name]: "sub" }
      expect(problemsOf(some)).toEqual([expect.stringMatching(/^set all of PAZAR_OIDC_ISSUER/)])
    }
    expect(JSON.stringify(readConfig(all).settings)).not.toContain("hunter2")
  })
})

test("PostgreSQL requires a master key", () => {
  const url = "postgres://pazar:hunter2@db.example.com/pazar"
  expect(() => readConfig({ DATABASE_URL: url })).toThrow("PAZAR_MASTER_KEY")
  const folder = temporaryFolder()
  const path = join(folder, "key")
  const env = { DATABASE_URL: url, PAZAR_MASTER_KEY_FILE: path }
  writeFileSync(path, "short", { mode: 0o600 })
  expect(problemsOf({ ...env, PORT: "x" })).toEqual([
    expect.stringMatching(/^PORT /),
    expect.stringMatching(new RegExp(`^PAZAR_MASTER_KEY_FILE: .*${path}`)),
  ])
  writeFileSync(path, master)
  const previous = { PAZAR_MASTER_KEY_PREVIOUS: master }
  const { store, masterKey, previousMasterKey } = readConfig({ ...env, ...previous })
  rmSync(folder, { recursive: true })
  expect(store).toMatchObject({ kind: "postgres", url })
  expect(masterKey).toEqual({ from: "file", path })
  expect(previousMasterKey).toEqual({ from: "environment", key: new Uint8Array(32).fill(7) })
  expect(problemsOf(env)).toEqual([expect.stringMatching(/^PAZAR_MASTER_KEY_FILE: .*ENOENT/)])
})

test("a URL may name several hosts, and threads share the connections", () => {
  const url = "postgres://pazar:hunter2@one:5432,two:5432/pazar"
  const { store } = readConfig({ PAZAR_MASTER_KEY: master, DATABASE_URL: url, PAZAR_THREADS: "3" })
  expect(store).toEqual({ kind: "postgres", url, connectionsMax: 5 })
})

test.each([
  ["on", 60],
  ["off", null],
  ["600", 600],
])("PAZAR_RATE_LIMIT=%s", (PAZAR_RATE_LIMIT, expected) => {
  expect(readConfig({ PAZAR_RATE_LIMIT }).failedValidationsMax).toBe(expected)
})

test.each(["0", "-1", "1.5", "60/10m", "misses=60/10m", "reads=20/s burst 100, misses=off"])(
  "PAZAR_RATE_LIMIT=%s is reported with what to write",
  (PAZAR_RATE_LIMIT) => {
    expect(problemsOf({ PAZAR_RATE_LIMIT })).toEqual([
      expect.stringMatching(/^PAZAR_RATE_LIMIT .*; write 60 for 60 failed validations/),
    ])
  },
)

describe("a secret in a file", () => {
  let folder: string
  beforeAll(() => {
    folder = temporaryFolder()
    const files = {
      token: ` ${token}\n`,
      whitespace: " \n",
      short: "hunter2",
      url: "sqlite:/srv/shop.db\n",
      slip: "postgres://u:hunter2#@db/shop",
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)

  test("is read without surrounding whitespace", () => {
    const config = readConfig({
      PAZAR_OPERATOR_TOKEN_FILE: at("token"),
      PAZAR_METRICS_TOKEN_FILE: at("token"),
      DATABASE_URL_FILE: at("url"),
    })
    expect(config.operatorToken).toBe(token)
    expect(config.store).toMatchObject({ kind: "sqlite", path: "/srv/shop.db" })
  })

  test.each(["PAZAR_OPERATOR_TOKEN", "PAZAR_METRICS_TOKEN", "DATABASE_URL"])(
    "is a problem that names the file, never its content: %s",
    (name) => {
      const problemsWith = (env: Environment) => problemsOf({ ...env, [`${name}_FILE`]: env.at })
      const named = (file: string, code = "") =>
        expect.stringMatching(new RegExp(`^${name}_FILE: ${file} .*${code}`))
      expect(problemsWith({ at: at("gone") })).toContainEqual(named(at("gone"), "ENOENT"))
      expect(problemsWith({ at: folder })).toContainEqual(named(folder, "EISDIR"))
      expect(problemsWith({ at: at("whitespace") })).toContainEqual(named(at("whitespace")))
      expect(problemsWith({ at: at("token"), [name]: token })).toContainEqual(
        expect.stringMatching(new RegExp(`\\b${name} .*\\b${name}_FILE `)),
      )
      for (const file of ["short", "slip"]) {
        const problems = problemsWith({ at: at(file) })
        expect(problems.length).toBe(1)
        expect(problems.join()).not.toContain("hunter2")
      }
    },
  )
})

test.each(["PAZAR_OPERATOR_TOKEN", "PAZAR_METRICS_TOKEN"])(
  "%s has 32 characters or more",
  (name) => {
    expect(problemsOf({ [name]: token })).toEqual([])
    for (const wrong of [token.slice(1), `${token} ${token}`]) {
      expect(problemsOf({ [name]: wrong })).toEqual([expect.stringContaining(name)])
    }
  },
)

describe("a variable that is not a setting", () => {
  test.each([
    ["PAZAR_THREDS", "PAZAR_THREADS"],
    ["PAZAR_OPERATOR_TOKENFILE", "PAZAR_OPERATOR_TOKEN_FILE"],
    ["PAZAR_TRUSTED_PROXY", "PAZAR_TRUSTED_PROXIES"],
    ["PAZAR_", "docs/settings.md"],
    ["PAZAR_TEST_STORE", "docs/settings.md"],
    ["PAZAR_DATABASE_CONNECTIONS", "docs/settings.md"],
  ])("%s: %s", (name, hint) => {
    const problem = expect.stringMatching(new RegExp(`^${name}: .*${hint}`))
    expect(problemsOf({ [name]: "1" })).toEqual([problem])
    expect(problemsOf({ [name]: "" })).toEqual([problem])
  })

  test("PAZAR_PORT is unknown, unless Kubernetes set it", () => {
    expect(problemsOf({ PAZAR_PORT: "9090" })).toEqual([expect.stringMatching(/^PAZAR_PORT: /)])
    const links = {
      PAZAR_PORT: "tcp://10.0.0.7:80",
      PAZAR_PORT_80_TCP: "tcp://10.0.0.7:80",
      PAZAR_PORT_80_TCP_ADDR: "10.0.0.7",
      PAZAR_PORT_80_TCP_PORT: "80",
      PAZAR_PORT_80_TCP_PROTO: "tcp",
      PAZAR_SERVICE_HOST: "10.0.0.7",
      PAZAR_SERVICE_PORT: "80",
      PAZAR_SERVICE_PORT_HTTP: "80",
      PAZAR_POSTGRES_SERVICE_HOST: "10.0.0.8",
      PAZAR_POSTGRES_PORT: "tcp://10.0.0.8:5432",
    }
    expect(problemsOf(links)).toEqual([])
  })

  test("every setting is known", () => {
    const later = {
      PAZAR_METRICS_TOKEN: token,
      PAZAR_RATE_LIMIT: "off",
      PAZAR_SIGN_IN_URL: "https://shop.example.com/login",
      PAZAR_SITE_NAME: "Shop",
      PAZAR_SUPPORT_URL: "https://shop.example.com/help",
    }
    expect(problemsOf(later)).toEqual([])
  })

  test("variables of other programs are ignored", () => {
    expect(problemsOf({ PAZARLAMA: "1", MY_PAZAR_THREADS: "x", pazar_x: "1" })).toEqual([])
  })
})

describe("the password of a database", () => {
  const validUrl = "postgres://pazar:x@db.example.com:5433/shop"
  const errorFor = (url: string) => {
    const env = { DATABASE_URL: url, PAZAR_MASTER_KEY: master }
    const problems = problemsOf(env)
    if (problems.length > 0) return problems.join("; ")
    const { store } = readConfig(env)
    if (store.kind !== "postgres") throw new Error(`${store.kind} is another store`)
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
    const failure = new StoreUnavailable("no", { cause: refused })
    return explainOpening(failure, store.url).message
  }
  const [opening, problem] = [errorFor(validUrl), errorFor(validUrl.replace("x", "12345#PW"))]

  test("is never in a message", () => {
    expect(opening).toContain("db.example.com:5433")
    expect(problem).toStartWith("DATABASE_URL ")
    const character = fc.oneof(
      fc.constantFrom(..."@:/?#%[]\\ &=,1234567890"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.string({ unit: character }), (password) => {
        const reported = errorFor(validUrl.replace("x", () => password))
        if (reported !== problem) expect(reported).toBe(opening)
      }),
      { numRuns: propertyRuns(5_000) },
    )
  })

  test.each(["12345#PW", "12345/PW", "12345?PW", "a@b#c", "a@b?c", "a@b:99/c", "a@b,c"])(
    "%s",
    (password) => {
      expect(errorFor(validUrl.replace("x", password))).toBe(problem)
    },
  )

  test.each(["12345", "a@b", "a,b", "a:b", "%23", "a%b", ""])(
    "%s is written well enough",
    (password) => {
      expect(errorFor(validUrl.replace("x", password))).toBe(opening)
    },
  )
})

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe("problems", () => {
  const bad = {
    HOST: "http://0.0.0.0",
    PORT: "80a",
    PAZAR_THREADS: "0",
    DATABASE_URL: "mysql://root:hunter2@db/x",
    PAZAR_MASTER_KEY: "short",
    PAZAR_MASTER_KEY_FILE: "key",
    PAZAR_MASTER_KEY_PREVIOUS: "brief",
    PAZAR_LOCALE: "de",
    PAZAR_SITE_NAME: "x".repeat(41),
    PAZAR_SUPPORT_URL: "javascript:alert(1)",
    PAZAR_SIGN_IN_URL: "javascript:alert(1)",
    PAZAR_OPERATOR_TOKEN: "two words",
    PAZAR_PUBLIC_URL: "api.example.com",
    PAZAR_TRUSTED_PROXIES: "10.0.0.0/33",
    PAZAR_WEBHOOK_NETWORKS: "office",
    PAZAR_RECEIPT_DAYS: "0",
    LOG_LEVEL: "loud",
    PAZAR_SETTING: "none",
  }

  test("are reported together", () => {
    const problems = problemsOf(bad)
    for (const name of Object.keys(bad)) {
      expect(problems.filter((problem) => problem.includes(name))).not.toEqual([])
    }
    expect(() => readConfig(bad)).toThrow(`\n- ${problems.join("\n- ")}`)
  })

  test("never contain a secret", () => {
    for (const secret of ["hunter2", "short", "brief", "two words"])
      expect(problemsOf(bad).join()).not.toContain(secret)
  })

  test.each(["-1", "65536", "8080 ", "eighty", "1e3"])("PORT=%s", (port) => {
    const isFine = port.trim() === "8080"
    expect(problemsOf({ PORT: port }).length === 0).toBe(isFine)
  })

  test.each([
    ["Ağaç Pazarı", true],
    ["ş".repeat(40), true],
    ["ş".repeat(41), false],
    ["two\nlines", false],
  ])("PAZAR_SITE_NAME=%j", (name, isFine) => {
    const problem = expect.stringMatching(/^PAZAR_SITE_NAME /)
    expect(problemsOf({ PAZAR_SITE_NAME: name })).toEqual(isFine ? [] : [problem])
  })

  test.each([
    ["http://help.example.com", true],
    ["mailto:support@example.com", true],
    ["example.com/support", false],
    ["javascript:alert(1)", false],
    ["data:text/html,hello", false],
  ])("PAZAR_SUPPORT_URL=%s", (url, isFine) => {
    const problem = expect.stringMatching(/^PAZAR_SUPPORT_URL /)
    expect(problemsOf({ PAZAR_SUPPORT_URL: url })).toEqual(isFine ? [] : [problem])
  })

  test.each([
    ["http://localhost:3000/enter", true],
    ["https://example.com", true],
    ["example.com/login", false],
    ["mailto:login@example.com", false],
    ["javascript:alert(1)", false],
  ])("PAZAR_SIGN_IN_URL=%s", (url, isFine) => {
    const problem = expect.stringMatching(/^PAZAR_SIGN_IN_URL /)
    expect(problemsOf({ PAZAR_SIGN_IN_URL: url })).toEqual(isFine ? [] : [problem])
  })

  test.each([
    ["1", true],
    ["90", true],
    ["0", false],
    ["91", false],
    ["-1", false],
    ["1.5", false],
    ["14d", false],
  ])("PAZAR_RECEIPT_DAYS=%s", (days, isFine) => {
    const problem = expect.stringMatching(/^PAZAR_RECEIPT_DAYS /)
    expect(problemsOf({ PAZAR_RECEIPT_DAYS: days })).toEqual(isFine ? [] : [problem])
  })
})

import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type PullFile, type PullFileContext, PullFileError, parsePullFile } from "./pull-file.ts"

const files: Readonly<Record<string, string>> = {
  "items.sql": "SELECT id\nFROM products;\n",
  "ca.pem": "a certificate",
  "secret.txt": "p@ss w0rd\n",
  "url.txt": "mysql://shop:from%20file@db/shop\n",
}
const context: PullFileContext = {
  env: { SHOP_URL: "mysql://shop:s%40cret@db.example.com:3307/shop", PASSWORD: "from env" },
  readText: (path) => files[path] ?? null,
  resolvePath: (path) => `/etc/pazar/${path}`,
}
const parse = (file: unknown) => parsePullFile(JSON.stringify(file), context)

function problemsOf(file: unknown): readonly string[] {
  try {
    parse(file)
    return []
  } catch (error) {
    if (error instanceof PullFileError) return error.problems
    throw error
  }
}

const plain = { connection: "mysql://shop@db/shop", accounts: "SELECT username FROM users" }
const server = {
  dialect: "mysql",
  host: "db",
  port: 3306,
  user: "shop",
  password: "",
  database: "shop",
  socketPath: null,
  tls: null,
}

test("a file with every field", () => {
  const file = {
    name: "shop",
    connection: { url: "mysql://shop@db/shop", password_env: "PASSWORD" },
    base_url: "https://shop.example.com/",
    timezone: "Europe/Istanbul",
    timeout: "2m",
    overlap: "1h",
    strip_html: ["item.description", "account.profile.heading"],
    lists: { "item.tags": "|", "item.media.screenshots": "json" },
    accounts: ["SELECT username", "FROM users"],
    items: { file: "items.sql" },
    purchases: "SELECT code AS purchase_code FROM licences ; ",
  }
  const baseUrl = "https://shop.example.com/"
  expect(parse(file)).toEqual({
    name: "shop",
    connection: { ...server, password: "from env" } as PullFile["connection"],
    timeZone: "Europe/Istanbul",
    idleTimeoutMs: 120_000,
    overlapMs: 3_600_000,
    formats: {
      baseUrl,
      html: new Set(["item.description", "account.profile.heading"]),
      lists: new Map([
        ["item.tags", "|"],
        ["item.media.screenshots", "json"],
      ]),
    },
    selects: [
      { type: "account", sql: "SELECT username\nFROM users" },
      { type: "item", sql: "SELECT id\nFROM products" },
      { type: "purchase", sql: "SELECT code AS purchase_code FROM licences" },
    ],
  })
})

describe("connections", () => {
  const tls = { mode: "verify-full", authority: "a certificate" }
  test.each<[connection: unknown, expected: unknown]>([
    ["mysql://shop@db/shop", server],
    ["mariadb://db/my%20shop", { ...server, user: "", database: "my shop" }],
    ["postgres://shop@db/shop", { ...server, dialect: "postgres", port: 5432 }],
    [
      "postgresql://shop@[::1]:6000/shop",
      { ...server, dialect: "postgres", host: "::1", port: 6000 },
    ],
    ["sqlite:shop.db", { dialect: "sqlite", path: "/etc/pazar/shop.db" }],
    ["mysql://shop@db/shop?sslmode=verify-full&sslrootcert=ca.pem", { ...server, tls }],
    [
      "mysql://shop@db/shop?sslmode=require",
      { ...server, tls: { mode: "require", authority: null } },
    ],
    [
      "mysql://shop@localhost/shop?socket=/run/db.sock",
      { ...server, host: "localhost", socketPath: "/run/db.sock" },
    ],
    [
      { url_env: "SHOP_URL" },
      { ...server, host: "db.example.com", port: 3307, password: "s@cret" },
    ],
    [{ url_file: "url.txt" }, { ...server, password: "from file" }],
    [
      { url: "mysql://shop@db/shop", password_file: "secret.txt" },
      { ...server, password: "p@ss w0rd" },
    ],
    [
      { url_env: "SHOP_URL", password_env: "PASSWORD" },
      { ...server, host: "db.example.com", port: 3307, password: "from env" },
    ],
  ])("%j", (connection, expected) => {
    expect<unknown>(parse({ ...plain, connection }).connection).toEqual(expected)
  })
})

describe("is rejected", () => {
  test.each<[file: unknown, named: readonly RegExp[]]>([
    [[], [/JSON/]],
    [{ ...plain, connection: "mysql://shop:s3cret@db/shop" }, [/^connection: .*password_env/]],
    [
      { ...plain, connection: { url: "mysql://shop:s3cret@db/shop" } },
      [/^connection: .*password_env/],
    ],
    [
      { ...plain, connection: "mysql://shop@db/shop?password=s3cret" },
      [/^connection: .* password; .*sslmode/],
    ],
    [{ ...plain, connection: "shop" }, [/^connection: .*mysql:/]],
    [{ ...plain, connection: "oracle://db/shop" }, [/^connection: .*sqlite:/]],
    [{ ...plain, connection: "sqlite:" }, [/^connection: sqlite:/]],
    [{ ...plain, connection: { url_env: "NO_SUCH" } }, [/^connection\.url_env: .*NO_SUCH/]],
    [{ ...plain, connection: { url_file: "none" } }, [/^connection\.url_file: .*none/]],
    [
      { ...plain, connection: { password_env: "PASSWORD", pass: 1 } },
      [/^connection\.pass: .*not a known/],
    ],
    [
      { ...plain, connection: "mysql://db?sslmode=on&sslrootcert=none" },
      [
        /^connection\.database: /,
        /^connection\.sslmode: .*verify-full/,
        /^connection\.sslrootcert: .*"none"/,
      ],
    ],
    [{ ...plain, connection: { password_env: "PASSWORD" } }, [/^connection: .*url_env/]],
    [
      { ...plain, connection: { url: "mysql://db/shop", url_env: "SHOP_URL" } },
      [/^connection: set only one of url and url_env/],
    ],
    [{ accounts: "SELECT 1" }, [/^connection: is missing/]],
    [{ connection: "mysql://shop@db/shop" }, [/^accounts, items .*purchases .*SELECT/]],
    [
      {
        ...plain,
        select: "SELECT 1",
        name: " ",
        base_url: "shop.example.com",
        timezone: "Istanbul",
        timeout: "10",
        overlap: "0",
        strip_html: ["item.price.regular", "description", 7],
        lists: { "item.name": ",", "item.tags": "" },
        accounts: [1],
        items: { file: "none.sql" },
        purchases: "",
      },
      [
        ...[/^name: /, /^base_url: /, /^timezone: .*Europe/, /^timeout: .*10m/, /^overlap: .*10m/],
        ...[/^strip_html\[0\]: /, /^strip_html\[1\]: /, /^strip_html\[2\]: /],
        ...[/^lists\.item\.name: .*list field/, /^lists\.item\.tags: .*separator/],
        ...[/^accounts\[0\]: /, /^items: .*"none\.sql"/, /^purchases: .*SELECT/, /^select: /],
      ],
    ],
  ])("%j", (file, named) => {
    expect(problemsOf(file)).toEqual(named.map((each) => expect.stringMatching(each)))
  })

  test("a SELECT that is an object without a file", () => {
    expect(problemsOf({ ...plain, accounts: { sql: "SELECT 1" } })).toEqual([
      expect.stringMatching(/^accounts: .*SELECT/),
    ])
  })

  test("text that is not JSON", () => {
    expect(() => parsePullFile("{", context)).toThrow(PullFileError)
  })
})

test("no problem contains a password, and every invalid file is a PullFileError", () => {
  const secret = "s3cret-word"
  const url = fc
    .tuple(fc.constantFrom("mysql", "postgres", "sqlite", "x", ""), fc.string({ maxLength: 8 }))
    .map(([scheme, rest]) => `${scheme}://shop:${secret}@db/${rest}?password=${secret}`)
  const connection = fc.oneof(url, fc.record({ url }), fc.jsonValue({ maxDepth: 2 }))
  const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined))
  const file = fc.record({
    connection,
    name: anyValue,
    base_url: anyValue,
    timezone: anyValue,
    timeout: anyValue,
    overlap: anyValue,
    strip_html: anyValue,
    lists: anyValue,
    accounts: anyValue,
    items: anyValue,
  })
  fc.assert(
    fc.property(file, (contents) => {
      expect(problemsOf(contents).join("\n")).not.toContain(secret)
    }),
  )
})

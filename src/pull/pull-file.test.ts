import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { PullFileContext } from "./connection.ts"
import { type PullFile, PullFileError, parsePullFile } from "./pull-file.ts"

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

test("a file with every member", () => {
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
    silenceMsMax: 120_000,
    overlapMs: 3_600_000,
    selects: [
      {
        type: "account",
        sql: "SELECT username\nFROM users",
        readings: { baseUrl, html: new Set(["profile.heading"]), lists: new Map() },
      },
      {
        type: "item",
        sql: "SELECT id\nFROM products",
        readings: {
          baseUrl,
          html: new Set(["description"]),
          lists: new Map<string, "json" | { separator: string }>([
            ["tags", { separator: "|" }],
            ["media.screenshots", "json"],
          ]),
        },
      },
      {
        type: "purchase",
        sql: "SELECT code AS purchase_code FROM licences",
        readings: { baseUrl, html: new Set(), lists: new Map() },
      },
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

describe("is refused", () => {
  const noPassword =
    "connection must not hold a password, because pull files are committed: use url_env, url_file, password_env or password_file"
  test.each<[file: unknown, problems: readonly string[]]>([
    [[], ["it must be a JSON object"]],
    [{ ...plain, connection: "mysql://shop:s3cret@db/shop" }, [noPassword]],
    [{ ...plain, connection: { url: "mysql://shop:s3cret@db/shop" } }, [noPassword]],
    [
      { ...plain, connection: "mysql://shop@db/shop?password=s3cret" },
      ["connection: password is no option of a URL; there are sslmode, sslrootcert and socket"],
    ],
    [
      { ...plain, connection: "shop" },
      ["connection is no URL such as mysql://shop@127.0.0.1/shop"],
    ],
    [
      { ...plain, connection: "oracle://db/shop" },
      ["connection must begin with mysql:, mariadb:, postgres: or sqlite:"],
    ],
    [{ ...plain, connection: "sqlite:" }, ["connection: sqlite: needs the path of a file"]],
    [
      { ...plain, connection: { url_env: "NO_SUCH" } },
      ["connection.url_env: the variable NO_SUCH is not set"],
    ],
    [
      { ...plain, connection: { url_file: "none" } },
      ["connection.url_file: the file none cannot be read"],
    ],
    [
      { ...plain, connection: { password_env: "PASSWORD", pass: 1 } },
      [
        "connection.pass is no member of a connection",
        'connection must be a URL, {"url_env":"NAME"} or {"url_file":"PATH"}',
      ],
    ],
    [
      { ...plain, connection: "mysql://db?sslmode=on&sslrootcert=none" },
      [
        "connection: the name of the database is missing at the end",
        "connection: sslrootcert cannot be read",
        "connection: sslmode must be disable, require, verify-ca or verify-full",
      ],
    ],
    [
      { ...plain, accounts: "SELECT 1; DELETE FROM users" },
      ["accounts must be one statement, without a semicolon in it"],
    ],
    [
      { connection: "mysql://shop@db/shop" },
      ["accounts, items and purchases are all missing: give at least one SELECT"],
    ],
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
        "select is no member of a pull file",
        "name must be a text",
        "timezone must be a name such as Europe/Istanbul or an offset such as +03:00",
        "timeout must be a duration such as 90s, 10m or 1h",
        "overlap must be a duration such as 90s, 10m or 1h",
        "base_url must be an http or https URL",
        'strip_html: "item.price.regular" is no member with text',
        'strip_html: "description" is no member with text',
        "strip_html: 7 is no member with text",
        'lists: "item.name" is no member that is a list',
        'lists: "item.tags" must be "json" or a separator',
        'accounts must be a SELECT: a text, a list of lines, or {"file":"accounts.sql"}',
        'items: the file "none.sql" cannot be read',
        'purchases must be a SELECT: a text, a list of lines, or {"file":"purchases.sql"}',
      ],
    ],
  ])("%j", (file, problems) => {
    expect(problemsOf(file)).toEqual([...problems])
  })

  test("an object without a file", () => {
    expect(problemsOf({ ...plain, accounts: { sql: "SELECT 1" } })).toEqual([
      'accounts must be a SELECT: a text, a list of lines, or {"file":"accounts.sql"}',
    ])
  })

  test("what is no JSON", () => {
    expect(() => parsePullFile("{", context)).toThrow("it is not valid JSON")
  })
})

test("no problem ever shows a password, and no file ends in another error", () => {
  const secret = "s3cret-word"
  const url = fc
    .tuple(fc.constantFrom("mysql", "postgres", "sqlite", "x", ""), fc.string({ maxLength: 8 }))
    .map(([scheme, rest]) => `${scheme}://shop:${secret}@db/${rest}?password=${secret}`)
  const connection = fc.oneof(url, fc.record({ url }), fc.jsonValue({ maxDepth: 2 }))
  const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined))
  const file = fc.record({
    connection,
    name: member,
    base_url: member,
    timezone: member,
    timeout: member,
    overlap: member,
    strip_html: member,
    lists: member,
    accounts: member,
    items: member,
  })
  fc.assert(
    fc.property(file, (given) => {
      expect(problemsOf(given).join("\n")).not.toContain(secret)
    }),
  )
})

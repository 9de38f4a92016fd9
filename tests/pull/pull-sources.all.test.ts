import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { earliestSince, openPull, toLocalTimestamp } from "../../src/pull/open-pull.ts"
import { PullFileError, parsePullFile } from "../../src/pull/pull-file.ts"
import { SourceError } from "../../src/pull/source.ts"
import { temporaryFolder } from "../harness/program.ts"
import { createMariadbDatabase, queryMariadb } from "../harness/stores/mariadb-server.ts"
import { queryPostgres } from "../harness/stores/postgres-server.ts"
import { createPostgresStore } from "../harness/stores/test-stores.ts"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))

type SourceKind = Readonly<{
  name: string
  create(): Promise<string>
  run(url: string, sql: string): Promise<unknown>
}>

let files = 0
const sqlite: SourceKind = {
  name: "SQLite",
  async create() {
    files += 1
    const path = join(folder, `${files}.db`)
    new Database(path, { create: true }).close()
    return `sqlite:${path}`
  },
  async run(url, sql) {
    const db = new Database(url.slice("sqlite:".length))
    db.run(sql)
    db.close()
  },
}
const postgres: SourceKind = {
  name: "PostgreSQL",
  create: async () => (await createPostgresStore()).DATABASE_URL,
  run: queryPostgres,
}
const mariadb: SourceKind = { name: "MariaDB", create: createMariadbDatabase, run: queryMariadb }
const kinds = [sqlite, postgres, mariadb]

function fileOf(url: string, members: Readonly<Record<string, unknown>>) {
  const file = { connection: { url_env: "URL" }, timezone: "Europe/Istanbul", ...members }
  return parsePullFile(JSON.stringify(file), {
    env: { URL: url },
    readText: () => null,
    resolvePath: (path) => path,
  })
}

type Options = Readonly<{ since?: string; onChunk?: () => Promise<unknown>; readings?: number }>

/** The records that a pull would send, from the last reading if there are several. */
async function pullFrom(
  url: string,
  members: Readonly<Record<string, unknown>>,
  { since = "2020-01-01T00:00:00Z", onChunk = async () => {}, readings = 1 }: Options = {},
): Promise<readonly Record<string, unknown>[]> {
  const file = fileOf(url, members)
  const pull = await openPull(file, toLocalTimestamp(new Date(since), file.timeZone))
  try {
    let text = ""
    for (let reading = 0; reading < readings; reading += 1) {
      text = ""
      const events = { hasEnd: false, onFirst() {}, checkStopped() {} }
      for await (const bytes of pull.readBytes(events)) {
        text += new TextDecoder().decode(bytes)
        await onChunk()
      }
    }
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  } finally {
    await pull.close()
  }
}

describe.each(kinds)("$name", ({ name, create, run }) => {
  let url: string
  beforeAll(async () => {
    url = await create()
    await run(
      url,
      `CREATE TABLE licenses (
         code VARCHAR(64) NOT NULL, product BIGINT NOT NULL, price DECIMAL(30, 10),
         downloads SMALLINT, bought ${name === "MariaDB" ? "DATETIME" : "TIMESTAMP"},
         changed ${name === "PostgreSQL" ? "TIMESTAMPTZ" : "TIMESTAMP NULL"})`,
    )
    await run(
      url,
      `INSERT INTO licenses VALUES
         ('Ö-1', 9007199254740991, 19.9900000000, 1, '2024-04-27 15:00:00', '2024-04-27 15:00:00'),
         ('Ö-2', 9007199254740993, NULL, 0, '2024-04-27 15:00:01', '2024-04-27 15:00:01')`,
    )
  })
  const columns = `code AS purchase_code, product AS item_id, price, downloads AS downloaded`

  test("values are exact, and null is left out", async () => {
    const purchases = `SELECT ${columns} FROM licenses ORDER BY code`
    expect(await pullFrom(url, { purchases })).toEqual([
      {
        type: "purchase",
        purchase_code: "Ö-1",
        item_id: 9007199254740991,
        price: 19.99,
        downloaded: true,
      },
      {
        type: "purchase",
        // More digits than a JavaScript number has: the import rejects it.
        purchase_code: "Ö-2",
        item_id: "9007199254740993",
        downloaded: false,
      },
    ])
  })

  test(":since is bound to times without a zone in the time zone of the database", async () => {
    const select = (condition: string) =>
      `SELECT code AS purchase_code FROM licenses WHERE ${condition} ORDER BY code`
    const codes = async (since: string) => {
      const records = await pullFrom(
        url,
        { purchases: select("bought >= :since AND bought >= :since") },
        { since },
      )
      return records.map(({ purchase_code }) => purchase_code)
    }
    expect(await codes("2024-04-27T12:00:00Z")).toEqual(["Ö-1", "Ö-2"])
    expect(await codes("2024-04-27T12:00:01Z")).toEqual(["Ö-2"])
    expect(await codes("2024-04-27T12:00:02Z")).toEqual([])
    for (const condition of ["':since' <> ''", "1 = 1 /* :since */"]) {
      const quoted = pullFrom(url, { purchases: select(condition) })
      await expect(quoted).rejects.toThrow(SourceError)
    }
  })

  test("long rows are read a few at a time", async () => {
    await run(
      url,
      `CREATE TABLE texts (code VARCHAR(20), note ${name === "MariaDB" ? "LONGTEXT" : "TEXT"})`,
    )
    for (let at = 0; at < 60; at += 1) {
      await run(url, `INSERT INTO texts VALUES ('${at}', '${"x".repeat(600_000)}')`)
    }
    let chunks = 0
    const purchases = "SELECT code AS purchase_code, note AS buyer FROM texts"
    const onChunk = async () => {
      chunks += 1
    }
    expect(await pullFrom(url, { purchases }, { onChunk })).toHaveLength(60)
    expect(chunks).toBeGreaterThanOrEqual(4)
  })

  test("a CHAR has no padding at its end", async () => {
    await run(url, "CREATE TABLE kinds (code CHAR(40), license CHAR(20))")
    await run(url, "INSERT INTO kinds VALUES ('a', 'Regular')")
    const purchases = "SELECT code AS purchase_code, license AS license_type FROM kinds"
    expect(await pullFrom(url, { purchases })).toEqual([
      { type: "purchase", purchase_code: "a", license_type: "Regular" },
    ])
  })

  test("a row of the repeated hour in autumn is read, although its time is before the last pull", async () => {
    const type = name === "MariaDB" ? "DATETIME" : "TIMESTAMP"
    await run(url, `CREATE TABLE autumn (code VARCHAR(20), changed ${type})`)
    // 01:01 UTC, three minutes after a pull at 02:58 daylight saving time.
    await run(url, "INSERT INTO autumn VALUES ('repeated', '2026-10-25 02:01:00')")
    const members = {
      timezone: "Europe/Berlin",
      purchases: "SELECT code AS purchase_code FROM autumn WHERE changed >= :since",
    }
    const count = async (since: string) => (await pullFrom(url, members, { since })).length
    expect(await count("2026-10-25T00:58:00Z")).toBe(1)
    expect(await count("2026-10-25T01:01:00Z")).toBe(1)
    expect(await count("2026-10-25T01:02:00Z")).toBe(0)
  })

  test("all SELECTs read one snapshot, in a second reading too, and nothing is written", async () => {
    await run(url, "CREATE TABLE users (name VARCHAR(20))")
    await run(url, "CREATE TABLE products (id INTEGER)")
    await run(url, "INSERT INTO users VALUES ('elif')")
    const members = {
      accounts: "SELECT name AS username FROM users",
      items: "SELECT id FROM products",
    }
    const chunks: unknown[] = []
    const onChunk = async () => {
      chunks.push(null)
      if (name !== "SQLite") await run(url, "INSERT INTO products VALUES (1)")
    }
    expect(await pullFrom(url, members, { onChunk, readings: 2 })).toEqual([
      { type: "account", username: "elif" },
    ])
    expect(chunks.length).toBe(2)
    const writing = { accounts: "INSERT INTO users (name) VALUES ('tom')" }
    await expect(pullFrom(url, writing)).rejects.toThrow(SourceError)
    expect(await pullFrom(url, { accounts: members.accounts })).toHaveLength(1)
  })

  test("unknown columns of all SELECTs are reported before a row is read", async () => {
    const members = {
      accounts: "SELECT code AS title FROM licenses",
      purchases: "SELECT code AS purchase_code, price AS cost FROM licenses",
    }
    await expect(pullFrom(url, members)).rejects.toThrow(
      /^accounts: .* title .* accounts: .* username.* purchases: .* cost /,
    )
    await expect(pullFrom(url, members)).rejects.toThrow(PullFileError)
  })

  test.each([
    "SELECT FROM licenses",
    "SELECT code AS purchase_code FROM nowhere",
    "UPDATE licenses SET price = 0",
    "SELECT code AS purchase_code FROM licenses WHERE code = ?",
  ])("is rejected with its name: %s", async (purchases) => {
    await expect(pullFrom(url, { purchases })).rejects.toThrow(/purchases: ./)
    await expect(pullFrom(url, { purchases })).rejects.toThrow(SourceError)
  })

  test("rows arrive in order and complete, however many there are", async () => {
    const values = Array.from({ length: 1_700 }, (_, at) => `('code-${at}', ${at})`).join(",")
    await run(url, "CREATE TABLE many (code VARCHAR(20), place INTEGER)")
    await run(url, `INSERT INTO many VALUES ${values}`)
    const purchases = "SELECT code AS purchase_code FROM many ORDER BY place"
    const records = await pullFrom(url, { purchases })
    const expected = Array.from({ length: 1_700 }, (_, at) => `code-${at}`)
    expect(records.map(({ purchase_code }) => purchase_code)).toEqual(expected)
  })
})

test("SQLite: authors whose names are not UTF-8 are not merged", async () => {
  const url = await sqlite.create()
  await sqlite.run(url, "CREATE TABLE users (name TEXT)")
  // Gül and Göl in latin1.
  await sqlite.run(
    url,
    "INSERT INTO users VALUES (CAST(x'47fc6c' AS TEXT)), (CAST(x'47f66c' AS TEXT))",
  )
  const records = await pullFrom(url, { accounts: "SELECT name AS username FROM users" })
  expect(records.map(({ username }) => typeof username)).toEqual(["object", "object"])
})

test("PostgreSQL: a row that cannot be computed ends the pull, with the name of its SELECT", async () => {
  const url = await postgres.create()
  const items = 'SELECT id, 1 / (id - 2) AS "price.regular" FROM generate_series(1, 3) AS id'
  await expect(pullFrom(url, { items })).rejects.toThrow(SourceError)
  await expect(pullFrom(url, { items })).rejects.toThrow(/items: division by zero/)
})

test("an unreachable database", async () => {
  const accounts = "SELECT name AS username FROM users"
  for (const url of [
    "mysql://shop@127.0.0.1:1/shop",
    "postgres://shop@127.0.0.1:1/shop",
    `sqlite:${folder}/none.db`,
  ]) {
    await expect(pullFrom(url, { accounts })).rejects.toThrow(SourceError)
  }
})

describe("MariaDB", () => {
  test("types that only MariaDB has", async () => {
    const url = await createMariadbDatabase()
    await queryMariadb(
      url,
      `SET sql_mode = ''; SET time_zone = '+00:00';
       CREATE TABLE products (
         id INT, name VARBINARY(20), price FLOAT, hidden BIT(1), tags JSON,
         published TIMESTAMP NULL, bought DATETIME, day DATE, clock INT);
       INSERT INTO products VALUES
         (1, 'Ürün', 19.99, b'1', '["a"]', '2024-04-27 12:00:00', '2024-04-27 15:00:00', '2024-04-27', 1714219200),
         (2, x'ff', 0.1, b'0', NULL, '0000-00-00 00:00:00', '0000-00-00 00:00:00', '0000-00-00', 0)`,
    )
    const select = (time: string) =>
      `SELECT id, name, price AS \`price.regular\`, hidden, tags, ${time} AS published_at FROM products ORDER BY id`
    const [first, second] = await pullFrom(url, { items: select("published") })
    const one = {
      type: "item",
      id: 1,
      name: "Ürün",
      price: { regular: 19.99 },
      hidden: true,
      tags: ["a"],
    }
    const two = {
      type: "item",
      id: 2,
      name: { base64: "/w==" },
      price: { regular: 0.1 },
      hidden: false,
      tags: [],
    }
    expect(first).toEqual({ ...one, published_at: "2024-04-27 15:00:00+03:00" })
    expect(second).toEqual({ ...two, published_at: "0000-00-00 00:00:00" })
    const times = async (column: string) => {
      const items = await pullFrom(url, { items: select(column) })
      return items.map(({ published_at }) => published_at)
    }
    expect(await times("bought")).toEqual(["2024-04-27T12:00:00Z", "0000-00-00 00:00:00"])
    expect(await times("day")).toEqual(["2024-04-26T21:00:00Z", "0000-00-00"])
    expect(await times("clock")).toEqual(["2024-04-27T12:00:00Z", undefined])
  })

  test(":since is bound to a TIMESTAMP, in any time zone of the server", async () => {
    const url = await createMariadbDatabase()
    await queryMariadb(
      url,
      `SET time_zone = '+00:00';
       CREATE TABLE users (name VARCHAR(20), changed TIMESTAMP);
       INSERT INTO users VALUES ('elif', '2024-04-27 12:00:00')`,
    )
    const accounts = "SELECT name AS username FROM users WHERE changed >= :since"
    const count = async (since: string) => (await pullFrom(url, { accounts }, { since })).length
    expect(await count("2024-04-27T12:00:00Z")).toBe(1)
    expect(await count("2024-04-27T12:00:01Z")).toBe(0)
  })

  test("values computed from a TIMESTAMP are the same in the first pull and in later ones", async () => {
    const url = await createMariadbDatabase()
    await queryMariadb(
      url,
      `SET time_zone = '+00:00';
       CREATE TABLE licenses (code VARCHAR(20), bought TIMESTAMP);
       INSERT INTO licenses VALUES ('a', '2026-01-15 12:00:00')`,
    )
    const purchases =
      "SELECT code AS purchase_code, bought + INTERVAL 6 MONTH AS supported_until FROM licenses WHERE bought >= :since"
    for (const since of [earliestSince.toISOString(), "2026-01-15T11:00:00Z"]) {
      expect(await pullFrom(url, { purchases }, { since })).toEqual([
        { type: "purchase", purchase_code: "a", supported_until: "2026-07-15T12:00:00Z" },
      ])
    }
  })

  test("GROUP_CONCAT is not truncated after 1,024 bytes, the default of MySQL", async () => {
    const url = await createMariadbDatabase()
    const [setting] = (await queryMariadb(
      url,
      "SELECT @@GLOBAL.group_concat_max_len AS units",
    )) as {
      units: number
    }[]
    await queryMariadb(url, "SET GLOBAL group_concat_max_len = 1024")
    const items =
      "SELECT 1 AS id, GROUP_CONCAT(CONCAT('a-long-tag-', seq) SEPARATOR ',') AS tags FROM seq_1_to_200"
    try {
      const [item] = await pullFrom(url, { items })
      expect(item?.tags).toHaveLength(200)
    } finally {
      await queryMariadb(url, `SET GLOBAL group_concat_max_len = ${setting?.units}`)
    }
  })
})

import { Database } from "bun:sqlite"
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setSystemTime,
  test,
} from "bun:test"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type FeedOptionValues, parseFeedOptions } from "../../src/feed/load-feed-commands.ts"

import { message } from "../../src/platform/problem.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { pullRound, Stopped } from "../../src/pull/pull-commands.ts"
import { PullFileError, parsePullFile } from "../../src/pull/pull-file.ts"
import { SourceError } from "../../src/pull/source.ts"
import { isFullTestRun } from "../harness/full-test-run.ts"
import { captureOutput } from "../harness/load-text.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { createStoreFolder, readPazar, runPazar, spawnPazar } from "../harness/run-pazar.ts"
import { createMariadbDatabase, queryMariadb } from "../harness/stores/mariadb-server.ts"
import { openProxy } from "../harness/stores/tcp-proxy.ts"
import { openNewOperator } from "../harness/test-operators.ts"
import { until, workMsMax } from "../harness/until.ts"

const otherFields = `name || '@example.com' AS email, 'Ada' AS "name.firstname", '' AS "name.lastname",
  'Ada' AS "name.full_name", balance, 'USD' AS currency, '' AS "profile.heading",
  '' AS "profile.description", '' AS "profile.contact.email", NULL AS "profile.social_links.x",
  '/a.png' AS "profile.media.avatar", '/c.png' AS "profile.media.cover",
  CASE WHEN balance = 'much' THEN 'once' ELSE '2024-04-27 15:00:00' END AS registered_at`
const accountsOf = (condition: string) =>
  `SELECT name AS username, ${otherFields}, api_key FROM users WHERE ${condition} ORDER BY rowid`
const pullFile = {
  connection: "sqlite:store.db",
  base_url: "https://store.example.com/",
  timezone: "Europe/Istanbul",
  accounts: accountsOf("changed >= datetime(:since)"),
}

function execute(folder: string, sql: string): void {
  const db = new Database(join(folder, "store.db"))
  db.run(sql)
  db.close()
}
function createUsers(folder: string): void {
  execute(folder, "CREATE TABLE users (name, balance, changed, api_key)")
  execute(folder, "INSERT INTO users VALUES ('elif', 10, '2024-05-01 12:00:00', NULL)")
}

const otherWith = (text: string) => ({
  code: "other",
  params: { text: expect.stringContaining(text) },
})

/** Bun 1.4's `expect(…).rejects` polls in a loop of its own, which slows an import a hundredfold. */
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe("runs", () => {
  let program: Program
  beforeEach(async () => {
    program = await startProgram({ LOG_LEVEL: "silent" })
    createUsers(program.folder)
  })
  afterEach(() => program.close())

  type RoundOptions = Readonly<{
    options?: Partial<FeedOptionValues>
    since?: string
    file?: Readonly<Record<string, unknown>>
    checkStopped?: () => void
  }>
  async function pull({ options = {}, since, file = pullFile, checkStopped }: RoundOptions = {}) {
    const { context, messages, written } = captureOutput()
    const status = await pullRound(program.app, context, {
      file: parsePullFile(JSON.stringify(file), {
        env: {},
        readText: () => null,
        resolvePath: (path) => join(program.folder, path),
      }),
      name: "store",
      everySeconds: 300,
      since: since === undefined ? null : new Date(since),
      options: parseFeedOptions(
        { strict: false, "dry-run": false, full: false, ...options },
        "pull.json",
      ),
      checkStopped: checkStopped ?? (() => {}),
    })
    const { accepted, rejected } = JSON.parse(written())
    return { status, accepted, rejected, messages }
  }
  const success = (accepted: number) => ({ status: 0, accepted, rejected: 0, messages: [] })
  const names = async () =>
    [...(await program.dump()).matchAll(/"username":"(\w+)"/g)].map((found) => found[1])

  test("the first run reads everything, later runs only what has changed since", async () => {
    expect(await pull()).toEqual(success(1))
    expect(await program.dump()).toContain('"registered_at":"2024-04-27T12:00:00Z"')
    expect(await program.dump()).toContain('"avatar":"https://store.example.com/a.png"')
    expect(await pull()).toEqual(success(0))
    execute(program.folder, "INSERT INTO users VALUES ('tom', 5, '2099-01-01 00:00:00', NULL)")
    expect(await pull()).toEqual(success(1))
    expect(await names()).toEqual(["elif", "tom"])
    expect(await program.app.store.feed.findLastRun("store")).toMatchObject({
      via: "pull",
      outcome: { counts: { accepted: 1 } },
    })
  })

  test("--since reads again from that time, and does not skip unread rows", async () => {
    expect(await pull({ since: "2024-05-02T00:00:00Z" })).toEqual(success(0))
    expect(await pull()).toEqual(success(0))
    expect(await pull({ since: "2024-05-01T00:00:00Z" })).toEqual(success(1))
    await program.app.store.metadata.put("pull: store", "2024-04-01T00:00:00Z")
    expect(await pull({ since: "2024-06-01T00:00:00Z" })).toEqual(success(0))
    expect(await pull()).toEqual(success(1))
  })

  test("a database clock that was set back causes a full sync", async () => {
    const ahead = new Date(Date.now() + 3 * 3_600_000)
    await program.app.store.metadata.put("pull: store", formatTimestamp(ahead))
    expect(await pull()).toEqual(success(1))
    expect(await pull()).toEqual(success(0))
  })

  test("clocks that were three days ahead do not block later runs; the next pull reports them", async () => {
    setSystemTime(Date.now() + 3 * 86_400_000)
    await pull()
    setSystemTime()
    execute(program.folder, "UPDATE users SET balance = 20")
    const { messages, ...round } = await pull()
    expect(round).toEqual({ status: 0, accepted: 1, rejected: 0 })
    expect(messages).toEqual([
      expect.stringMatching(
        /^the timestamps of 1 record were up to 259,[12]\d\d s in the future and count as now; /,
      ),
    ])
    expect(await program.dump()).toContain('"balance":20')
    expect(await program.app.store.feed.findLastRun("store")).toMatchObject({
      outcome: { remarks: { ahead: { records: 1 } } },
    })
    const since = await program.app.store.metadata.find("pull: store")
    expect(Date.parse(since ?? "")).toBeLessThanOrEqual(Date.now())
    expect(await pull({ options: { "as-of": "2999-01-01T00:00:00Z" } })).toMatchObject(success(0))
  })

  test.each<[overlap: Readonly<{ overlap?: string }>, accepted: number]>([
    [{}, 1],
    [{ overlap: "1m" }, 1],
    [{ overlap: "0s" }, 0],
  ])("a row that is committed later than its own date, with %j: %d", async (overlap, accepted) => {
    const shop = new Database(join(program.folder, "store.db"))
    shop.run("PRAGMA journal_mode = WAL")
    const file = { ...pullFile, ...overlap }
    shop.run("BEGIN")
    // Dates are in the time zone of Istanbul. The transaction has been open for thirty seconds when the pull runs.
    shop.run(
      `INSERT INTO users VALUES ('late', 1, datetime('now', '+3 hours', '-30 seconds'), NULL)`,
    )
    expect(await pull({ file })).toEqual(success(1))
    shop.run("COMMIT")
    shop.close()
    expect(await pull({ file })).toEqual(success(accepted))
    expect(await names()).toEqual(accepted === 1 ? ["elif", "late"] : ["elif"])
  })

  test("a sync with exit status 1 is no success: `doctor` and the console say so", async () => {
    execute(program.folder, "INSERT INTO users VALUES ('tom', 'much', '2024-05-01 12:00:00', NULL)")
    const readFact = async () => {
      const { stdout } = await runInProcess(program.folder, ["doctor", "--quick"])
      return stdout.split("\n").find((line) => line.startsWith("Pull "))
    }
    const deniz = await openNewOperator(program, "deniz")
    const readState = async () => {
      const { text } = await deniz.get("/console/imports")
      return ["Succeeded", "Failed"].filter((each) => text.includes(`>${each}<`))
    }
    expect((await pull()).status).toBe(1)
    expect(await readFact()).toContain("never succeeded")
    expect(await readState()).toEqual(["Failed"])
    execute(program.folder, "UPDATE users SET balance = 1")
    expect((await pull()).status).toBe(0)
    expect(await readFact()).toContain("last succeeded at")
  })

  test("a rejected row is reported by kind and number, and is read again", async () => {
    execute(program.folder, "INSERT INTO users VALUES ('tom', 'much', '2024-05-01 12:00:00', NULL)")
    const rejection = {
      status: 1,
      accepted: 1,
      rejected: 1,
      messages: [expect.stringMatching(/\b2 .*accounts: account tom: registered_at: ./)],
    }
    expect(await pull()).toEqual(rejection)
    expect(await pull()).toEqual(rejection)
    expect(await pull({ options: { "max-refused": "1" } })).toEqual({ ...rejection, status: 0 })
    expect(await pull()).toEqual(success(0))
  })

  test("many rejected rows are summarized as rows", async () => {
    for (let i = 0; i < 22; i += 1) {
      execute(
        program.folder,
        `INSERT INTO users VALUES ('u${i}', 'much', '2024-05-01 12:00:00', NULL)`,
      )
    }
    const { messages } = await pull({ options: { "max-refused": "20" } })
    expect(messages.slice(20)).toEqual([
      expect.any(String),
      expect.stringMatching(/^22 /),
      expect.stringMatching(/^ {2}22 × account: registered_at: .* 2 .*accounts, account u0\)$/),
      expect.stringMatching(/^22 .*\b23 .*--max-refused.*\b20\b/),
    ])
    const [run] = await program.app.store.feed.listRuns(1)
    const { stdout } = await runInProcess(program.folder, ["imports", `${run?.id}`])
    expect(stdout).toMatch(/^\w+ +23$/m)
  })

  test("rows are numbered within their SELECT", async () => {
    const file = { ...pullFile, items: "SELECT 7 AS id, 'elif' AS author, 'x' AS version" }
    const { messages } = await pull({ file })
    expect(messages).toEqual([expect.stringMatching(/\b1 .*\bitems: item 7: /)])
  })

  test("a run that cannot connect is a failed import with its reason", async () => {
    expect(await pull()).toEqual(success(1))
    const away = { ...pullFile, connection: "sqlite:away.db" }
    expect(await failureOf(pull({ file: away }))).toBeInstanceOf(SourceError)
    const unknown = { ...pullFile, accounts: "SELECT name AS username, 1 AS nonsense FROM users" }
    expect(await failureOf(pull({ file: unknown }))).toBeInstanceOf(PullFileError)
    const { feed, pulls } = program.app.store
    const runs = await feed.listRuns(10)
    expect(
      runs.map(({ source, via, line, problem }): unknown[] => [source, via, line, problem]),
    ).toEqual([
      ["store", "pull", 0, otherWith("nonsense")],
      ["store", "pull", 0, otherWith("away.db")],
      ["store", "pull", 1, null],
    ])
    expect(await pulls.list()).toMatchObject([
      { name: "store", everySeconds: 300, problem: otherWith("nonsense") },
    ])
    expect(await pull()).toEqual(success(0))
    expect(await pulls.list()).toMatchObject([{ problem: null }])
  })

  test("a dry run lists fields without a column, shows the first record of each kind without its key, and stores nothing", async () => {
    execute(program.folder, "UPDATE users SET api_key = 's3cret-key'")
    execute(program.folder, "INSERT INTO users VALUES ('tom', 5, '2024-05-01 12:00:00', NULL)")
    const { messages, ...counts } = await pull({ options: { "dry-run": true } })
    expect(counts).toEqual({ status: 0, accepted: 2, rejected: 0 })
    expect(messages).toEqual([
      expect.stringMatching(/^.*SELECT .*accounts (?!.*username).*suspended/),
      expect.stringMatching(/: \{"type":"account",.*"username":"elif".*"api_key":"…"/),
      expect.any(String),
    ])
    expect(messages.join()).not.toContain("s3cret-key")
    expect(await program.dump()).toBe("")
    const { feed, pulls } = program.app.store
    expect([await feed.listRuns(10), await pulls.list()]).toEqual([[], []])
    expect(await pull()).toEqual(success(2))
  })

  test("rows as of an earlier timestamp do not replace later ones", async () => {
    await pull()
    execute(program.folder, "UPDATE users SET balance = 20, changed = '2099-01-01 00:00:00'")
    await pull({ options: { "as-of": "2024-05-01T00:00:00Z" } })
    expect(await program.dump()).toContain('"balance":10,')
    await pull()
    expect(await program.dump()).toContain('"balance":20,')
  })

  test("--full reads everything again and deletes what is gone", async () => {
    const file = {
      ...pullFile,
      items: "SELECT 7 AS id, 'elif' AS author WHERE 1 = 0",
      purchases: "SELECT 'x' AS purchase_code WHERE 1 = 0",
    }
    execute(program.folder, "INSERT INTO users VALUES ('tom', 5, '2024-05-01 12:00:00', NULL)")
    expect(await pull({ file, options: { "as-of": "2024-05-01T00:00:00Z" } })).toEqual(success(2))
    execute(program.folder, "DELETE FROM users WHERE name = 'tom'")
    expect(await pull({ file })).toEqual(success(0))
    const full = { full: true, "max-deletes": "50%" }
    expect(await pull({ file, options: full })).toMatchObject({ status: 0, accepted: 1 })
    expect(await names()).toEqual(["elif"])
  })

  test("--strict stores nothing if a row is rejected, and the run has failed", async () => {
    execute(program.folder, "INSERT INTO users VALUES ('tom', 'much', '2024-05-01 12:00:00', NULL)")
    expect(await pull({ options: { strict: true } })).toMatchObject({ status: 1, accepted: 0 })
    expect(await program.dump()).toBe("")
    expect(await program.app.store.feed.listRuns(10)).toMatchObject([
      { via: "pull", problem: message("rejected_strictly") },
    ])
    execute(program.folder, "UPDATE users SET balance = 7 WHERE name = 'tom'")
    expect(await pull({ options: { strict: true } })).toEqual(success(2))
    expect(await names()).toEqual(["elif", "tom"])
  })

  test.each<[end: string, error: Error, isFinished: boolean]>([
    ["a stop", new Stopped(), false],
    // The message of an unexpected error may contain a secret.
    ["a fault", new Error("s3cret"), true],
  ])(
    "a run that ends with %s stores whole batches, and the next run completes it",
    async (_, error, isFinished) => {
      const values = Array.from(
        { length: 1_300 },
        (_, at) => `('u${at}', 1, '2024-05-01 12:00:00', NULL)`,
      )
      // Into an empty database, batches are larger.
      await program.load([account("first")])
      execute(program.folder, `INSERT INTO users VALUES ${values.join(",")}`)
      let chunks = 0
      const checkStopped = () => {
        chunks += 1
        if (chunks === 3) throw error
      }
      expect(await failureOf(pull({ checkStopped }))).toBe(error)
      expect((await names()).length).toBe(1_001)
      const runs = await program.app.store.feed.listRuns(1)
      expect(runs.map((run) => [run.problem !== null, run.finishedAt !== null])).toEqual([
        [isFinished, isFinished],
      ])
      expect(JSON.stringify(runs)).not.toContain("s3cret")
      expect(await pull()).toEqual(success(1_301))
    },
  )

  if (isFullTestRun) {
    test("a lost connection is reported, and the next run completes the sync", async () => {
      const url = new URL(await createMariadbDatabase())
      const proxy = await openProxy({ host: url.hostname, port: Number(url.port) })
      await queryMariadb(
        url.href,
        `SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT';
       CREATE TABLE users (rowid INT, name VARCHAR(20), balance INT, api_key VARCHAR(20), note TEXT);
       INSERT INTO users SELECT seq, CONCAT('u', seq), 1, NULL, REPEAT('x', 40000) FROM seq_1_to_700`,
      )
      url.port = String(proxy.port)
      const mysql = accountsOf("1 = 1").replace(/"/g, "`").replace("name || '@example.com'", "''")
      const file = {
        ...pullFile,
        connection: url.href,
        // Large enough that most bytes are still in transit when the connection breaks.
        accounts: mysql.replace("'' AS `profile.description`", "note AS `profile.description`"),
      }
      const cut = pull({ file, checkStopped: () => proxy.cutAll() })
      await expect(cut).rejects.toThrow(SourceError)
      const runs = await program.app.store.feed.listRuns(10)
      expect(runs.map(({ problem }) => problem?.code)).toEqual(["other"])
      expect((await names()).length).toBeLessThan(700)
      expect(await pull({ file })).toEqual(success(700))
      expect((await names()).length).toBe(700)
      await proxy.close()
    })
  }
})

test.each([[], ["--every", "1s"]])(
  "exit 0: a reader that closes the pipe, as head does, is no problem of the pull (%s)",
  async (...options) => {
    const folder = await createStoreFolder()
    createUsers(folder)
    writeFileSync(join(folder, "pull.json"), JSON.stringify(pullFile))
    const { child, ended } = await spawnPazar(folder, ["pull", "pull.json", ...options])
    child.stdout?.destroy()
    expect((await ended).status).toBe(0)
    const { stdout } = await runPazar(folder, ["doctor", "--json"])
    const { pulls } = JSON.parse(stdout)
    expect(pulls.map(({ problem }: { problem: string | null }) => problem)).toEqual([null])
    rmSync(folder, { recursive: true })
  },
)

describe("the command", () => {
  let folder: string
  beforeAll(async () => {
    folder = await createStoreFolder()
    createUsers(folder)
    writeFileSync(join(folder, "pull.json"), JSON.stringify(pullFile))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test("--every continues until it is stopped, and survives a database outage", async () => {
    writeFileSync(
      join(folder, "late.json"),
      JSON.stringify({ ...pullFile, connection: "sqlite:late.db" }),
    )
    const running = await spawnPazar(folder, ["pull", "late.json", "--every", "1s"])
    await until(() => (running.stderr().includes("late.db") ? true : undefined), workMsMax)
    await until(
      async () => (await readPazar(folder, ["imports"])).includes("late.db") || undefined,
      workMsMax,
    )
    const doctor = await runPazar(folder, ["doctor", "--quick", "--json"])
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      pulls: [{ every_seconds: 1, last_success_at: null, is_overdue: false }],
      last_import: { via: "pull", problem: expect.stringContaining("late.db") },
    })
    // The file is renamed into place when it is complete, because a run can start at any time.
    const late = new Database(join(folder, "unfinished.db"))
    late.run("CREATE TABLE users (name, balance, changed, api_key)")
    late.run("INSERT INTO users VALUES ('ada', 10, '2024-05-01 12:00:00', NULL)")
    late.close()
    renameSync(join(folder, "unfinished.db"), join(folder, "late.db"))
    await until(() => (running.stdout().includes('"accepted":0') ? true : undefined), workMsMax)
    running.child.kill("SIGTERM")
    const { status: exit, stdout } = await running.ended
    expect(exit).toBe(0)
    expect(stdout).toStartWith('{"accepted":1,')
  })

  test.each<[args: readonly string[], named: RegExp]>([
    [["none.json"], /^pazar: .*none\.json/],
    [["pull.json", "--since", "yesterday"], /^pazar: .*--since/],
    [["pull.json", "--full"], /^pazar: .*--full/],
    [["pull.json", "--every", "5m", "--dry-run"], /^pazar: .*--every.*--dry-run/],
  ])("exit 2: %j", async (args, named) => {
    const { status, stderr } = await runPazar(folder, ["pull", ...args])
    expect([status, stderr]).toEqual([2, expect.stringMatching(named)])
  })

  test.each<[connection: string, database: string]>([
    ["sqlite:away.db", "away.db"],
    ["mysql://shop@127.0.0.1:1/store", "store .*127.0.0.1:1"],
    ["postgres://shop@127.0.0.1:1/store", "store .*127.0.0.1:1"],
    ["mysql://shop@localhost/store?socket=/none.sock", "store .*/none.sock"],
  ])("exit 2: %s is missing, and is named", async (connection, database) => {
    writeFileSync(join(folder, "away.json"), JSON.stringify({ ...pullFile, connection }))
    const { status, stderr } = await runPazar(folder, ["pull", "away.json"])
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^pazar: .*${database}: .`)),
    ])
  })

  test("exit 2: an unusable file, with every problem", async () => {
    const file = { ...pullFile, connection: "mysql://shop:s3cret@db/shop", timezone: "Nowhere" }
    writeFileSync(join(folder, "bad.json"), JSON.stringify(file))
    const { status, stderr } = await runPazar(folder, ["pull", "bad.json"])
    expect(status).toBe(2)
    const problems = stderr.split("\n").filter((line) => line.startsWith("- "))
    expect(problems.map((line) => line.split(" ")[1])).toEqual(["connection:", "timezone:"])
    expect(stderr).not.toContain("s3cret")
  })
})

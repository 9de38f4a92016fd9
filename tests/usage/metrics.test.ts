import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import manifest from "../../package.json"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { message } from "../../src/platform/problem.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { findValue, type ReadFamily, readPrometheusText } from "../harness/http/prometheus-text.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { until } from "../harness/until.ts"

const token = "metrics-token-of-32-characters-or-more"
const operatorToken = "operator-token-of-32-characters-or-more"
let program: Program
beforeAll(async () => {
  program = await startProgram({
    PAZAR_METRICS_TOKEN: token,
    PAZAR_OPERATOR_TOKEN: operatorToken,
  })
})
afterAll(() => program.close())

const fetchMetrics = (init: RequestInit = {}, authorization = `Bearer ${token}`) =>
  fetch(`${program.url}/metrics`, { headers: { Authorization: authorization }, ...init })

async function scrape(): Promise<readonly ReadFamily[]> {
  return readPrometheusText(await (await fetchMetrics()).text())
}

type Series = readonly [name: string, labels: Readonly<Record<string, string>>]

/** How much each of the series has grown while `work` ran. */
async function growth(series: readonly Series[], work: () => Promise<unknown>) {
  const before = await scrape()
  await work()
  const after = await scrape()
  return series.map(([name, labels]) => {
    const [from, to] = [before, after].map((found) => findValue(found, name, labels))
    // Series that were never counted exist from the start too.
    return (to ?? Number.NaN) - (from ?? Number.NaN)
  })
}

const requests = (operation: string, reason: string): Series => [
  "pazar_requests_total",
  { operation, reason },
]

test("200: the text format, with the description and the type of each metric", async () => {
  const response = await fetchMetrics()
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  expect(response.headers.get("cache-control")).toBe("no-store")
  const families = readPrometheusText(await response.text())
  expect(families.filter(({ help, type }) => help === "" || type === "")).toEqual([])
  expect(findValue(families, "pazar_build_info", { version: manifest.version })).toBe(1)
})

test("200: HEAD, without the body", async () => {
  const response = await fetchMetrics({ method: "HEAD" })
  expect([response.status, await response.text()]).toEqual([200, ""])
})

test("401: without the token, or with a wrong one", async () => {
  const wrong = [
    "",
    "Bearer wrong",
    `Basic ${token}`,
    `Bearer ${operatorToken}`,
    `Bearer ${token}x`,
  ]
  for (const authorization of wrong) {
    const response = await fetchMetrics({}, authorization)
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
    expect(await response.json()).toEqual({
      status: "error",
      msg: expect.any(String),
    })
  }
  // A token in the URL would appear in logs.
  expect((await fetch(`${program.url}/metrics?token=${token}`)).status).toBe(401)
})

test("405: any other method", async () => {
  const response = await fetchMetrics({ method: "POST" })
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
})

test("404: without a metrics token the path does not exist", async () => {
  const closed = await startProgram({ PAZAR_OPERATOR_TOKEN: operatorToken })
  const read = async (path: string) => {
    const headers = { Authorization: `Bearer ${operatorToken}` }
    const { status, text } = await openVisitor(closed.url).get(path, headers)
    return { status, text: text.replaceAll(path, "") }
  }
  expect(await read("/metrics")).toEqual(await read("/no-such"))
  expect((await read("/metrics")).status).toBe(404)
  await closed.close()
})

describe("requests", () => {
  const validate = (secret: string, code: string) =>
    fetch(`${program.url}/api/purchases/validation`, {
      method: "POST",
      headers: { "X-Api-Key": secret },
      body: new URLSearchParams({ purchase_code: code }),
    })

  test("are counted by operation and error code, and timed by operation", async () => {
    const operation = "validate_purchase"
    const duration = "pazar_request_duration_seconds"
    const series: readonly Series[] = [
      requests(operation, "ok"),
      requests(operation, "revoked_code"),
      requests(operation, "unknown_key"),
      requests("read_account", "ok"),
      requests("read_account", "missing_key"),
      requests("unknown", "unknown_path"),
      requests("page", "unknown_path"),
      [`${duration}_count`, { operation }],
      [`${duration}_bucket`, { operation, le: "+Inf" }],
      [`${duration}_count`, { operation: "read_account" }],
    ]
    const grown = await growth(series, async () => {
      for (const code of ["test-regular", "test-extended", "test-revoked"]) {
        await validate(publicTestSecret, code)
      }
      await validate("nonsense", "test-regular")
      await fetch(`${program.url}/v3/market/author/sale?code=test-regular`, {
        headers: { Authorization: `Bearer ${publicTestSecret}` },
      })
      const headers = { "X-Api-Key": publicTestSecret }
      await fetch(`${program.url}/api/account/details`, { headers })
      await fetch(`${program.url}/api/account/details/`)
      await fetch(`${program.url}/api/no-such`)
      await fetch(`${program.url}/no-such`)
    })
    expect(grown).toEqual([3, 1, 1, 1, 1, 1, 1, 5, 5, 2])
  })
})

test("sign-ins are counted by outcome", async () => {
  await program.load([account("ada")])
  const { text } = await openVisitor(program.url).get("/login")
  expect(text).toContain("<form")
  const ada = await program.app.store.accounts.findByUsername("ada")
  await givePassword(program, "ada", "three unrelated words")
  const series = ["ok", "wrong", "throttled", "suspended"].map(
    (outcome): Series => ["pazar_sign_ins_total", { outcome }],
  )
  const grown = await growth(series, async () => {
    await openVisitor(program.url).signIn("ada", "three unrelated words")
    const guesser = openVisitor(program.url)
    for (let tries = 0; tries < 12; tries += 1) await guesser.signIn("nobody", "wrong")
    await program.app.store.accounts.setSuspended(ada?.id ?? 0, true, new Date())
    await openVisitor(program.url).signIn("ada", "three unrelated words")
  })
  expect(grown).toEqual([1, 10, 2, 1])
})

test("pushed records are counted by result", async () => {
  const push = (lines: Parameters<typeof toFeed>[0]) =>
    fetch(`${program.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${operatorToken}` },
      body: toFeed(lines),
    })
  const series = ["accepted", "adjusted", "waiting", "rejected", "removed"].map(
    (result): Series => ["pazar_feed_records_total", { via: "push", result }],
  )
  const grown = await growth(series, () =>
    push([
      account("cem"),
      item("cem", 10, { version: "v2.1" }),
      purchase("c", 10),
      item("nobody", 3),
      purchase("d", 10, { price: "free" }),
    ]),
  )
  expect(grown).toEqual([3, 1, 1, 1, 0])
})

test("an import by another process is counted, and is the last import", async () => {
  const startedAt = Math.floor(Date.now() / 1000)
  const lastImport = async () => findValue(await scrape(), "pazar_last_import_timestamp_seconds")
  const accepted = async (via: string) =>
    findValue(await scrape(), "pazar_feed_records_total", { via, result: "accepted" }) ?? Number.NaN
  await until(async () => ((await lastImport()) === null ? undefined : true))
  const [filed, pushed] = [await accepted("file"), await accepted("push")]
  await program.load([account("eda"), item("eda", 20)])
  await until(async () => (await accepted("file")) > filed || undefined)
  expect([(await accepted("file")) - filed, (await accepted("push")) - pushed]).toEqual([2, 0])
  await until(async () => ((await lastImport()) ?? 0) >= startedAt || undefined)
})

test("a failed run of a pull is counted, and leaves the pull due", async () => {
  const failed = async () =>
    findValue(await scrape(), "pazar_import_runs_total", { via: "pull", outcome: "failed" }) ??
    Number.NaN
  const before = await failed()
  const [run] = await program.app.store.feed.listRuns(1)
  await program.app.store.pulls.recordRound({
    isSuccess: true,
    name: "store",
    everySeconds: 300,
    problem: message("internal_error"),
    runBefore: run?.id ?? 0,
    startedAt: "2026-06-30T12:00:00Z",
    endedAt: formatTimestamp(new Date()),
  })
  await until(async () => (await failed()) > before || undefined)
  const families = await until(async () => {
    const found = await scrape()
    return findValue(found, "pazar_pull_due_timestamp_seconds") === null ? undefined : found
  })
  const due = Date.parse("2026-06-30T12:20:00Z") / 1000
  expect(findValue(families, "pazar_pull_due_timestamp_seconds")).toBe(due)
})

test("a lost database is visible in the metrics, which do not need it", async () => {
  const isReady = async () => findValue(await scrape(), "pazar_store_ready")
  await until(async () => (await isReady()) === 1 || undefined)
  await queryStore(program, "ALTER TABLE metadata RENAME TO lost_marks")
  await until(async () => (await isReady()) === 0 || undefined)
  await queryStore(program, "ALTER TABLE lost_marks RENAME TO marks")
})

test("it contains no secret, name or code", async () => {
  await program.load([account("secretive"), item("secretive", 77), purchase("hidden-code", 77)])
  const { secret, key } = await program.issue("secretive")
  await fetch(`${program.url}/api/purchases/validation`, {
    method: "POST",
    headers: { "X-Api-Key": secret },
    body: new URLSearchParams({ purchase_code: "hidden-code" }),
  })
  const text = await (await fetchMetrics()).text()
  for (const one of [secret, key.id, "secretive", "hidden-code", token, operatorToken]) {
    expect(text).not.toContain(one)
  }
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandLine } from "../../src/access/actor.ts"
import type { Account } from "../../src/accounts/account.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import * as operations from "../../src/webhooks/endpoint-operations.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { storeText } from "../harness/stores/stored-rows.ts"
import { until, workMsMax } from "../harness/until.ts"
import {
  loopbackIpRanges,
  openReceiver,
  type ReceivedEvent,
  type WebhookReceiver,
} from "../harness/webhook-receiver.ts"

const token = "an-operator-token-of-some-length-0123"
const metrics = "a-metrics-token-of-some-length-0123456"

let program: Program
const [author, operator] = [openReceiver(), openReceiver()]
let ids: Readonly<Record<"author" | "operator", string>> = { author: "", operator: "" }
beforeAll(async () => {
  const settings = { PAZAR_OPERATOR_TOKEN: token, PAZAR_METRICS_TOKEN: metrics }
  const receiving = { webhookReceiver: author.url }
  program = await startProgram({ ...settings, ...loopbackIpRanges }, receiving)
  await program.load([account("ada"), account("bora"), item("ada", 1), item("bora", 2)])
  ids = {
    author: await createEndpoint(author, await requireAccount(program.app.store.accounts, "ada")),
    operator: await createEndpoint(operator, null),
  }
  program.startHousekeeping()
})
afterAll(async () => {
  await program.close()
  await author.close()
  await operator.close()
})

const pazar = (...args: readonly string[]) =>
  runInProcess(program.folder, args, { env: loopbackIpRanges })
async function createEndpoint(receiver: WebhookReceiver, owner: Account | null): Promise<string> {
  const services = program.app.endpointServices(commandLine)
  const created = await operations.createEndpoint(services, owner, {
    url: receiver.url,
    events: [],
  })
  receiver.trust(created.secret)
  return created.endpoint.id
}
const sale = (code: string, itemId: number, changes: Line = {}) =>
  purchase(code, itemId, { date: formatTimestamp(new Date()), ...changes })
const push = (...lines: readonly Line[]) =>
  fetch(`${program.url}/operator/feed`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: toFeed(lines),
  })
const untilDelivered = (receiver: WebhookReceiver, isWanted: (event: ReceivedEvent) => boolean) =>
  until(() => receiver.events().find(isWanted))
/** Resolves when no message is pending. On a busy machine the database may be slow to connect. */
const untilQuiet = () =>
  until(async () => {
    const pending = await program.app.store.messages.countPending().catch(() => null)
    return pending?.length === 0 ? true : undefined
  }, workMsMax)
const codesOf = (receiver: WebhookReceiver, type: string) =>
  receiver
    .events()
    .flatMap((event) => (event.type === type ? (event.data.purchase?.purchase_code ?? []) : []))

test("a pushed sale is delivered to its author and the operators", async () => {
  expect((await push(sale("sold-a", 1), sale("sold-b", 2))).status).toBe(200)
  const delivered = await untilDelivered(author, ({ type }) => type === "purchase.created")
  expect(delivered.data).toMatchObject({ purchase: { purchase_code: "sold-a", item: { id: 1 } } })
  expect(delivered.data.username).toBeUndefined()
  await untilQuiet()
  expect(codesOf(author, "purchase.created")).toEqual(["sold-a"])
  expect(codesOf(operator, "purchase.created").toSorted()).toEqual(["sold-a", "sold-b"])
  expect(
    operator
      .events()
      .map(({ data }) => data.username)
      .toSorted(),
  ).toEqual(["ada", "bora"])
  expect([author.problems(), operator.problems()]).toEqual([[], []])
})

test("a backfill triggers no webhooks, a full sync that revokes 100 sends 100, and one without changes none", async () => {
  const codes = Array.from({ length: 120 }, (_, at) => `old-${at}`)
  const old = (code: string, changes: Line = {}) => purchase(code, 1, changes)
  await program.load(codes.map((code) => old(code)))
  await untilQuiet()
  expect(codesOf(author, "purchase.created")).toEqual(["sold-a"])
  const feed: readonly Line[] = [
    account("ada"),
    account("bora"),
    item("ada", 1),
    item("bora", 2),
    sale("sold-a", 1),
    sale("sold-b", 2),
    ...codes.map((code, at) => old(code, { revoked: at < 100 })),
  ]
  const path = join(program.folder, "full.ndjson")
  const write = (lines: readonly Line[]) =>
    writeFileSync(
      path,
      toFeed([...lines, { type: "end", accounts: 2, items: 2, purchases: lines.length - 4 }]),
    )
  write(feed)
  expect((await pazar("import", path, "--full", "--max-revokes", "100")).status).toBe(0)
  await untilQuiet()
  expect(new Set(codesOf(author, "purchase.revoked"))).toEqual(new Set(codes.slice(0, 100)))
  expect(author.events().filter(({ type }) => type === "purchase.revoked").length).toBe(100)
  write(feed.slice(0, -1))
  expect((await pazar("import", path, "--full", "--max-deletes", "1")).status).toBe(0)
  await untilDelivered(author, ({ data }) => data.purchase?.purchase_code === "old-119")
  write(feed)
  expect((await pazar("import", path, "--quiet")).status).toBe(0)
  const quiet = toFeed(codes.map((code) => old(code, { revoked: true })))
  writeFileSync(path, quiet)
  const before = author.events().length
  expect((await pazar("import", path, "--quiet", "--max-revokes", "100%")).status).toBe(0)
  await untilQuiet()
  expect(author.events().length).toBe(before)
})

test("a leaked key, and a request with a revoked one", async () => {
  const { key, secret } = await program.issue("ada")
  await givePassword(program, "ada")
  const visitor = await openSignedIn(program.url, "ada")
  const page = await visitor.get(`/workspace/ada/settings/keys/${key.id}/leak`)
  const [, formId = ""] = /name="form_id" value="([^"]+)"/.exec(page.text) ?? []
  const fields = { form_id: formId, overlap: "0", leaked: "yes" }
  await visitor.submit(`/workspace/ada/settings/keys/${key.id}/replace`, fields)
  const leaked = await untilDelivered(author, ({ type }) => type === "key.leaked")
  expect(leaked.data).toEqual({ key_id: key.id, name: "Test" })
  const call = () => fetch(`${program.url}/api/account/details?api_key=${secret}`)
  await until(async () => ((await call()).status === 401 ? true : undefined))
  const called = await untilDelivered(author, ({ type }) => type === "key.called_after_stop")
  expect(called.data).toEqual({ key_id: key.id, name: "Test" })
})

test("a site beyond the limit is delivered once per day, with the limit", async () => {
  const { secret } = await program.issue("ada", "vk")
  await pazar("item", "limit", "1", "1")
  await push(sale("on-sites", 1))
  const validate = (site: string) =>
    fetch(`${program.url}/api/purchases/validation`, {
      method: "POST",
      body: new URLSearchParams({ api_key: secret, purchase_code: "on-sites", site }),
    })
  await validate("one.example.com")
  for (const site of ["two", "three", "two"]) {
    expect((await validate(`${site}.example.net`)).headers.get("pazar-reason")).toBe("site_limit")
  }
  const delivered = await untilDelivered(author, ({ type }) => type === "site.refused")
  expect(delivered.data).toEqual({ purchase_code: "on-sites", site: "two.example.net", limit: 1 })
})

test("invitations are delivered to operators with the link, which the database does not contain", async () => {
  const { stdout } = await pazar("account", "invite", "bora", "--json")
  const { url, ...invited } = JSON.parse(stdout)
  expect(invited).toMatchObject({ username: "bora", email: "bora@example.com" })
  const delivered = await untilDelivered(operator, ({ type }) => type === "account.invited")
  expect(delivered.data).toEqual({ username: "bora", email: "bora@example.com", url })
  expect(await storeText(program)).not.toContain(new URL(url).pathname.split("/").at(-1) ?? "")
  expect(author.events().map(({ type }) => type)).not.toContain("account.invited")
})

test("failed imports are delivered to operators", async () => {
  const path = join(program.folder, "pull.json")
  writeFileSync(path, JSON.stringify({ connection: "sqlite:none.db", accounts: "SELECT 1" }))
  expect((await pazar("pull", path)).status).not.toBe(0)
  const delivered = await untilDelivered(operator, ({ type }) => type === "import.failed")
  expect(delivered.data).toMatchObject({ via: "pull", problem: expect.any(String) })
})

describe("the commands", () => {
  test("create accepts a private address for an operators' webhook", async () => {
    const url = "http://127.0.0.1:9/hook"
    const created = await pazar("webhook", "create", "--operator", "--url", url, "--json")
    const { id, ...rest } = JSON.parse(created.stdout)
    const secret = expect.stringMatching(/^whsec_/)
    expect(rest).toEqual({ url, secret, events: expect.arrayContaining(["pull.overdue"]) })
    expect((await pazar("webhook", "remove", id)).status).toBe(0)
  })

  test("create prints only the secret, and list prints no secret", async () => {
    const created = await pazar(
      "webhook",
      "create",
      "bora",
      "--url",
      "https://b.example/hook?key=1",
    )
    expect(created.stdout).toMatch(/^whsec_[0-9A-Za-z+/]{43}=\n$/)
    const listed = JSON.parse((await pazar("webhook", "list", "bora", "--json")).stdout)
    expect(listed).toEqual([
      {
        id: expect.stringMatching(/^ep_\w{16}$/),
        username: "bora",
        url: "https://b.example/hook?key=1",
        events: expect.arrayContaining(["purchase.created", "key.leaked"]),
        created_at: expect.any(String),
        off_at: null,
        off_reason: null,
        failing_since: null,
        waiting: 0,
      },
    ])
    const [{ id }] = listed
    expect(await storeText(program)).not.toContain(created.stdout.trim())
    expect(program.logged()).not.toContain("whsec_")
    expect((await pazar("webhook", "remove", id)).status).toBe(0)
    expect((await pazar("webhook", "remove", id)).stderr).toContain(`webhook ${id} does not exist`)
  })

  test.each([
    [1, ["bora", "--url", "http://192.0.43.8/"], "https://"],
    [1, ["bora", "--url", "https://10.0.0.1/"], "PAZAR_WEBHOOK_NETWORKS"],
    [1, ["bora", "--url", "https://127.0.0.1/"], "PAZAR_WEBHOOK_NETWORKS"],
    [1, ["bora", "--url", "http://127.0.0.1/"], "https://"],
    [1, ["bora", "--url", "http://localhost/"], "https://"],
    [1, ["bora", "--url", "https://[::ffff:a00:1]/"], "PAZAR_WEBHOOK_NETWORKS"],
    [1, ["bora", "--url", "https://u:p@b.example/"], "password"],
    [1, ["nobody", "--url", "https://b.example/"], "nobody"],
    [2, ["bora", "--url", "ftp://b.example/"], "https://"],
    [2, ["bora", "--url", "b.example"], "https://"],
    [2, ["bora", "--url", "https://b.example/", "--events", ","], "--events"],
    [2, ["bora", "--url", "https://b.example/", "--events", "purchase.sold"], "purchase.sold"],
    [2, ["bora", "--url", "https://b.example/", "--events", "import.failed"], "import.failed"],
  ])("exit %d: create rejects %j", async (code, args, reason) => {
    const { status, stderr } = await pazar("webhook", "create", ...args)
    expect([status, stderr.includes(reason)]).toEqual([code, true])
  })

  const endpointOf = async (id: string) => {
    const endpoint = await program.app.store.endpoints.find(id)
    if (endpoint === null) throw new Error(`there is no endpoint ${id}`)
    return endpoint
  }

  test("a test event is sent, and redelivered with the same id", async () => {
    const services = program.app.endpointServices(commandLine)
    const { messages } = program.app.store
    const endpoint = await endpointOf(ids.author)
    const id = await operations.sendTestEvent(services, endpoint)
    const delivered = await untilDelivered(author, (event) => event.id === id)
    expect(delivered).toMatchObject({ type: "endpoint.test", data: { endpoint_id: ids.author } })
    const untilAttempts = (attempts: number) =>
      until(async () =>
        (await messages.find(id))?.delivery.attempts === attempts ? true : undefined,
      )
    await untilAttempts(1)
    await operations.redeliverMessage(services, endpoint, id)
    await untilAttempts(2)
    expect(author.problems()).toEqual([])
  })

  test("messages to a suspended author are pending until the account is resumed", async () => {
    await pazar("account", "suspend", "ada")
    const services = program.app.endpointServices(commandLine)
    const id = await operations.sendTestEvent(services, await endpointOf(ids.author))
    expect(author.events().filter((event) => event.id === id)).toEqual([])
    await pazar("account", "resume", "ada")
    await untilDelivered(author, (event) => event.id === id)
  })

  test("the metrics count delivered messages", async () => {
    const headers = { Authorization: `Bearer ${metrics}` }
    const text = await (await fetch(`${program.url}/metrics`, { headers })).text()
    expect(text).toMatch(/^pazar_webhook_deliveries_total\{result="delivered"\} [1-9]\d*$/m)
    expect(text).toMatch(/^pazar_webhook_queue \d+$/m)
  })
})

test("every message was verified, and its body matches the description", () => {
  expect(new Set(operator.events().map(({ type }) => type)).size).toBeGreaterThan(6)
  expect([author.problems(), operator.problems()]).toEqual([[], []])
})

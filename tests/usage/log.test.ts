import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import type { StoredKey } from "../../src/keys/key.ts"
import { rotateKey } from "../../src/keys/key-operations.ts"
import { t } from "../../src/platform/t.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

const refunded = "refunded-4b1c-9f3d"
const codeOfBob = "bobs-own-77aa-51c2-3e21"
const mine = "mine-of-other-item-8d2f"

let program: Program
let ada: Visitor
let bob: Visitor
let server: Readonly<{ key: StoredKey; secret: string }>
let product: Readonly<{ key: StoredKey; secret: string }>
beforeAll(async () => {
  const now = new Date()
  program = await startProgram({ LOG_LEVEL: "error" }, {}, undefined, () => now)
  await program.load([
    ...[account("ada"), account("bob"), item("ada", 1), item("ada", 2), item("bob", 3)],
    purchase(refunded, 1, { revoked: true }),
    ...[purchase(mine, 2), purchase(codeOfBob, 3), purchase("valid-code-1234", 1)],
  ])
  const [one, other] = await Promise.all(["ada", "bob"].map(welcome))
  if (one === undefined || other === undefined) throw new Error("nobody signed in")
  ada = one
  bob = other
  server = await program.issue("ada")
  product = await program.issue("ada", "vk", [1])
})
afterAll(() => program.close())

async function welcome(username: string): Promise<Visitor> {
  await givePassword(program, username)
  const visitor = await openSignedIn(program.url, username)
  return visitor
}
const validate = (secret: string, fields: Readonly<Record<string, string>>) =>
  fetch(`${program.url}/api/purchases/validation`, {
    method: "POST",
    headers: { "X-Api-Key": secret },
    body: new URLSearchParams(fields),
  })
const readAccount = (secret: string) =>
  fetch(`${program.url}/api/account/details`, { headers: { "X-Api-Key": secret } })

async function untilLogged(username: string, entries: number): Promise<void> {
  const { store, now } = program.app
  const { id } = await requireAccount(store.accounts, username)
  await until(async () => {
    const log = await store.failedRequests.list(id, formatTimestamp(now()))
    return log.length >= entries ? log : undefined
  })
}

/** The texts of the cells of each row, from the column `from` on. */
const rowsIn = (part = "", from = 0) =>
  [...(part.split("</thead>")[1] ?? "").matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)]
      .slice(from)
      .map(([, cell = ""]) => unescapeHtml(cell.replace(/<[^>]*>/g, ""))),
  )
const groupsOn = (page: string) => rowsIn(page.split('id="results"')[0])
/** Without the time. */
const requestsOn = (page: string) => rowsIn(page.split('id="results"')[1], 1)

describe("the log", () => {
  beforeAll(async () => {
    const statuses = [
      await validate(server.secret, { purchase_code: codeOfBob }),
      await validate(server.secret, { purchase_code: codeOfBob }),
      await validate(server.secret, { purchase_code: refunded.toUpperCase() }),
      await validate(server.secret, {}),
      await validate(server.secret, { purchase_code: "valid-code-1234" }),
      await validate(product.secret, { purchase_code: mine }),
      await readAccount(product.secret),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404, 400, 200, 404, 403])
    await untilLogged("ada", 5)
  })
  const home = "127.0.0.0/24"
  const entries = {
    masked: ["Test", "Validate a purchase", "Unknown code", home, "bobs…3e21", "2"],
    refunded: ["Test", "Validate a purchase", "Refunded code", home, refunded, "1"],
    missing: ["Test", "Validate a purchase", "Missing parameter", home, "–", "1"],
    own: ["Test", "Validate a purchase", "Item outside the key’s scope", home, mine, "1"],
    forbidden: ["Test", "Read the account", "Key not allowed", home, "–", "1"],
  }
  const requested = async (query: string) =>
    requestsOn((await ada.get(`${ada.home()}/log${query}`)).text).toSorted()
  /** Error code, requests and share; then the number of keys and what to do. */
  const grouped = async (query: string, visitor = ada) =>
    groupsOn((await visitor.get(`${visitor.home()}/log${query}`)).text).map((row) =>
      row.toSpliced(3, 1),
    )

  test("200: groups requests by error code, errors first, with what to do once", async () => {
    const groups = await grouped("")
    expect(groups.slice(0, 2).toSorted()).toEqual([
      [
        "Key not allowed",
        "1",
        "16.7%",
        "1",
        "A validation key can only validate purchases, release sites and create download links. Use a secret key, on your server, whose scope allows the operation. For a purchase: its item has moved to another author.",
      ],
      [
        "Missing parameter",
        "1",
        "16.7%",
        "1",
        "Compare the request with the sample in the docs. A common cause is an empty code field.",
      ],
    ])
    const [, , unknown, revoked] = groups
    expect(unknown?.slice(0, 4)).toEqual(["Unknown code", "3", "50%", "2"])
    expect(revoked).toEqual([
      "Refunded code",
      "1",
      "16.7%",
      "1",
      "Expected: the purchase was refunded or charged back. No action is needed.",
    ])
    expect((await grouped("?kind=codes")).map(([name]) => name)).toEqual([
      "Unknown code",
      "Refunded code",
    ])
    expect(await grouped("?error=unknown_code")).toEqual([])
    expect(await grouped(`?kind=errors&key=${product.key.id}`)).toHaveLength(1)
    expect(await grouped("?from=2020-01-01&to=2020-01-02")).toEqual([])
  })

  test("200: lists requests, with own codes in full and others masked", async () => {
    expect(await requested("")).toEqual(Object.values(entries).toSorted())
    const { text } = await ada.get(`${ada.home()}/log?error=unknown_code`)
    for (const shown of [
      "Expected: no purchase of your items has this code. Ask the buyer to copy it again.",
      "The code is yours, but this key cannot validate its item.",
      "3 failed requests. Codes of other authors are masked.",
    ]) {
      expect(unescapeHtml(text)).toContain(shown)
    }
    for (const hidden of [codeOfBob, server.secret, product.secret]) {
      expect(text).not.toContain(hidden)
    }
  })

  test("200: requests are filtered by error code, key, IP range and days", async () => {
    const today = formatTimestamp(program.app.now()).slice(0, 10)
    const without = (row: readonly string[]) => row.toSpliced(2, 1)
    const { missing, own, forbidden } = entries
    expect(await requested(`?error=missing_parameter&from=${today}`)).toEqual([without(missing)])
    expect(await requested(`?key=${product.key.id}`)).toEqual([own, forbidden].toSorted())
    expect(await requested("?kind=errors")).toEqual([forbidden, missing].toSorted())
    expect(await requested("?kind=codes")).toHaveLength(3)
    expect(await requested(`?ip=${home}`)).toHaveLength(5)
    for (const query of ["?ip=192.0.2.0/24", "?from=2020-01-01&to=2020-01-02"]) {
      expect(await requested(query)).toEqual([])
    }
  })

  test("200: a whole code of another author finds its masked requests", async () => {
    const { text } = await ada.submit(`${ada.home()}/log`, { q: codeOfBob })
    expect(requestsOn(text)).toEqual([entries.masked])
  })

  test("200: the number that is clicked is the number that is shown", async () => {
    const { text } = await ada.get(ada.home())
    const tiles = [...text.matchAll(/<dd class="figure"><a href="([^"]*)">(\d+)<\/a>/g)].map(
      ([, path = "", value]) => [unescapeHtml(path), value] as const,
    )
    expect(tiles).toEqual([
      [`${ada.home()}/log?kind=codes&days=7`, "4"],
      [`${ada.home()}/log?kind=errors&days=7`, "2"],
    ])
    for (const [path, value] of tiles) {
      const page = unescapeHtml((await ada.get(path)).text)
      const [, current] = /<a [^>]*aria-current="page">([^<]*\d)<\/a>/.exec(page) ?? []
      expect(current?.split(" ").at(-1)).toBe(value)
    }
    const [, group = ""] = /row-link" href="([^"]*unknown_code[^"]*)"/.exec(text) ?? []
    const opened = unescapeHtml((await ada.get(unescapeHtml(group))).text)
    expect(opened).toContain("3 failed requests. Codes of other authors are masked.")
  })

  test("200: contains nothing of another author", async () => {
    const { text } = await bob.get(`${bob.home()}/log?key=${server.key.id}`)
    expect([groupsOn(text), requestsOn(text)]).toEqual([[], []])
    for (const hidden of ["bobs…3e21", refunded, mine]) expect(text).not.toContain(hidden)
  })

  test("requests with a test key are only on the list of that key", async () => {
    const { key, secret } = await program.issue("bob", "tk")
    await validate(secret, { purchase_code: "none-of-the-test-codes" })
    await untilLogged("bob", 1)
    expect(await grouped("", bob)).toEqual([])
    expect(await grouped(`?key=${key.id}`, bob)).toHaveLength(1)
    const { text } = await bob.get(`${bob.home()}/log?key=${key.id}`)
    expect(requestsOn(text)).toEqual([
      ["Test", "Validate a purchase", "Unknown code", home, "none…odes", "1"],
    ])
  })

  test("200: invalid filters in the URL are ignored", async () => {
    const query = "?error=x&kind=y&days=z&after=-7&sort=none"
    expect(await requested(query)).toHaveLength(5)
    expect(await grouped(query)).toHaveLength(4)
  })
})

describe("a revoked key that is still used", () => {
  const keysPath = "/workspace/bob/settings/keys"

  test("is shown with its IP ranges and its revocation", async () => {
    const leaked = await program.issue("bob")
    await program.app.store.keys.rename(leaked.key.id, "Leaked one")
    await rotateKey(program.app.keyServices(commandLine), leaked.key, "0")
    const page = async () => unescapeHtml((await bob.get(`${keysPath}/${leaked.key.id}`)).text)
    expect(await page()).toContain(
      "No requests with this key since it became inactive, or in the last 7 days.",
    )
    expect((await readAccount(leaked.secret)).status).toBe(401)
    await untilLogged("bob", 2)
    const text = await page()
    expect(text).toContain(
      t(
        "This key is inactive but was sent with {calls request|requests} in the last 7 days. All were rejected.",
        { calls: 1 },
      ),
    )
    expect(text.split('id="still-called"')[1]).toContain("127.0.0.0/24")
    expect(text).toContain(`<span class="pill plain">Rotated</span>`)
    const overview = await bob.get("/workspace/bob")
    expect(overview.text).toContain(`href="${keysPath}/${leaked.key.id}#still-called"`)
    const list = unescapeHtml((await bob.get(`${keysPath}?state=inactive`)).text)
    expect(list.split("Leaked one")[1]?.split("</tr>")[0]).toContain("Still used")
  })
})

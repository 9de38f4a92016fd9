import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { commandLine } from "../../../src/access/actor.ts"
import { requireAccount } from "../../../src/accounts/account-operations.ts"
import type { StoredKey } from "../../../src/keys/key.ts"
import { rotateKey } from "../../../src/keys/key-operations.ts"
import { dictionaries } from "../../../src/platform/pages/translations/texts.ts"
import { formatTimestamp } from "../../../src/platform/time.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import { givePassword } from "../../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { account, item, purchase } from "../../harness/records.ts"
import { until } from "../../harness/until.ts"

const { keyPages, keys, log } = dictionaries.en

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
  const visitor = openVisitor(program.url)
  await visitor.signIn(username)
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
  const { validate_purchase: check, read_account: read } = keyPages.operations
  const { unknown_code, revoked_code, missing_parameter, key_not_allowed } = log.errors
  const home = "127.0.0.0/24"
  const entries = {
    masked: ["Test", check, unknown_code.what, home, "bobs…3e21", "2"],
    refunded: ["Test", check, revoked_code.what, home, refunded, "1"],
    missing: ["Test", check, missing_parameter.what, home, "–", "1"],
    own: ["Test", check, log.otherItem.what, home, mine, "1"],
    forbidden: ["Test", read, key_not_allowed.what, home, "–", "1"],
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
      [key_not_allowed.what, "1", "16.7%", "1", key_not_allowed.todo],
      [missing_parameter.what, "1", "16.7%", "1", missing_parameter.todo],
    ])
    const [, , unknown, revoked] = groups
    expect(unknown?.slice(0, 4)).toEqual([unknown_code.what, "3", "50%", "2"])
    expect(revoked).toEqual([revoked_code.what, "1", "16.7%", "1", revoked_code.todo])
    expect((await grouped("?kind=codes")).map(([name]) => name)).toEqual([
      unknown_code.what,
      revoked_code.what,
    ])
    expect(await grouped("?error=unknown_code")).toEqual([])
    expect(await grouped(`?kind=errors&key=${product.key.id}`)).toHaveLength(1)
    expect(await grouped("?from=2020-01-01&to=2020-01-02")).toEqual([])
  })

  test("200: lists requests, with own codes in full and others masked", async () => {
    expect(await requested("")).toEqual(Object.values(entries).toSorted())
    const { text } = await ada.get(`${ada.home()}/log?error=unknown_code`)
    const { todo } = unknown_code
    for (const shown of [todo, log.otherItem.todo, log.listed(3, 3)]) {
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
    expect(opened).toContain(log.listed(3, 3))
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
    expect(requestsOn(text)).toEqual([["Test", check, unknown_code.what, home, "none…odes", "1"]])
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
    expect(await page()).toContain(keyPages.inactiveRequests.none)
    expect((await readAccount(leaked.secret)).status).toBe(401)
    await untilLogged("bob", 2)
    const text = await page()
    expect(text).toContain(keyPages.inactiveRequests.summary(1))
    expect(text.split('id="still-called"')[1]).toContain("127.0.0.0/24")
    expect(text).toContain(`<span class="pill plain">${keys.state.ending}</span>`)
    const overview = await bob.get("/workspace/bob")
    expect(overview.text).toContain(`href="${keysPath}/${leaked.key.id}#still-called"`)
    const list = unescapeHtml((await bob.get(`${keysPath}?state=inactive`)).text)
    expect(list.split("Leaked one")[1]?.split("</tr>")[0]).toContain(keyPages.inactiveRequests.pill)
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { StoredKey } from "../../../src/domain/keys/api-key.ts"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { formatTimestamp } from "../../../src/domain/values/time/timestamp.ts"
import { dictionaries } from "../../../src/http/pages/translations/texts.ts"
import { requireAccount } from "../../../src/operations/catalog/account-operations.ts"
import { rotateKey } from "../../../src/operations/keys/issue-key.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import { givePassword } from "../../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import { type Program, startProgram } from "../../harness/program.ts"

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

const rowsOf = (page: string) =>
  [...page.matchAll(/<tr>(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row = ""]) =>
      [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)]
        .slice(1)
        .map(([, cell = ""]) =>
          unescapeHtml(
            cell
              .replace(/<span class="hint">.*?<\/span>|<button.*?<\/button>|<[^>]*>/gs, "")
              .trimEnd(),
          ),
        ),
    )

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
  const home = "127.0.0.0/24"
  const entries = {
    masked: [`Test ${check}`, log.errors.unknown_code.what, home, "bobs…3e21", "2"],
    refunded: [`Test ${check}`, log.errors.revoked_code.what, home, refunded, "1"],
    missing: [`Test ${check}`, log.errors.missing_parameter.what, home, log.noCode, "1"],
    own: [`Test ${check}`, log.otherItem.what, home, mine, "1"],
    forbidden: [`Test ${read}`, log.errors.key_not_allowed.what, home, log.noCode, "1"],
  }
  const listed = async (query: string) =>
    rowsOf((await ada.get(`/workspace/log${query}`)).text).toSorted()

  test("200: shows why each request failed, with own codes in full and others masked", async () => {
    expect(await listed("")).toEqual(Object.values(entries).toSorted())
    const { text } = await ada.get("/workspace/log")
    expect(unescapeHtml(text)).toContain(log.errors.unknown_code.todo)
    for (const hidden of [codeOfBob, server.secret, product.secret]) {
      expect(text).not.toContain(hidden)
    }
  })

  test("200: is filtered by result, key, operation or day", async () => {
    const { masked, refunded, missing, own, forbidden } = entries
    const today = formatTimestamp(program.app.now()).slice(0, 10)
    expect(await listed("?show=codes")).toEqual([masked, refunded, own].toSorted())
    expect(await listed("?show=errors")).toEqual([forbidden, missing].toSorted())
    expect(await listed(`?key=${product.key.id}`)).toEqual([own, forbidden].toSorted())
    expect(await listed("?operation=read_account")).toEqual([forbidden])
    expect(await listed(`?day=${today}&show=errors`)).toEqual([forbidden, missing].toSorted())
    expect(await listed("?day=2020-01-01")).toEqual([])
  })

  test("200: the numbers of the overview match their lists", async () => {
    const { text } = await ada.get("/workspace")
    const figures = [...text.matchAll(/<dd class="figure"><a href="([^"]*)">(\d+)<\/a>/g)].map(
      ([, path = "", value]) => [unescapeHtml(path), value],
    )
    expect(figures.slice(0, 2)).toEqual([
      ["/workspace/log?show=codes", "4"],
      ["/workspace/log?show=errors", "2"],
    ])
  })

  test("200: contains nothing of another author", async () => {
    const { text } = await bob.get(`/workspace/log?key=${server.key.id}`)
    expect(rowsOf(text)).toEqual([])
    for (const hidden of ["bobs…3e21", refunded, mine]) expect(text).not.toContain(hidden)
  })

  test("requests with a test key are only on the list of that key", async () => {
    const { key, secret } = await program.issue("bob", "tk")
    await validate(secret, { purchase_code: "none-of-the-test-codes" })
    await untilLogged("bob", 1)
    const tried = [[`Test ${check}`, log.errors.unknown_code.what, home, "none…odes", "1"]]
    expect(rowsOf((await bob.get("/workspace/log")).text)).toEqual([])
    expect(rowsOf((await bob.get(`/workspace/log?key=${key.id}`)).text)).toEqual(tried)
  })

  test("200: invalid filters in the URL are ignored", async () => {
    for (const query of ["?show=x&day=y&operation=z&page=-7", "?page=1e99", "?page=NaN&key="]) {
      expect(await listed(query)).toHaveLength(5)
    }
  })
})

describe("a revoked key that is still used", () => {
  const keysPath = "/workspace/settings/keys"

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
    const overview = await bob.get("/workspace")
    expect(overview.text).toContain(`href="${keysPath}/${leaked.key.id}#still-called"`)
    const list = unescapeHtml((await bob.get(`${keysPath}?state=inactive`)).text)
    expect(list.split("Leaked one")[1]?.split("</tr>")[0]).toContain(keyPages.inactiveRequests.pill)
  })
})

import { afterAll, beforeAll, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import type { KeyScope } from "../../src/contract/operation.ts"
import { issueKey, rotateKey } from "../../src/keys/key-operations.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent", PAZAR_DOWNLOAD_SECRET: "d".repeat(32) })
  await program.load([account("ada"), item("ada", 1), purchase("sold-code", 1)])
})
afterAll(() => program.close())

const help: readonly (KeyScope | null)[] = [null, "help_desk"]
const catalog: readonly (KeyScope | null)[] = [null, "catalog"]
/** Every operation, and the scopes that allow it. Null is a key for everything. */
const operations: Readonly<Record<string, readonly (KeyScope | null)[]>> = {
  "GET /api/account/details": [null],
  "GET /api/items/all": catalog,
  "GET /api/items/item?item_id=1": catalog,
  "POST /api/purchases/validation?purchase_code=sold-code": help,
  "POST /api/purchases/release?purchase_code=sold-code&site=a.example.com": help,
  "POST /api/purchases/download?purchase_code=sold-code": [null],
  "GET /api/purchases/all": help,
  "GET /api/purchases/sites?purchase_code=sold-code": help,
  "GET /v3/market/author/sale?code=sold-code": help,
  "GET /v3/market/author/sales": help,
}

async function issue(scope: KeyScope | null) {
  const { keyServices, store } = program.app
  const author = await requireAccount(store.accounts, "ada")
  const options = { kind: "sk", name: "Desk", itemIds: null, scope, expiresAt: null } as const
  return issueKey(keyServices(commandLine), author, options)
}

async function listAllowed(secret: string): Promise<readonly string[]> {
  const allowed: string[] = []
  for (const request of Object.keys(operations)) {
    const [method = "", path = ""] = request.split(" ")
    const headers = { Authorization: `Bearer ${secret}` }
    const response = await fetch(`${program.url}${path}`, { method, headers })
    const isRefused = response.headers.get("pazar-reason") === "key_not_allowed"
    expect([request, response.status === 403]).toEqual([request, isRefused])
    if (!isRefused) allowed.push(request)
  }
  return allowed
}

test.each([null, "help_desk", "catalog"] as const)(
  "a key for %p, and one that replaces it",
  async (scope) => {
    const expected = Object.keys(operations).filter((each) => operations[each]?.includes(scope))
    const issued = await issue(scope)
    expect(await listAllowed(issued.secret)).toEqual(expected)
    const rotated = await rotateKey(program.app.keyServices(commandLine), issued.key, "1h")
    expect(await listAllowed(rotated.secret)).toEqual(expected)
  },
)

test("the table has every operation of the API", async () => {
  const document = await (await fetch(`${program.url}/openapi.json`)).json()
  const { paths } = document as Readonly<{ paths: Readonly<Record<string, object>> }>
  const listed = Object.keys(operations).map((each) => each.split(" ")[1]?.split("?")[0] ?? "")
  const withKey = Object.keys(paths).filter((path) => /^\/(?:api|v3)\//.test(path))
  expect(listed.toSorted()).toEqual(withKey.toSorted())
})

import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { parseFeedOptions } from "../../src/feed/load-feed-commands.ts"

import type { StoredKey } from "../../src/keys/key.ts"
import { revealKey, revokeKey, rotateKey } from "../../src/keys/key-operations.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { loadText } from "../harness/load-text.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { until } from "../harness/until.ts"

const token = "operator-token-of-the-renaming-test"
let program: Program
beforeEach(async () => {
  program = await startProgram({ LOG_LEVEL: "silent", PAZAR_OPERATOR_TOKEN: token })
  await program.load([account("ada"), account("bob"), item("ada", 1), item("ada", 2)])
  await program.load([purchase("code-1", 1), purchase("code-2", 2)])
})
afterEach(() => program.close())

async function sendRequest(method: "GET" | "POST", path: string, key: string): Promise<string> {
  const headers = { "X-Api-Key": key }
  const response = await fetch(`${program.url}/api/${path}`, { method, headers })
  const [, found = ""] = /"(?:username|purchase_code)":"([^"]+)"/.exec(await response.text()) ?? []
  return `${response.status} ${response.headers.get("Pazar-Reason")} ${found}`.trim()
}
const readUsername = (key: string) => sendRequest("GET", "account/details", key)
const validate = (code: string, key: string) =>
  sendRequest("POST", `purchases/validation?purchase_code=${code}`, key)
const push = async (...lines: Parameters<typeof toFeed>[0][number][]) => {
  const headers = { Authorization: `Bearer ${token}` }
  const init = { method: "POST", headers, body: toFeed(lines) }
  return (await fetch(`${program.url}/operator/feed`, init)).status
}

test("a refund that is pushed as a patch takes effect immediately", async () => {
  const { secret } = await program.issue("ada")
  expect(await validate("code-1", secret)).toBe("200 ok code-1")
  const refund = { type: "purchase", purchase_code: "code-1", patch: true, revoked: true }
  expect(await push(refund)).toBe(200)
  expect(await validate("code-1", secret)).toBe("404 revoked_code")
})

test("a renamed author's keys, password and session stay valid, under the new name", async () => {
  const { app } = program
  const { secret, key } = await program.issue("ada")
  await givePassword(program, "ada")
  const author = await openSignedIn(program.url, "ada")
  expect(await readUsername(secret)).toBe("200 ok ada")
  const renaming = account("Eve", { was: "ada" })
  expect([await push(renaming), await push(renaming)]).toEqual([200, 200])
  expect(await readUsername(secret)).toBe("200 ok Eve")
  expect(await validate("code-1", secret)).toBe("200 ok code-1")
  const stored = await app.store.keys.find(key.id)
  const shown = stored && (await revealKey(app.keyServices(commandLine), stored))
  expect(shown).toBe(secret)
  expect((await author.get("/workspace/Eve")).status).toBe(200)
  expect((await author.get("/workspace/ada")).status).toBe(404)
  expect((await openVisitor(program.url).signIn("Eve")).status).toBe(303)
  expect(await program.dump()).not.toContain('"ada"')
  await program.issue("Eve")
  await expect(requireAccount(app.store.accounts, "ada")).rejects.toThrow()
})

describe("an item that moves to another author", () => {
  const move = (author: string, wasAuthor: string, id = 1) =>
    push(item(author, id, { was_author: wasAuthor }))
  const soldLater = () => purchase("code-3", 1, { date: "2099-01-01T00:00:00Z" })
  const validateAll = (code: string, keys: Readonly<Record<string, { secret: string }>>) =>
    Promise.all(
      Object.entries(keys).map(async ([name, { secret }]) => {
        return [name, await validate(code, secret)] as const
      }),
    ).then(Object.fromEntries)

  test("keys that were created for it stay valid for it, whoever its author is", async () => {
    const keys = {
      shipped: await program.issue("ada", "vk", [1]),
      shippedForBoth: await program.issue("ada", "vk", [1, 2]),
    }
    const valid = { shipped: "200 ok code-1", shippedForBoth: "200 ok code-1" }
    expect(await validateAll("code-1", keys)).toEqual(valid)
    expect(await move("bob", "ada")).toBe(200)
    expect(await validateAll("code-1", keys)).toEqual(valid)
    await program.load([account("eve"), soldLater()])
    expect(await validateAll("code-3", keys)).toEqual({
      shipped: "200 ok code-3",
      shippedForBoth: "200 ok code-3",
    })
    expect(await move("eve", "bob")).toBe(200)
    expect(await validateAll("CODE-1", keys)).toEqual(valid)
    expect(await validate("code-2", keys.shippedForBoth.secret)).toBe("200 ok code-2")
    expect(await move("ada", "eve")).toBe(200)
    expect(await validateAll("code-1", keys)).toEqual(valid)
    expect(await program.dump()).not.toContain("was_author")
  })

  test("403: other keys of the previous author, for what was sold before", async () => {
    const keys = {
      secret: await program.issue("ada"),
      all: await program.issue("ada", "vk"),
      otherItem: await program.issue("ada", "vk", [2]),
      bob: await program.issue("bob"),
    }
    expect(await move("bob", "ada")).toBe(200)
    const refused = "403 key_not_allowed"
    expect(await validateAll("Code-1", keys)).toEqual({
      secret: refused,
      all: refused,
      otherItem: "404 unknown_code",
      bob: "200 ok code-1",
    })
    const other = await program.issue("ada", "vk", [2])
    expect(await validate("code-1", other.secret)).toBe("404 unknown_code")
    const { secret } = keys.secret
    expect(await sendRequest("GET", "purchases/sites?purchase_code=code-1", secret)).toBe(refused)
    const release = "purchases/release?purchase_code=code-1&site=a.com"
    expect(await sendRequest("POST", release, secret)).toBe(refused)
    const sale = await fetch(`${program.url}/v3/market/author/sale?code=code-1`, {
      headers: { Authorization: `Bearer ${secret}` },
    })
    expect(sale.status).toBe(403)
    expect(await validate("code-2", secret)).toBe("200 ok code-2")
    expect(await sendRequest("GET", "items/item?item_id=1", secret)).toStartWith("404")
  })

  test("404: what was never the previous author's is indistinguishable from an unknown code", async () => {
    const { secret } = await program.issue("ada")
    await program.load([item("bob", 3), purchase("code-4", 3)])
    expect(await move("bob", "ada")).toBe(200)
    await program.load([soldLater()])
    const read = async (code: string) => {
      const headers = { "X-Api-Key": secret }
      const path = `/api/purchases/validation?purchase_code=${code}`
      const response = await fetch(`${program.url}${path}`, { method: "POST", headers })
      const names = ["content-length", "pazar-reason", "content-type", "vary", "cache-control"]
      return [
        response.status,
        names.map((name) => response.headers.get(name)),
        await response.text(),
      ]
    }
    const unknown = await read("code-9")
    expect(unknown[0]).toBe(404)
    expect(await read("code-3")).toEqual(unknown)
    expect(await read("code-4")).toEqual(unknown)
  })

  test("a key of another author's item with the same id does not validate it", async () => {
    const shipped = await program.issue("ada", "vk", [2])
    await program.load([{ type: "purchase", purchase_code: "code-2", deleted: true }])
    await program.load([{ type: "item", id: 2, deleted: true }])
    await program.load([item("bob", 2), purchase("code-5", 2)])
    expect(await validate("code-5", shipped.secret)).toBe("404 unknown_code")
  })

  test("its new author sees these keys at the item, and revokes them for this item only", async () => {
    const both = await program.issue("ada", "vk", [1, 2])
    const one = await program.issue("ada", "vk", [1])
    await program.issue("ada", "vk", [2])
    expect(await validate("code-1", one.secret)).toBe("200 ok code-1")
    for (const name of ["ada", "bob"]) await givePassword(program, name)
    const [ada, bob] = [openVisitor(program.url), openVisitor(program.url)]
    await ada.signIn("ada")
    await bob.signIn("bob")
    const itemOf = ({ home }: Visitor) => `${home()}/items/1`
    const revoke = (visitor: Visitor, fields = { confirmed: "yes" }) =>
      visitor.submit(`${itemOf(visitor)}/keys/${both.key.id}`, fields)
    const listKeys = async (visitor: Visitor) =>
      [...(await visitor.get(itemOf(visitor))).text.matchAll(/\/keys\/(key_\w+)"/g)].map(
        ([, id]) => id,
      )
    expect(await listKeys(ada)).toEqual([])
    expect((await revoke(ada)).status).toBe(404)

    expect(await move("bob", "ada")).toBe(200)
    expect(await listKeys(bob)).toEqual([both.key.id, one.key.id])
    const preview = await revoke(bob, { confirmed: "" })
    expect(preview.text).toContain(
      "Products with this key can no longer validate this item until they are updated. The key’s other items are not affected. You cannot undo this.",
    )
    expect(await validate("code-1", both.secret)).toBe("200 ok code-1")
    await revoke(ada)
    expect(await validate("code-1", both.secret)).toBe("200 ok code-1")
    const done = await revoke(bob)
    expect([done.status, done.location]).toEqual([303, `${itemOf(bob)}?done=item_key`])

    const after = { both: "403 key_not_allowed", one: "200 ok code-1" }
    expect(await validateAll("code-1", { both, one })).toEqual(after)
    expect(await validate("code-2", both.secret)).toBe("200 ok code-2")
    expect(await listKeys(bob)).toEqual([one.key.id])
    expect((await revoke(bob)).status).toBe(404)
    const filter = { accountId: null, kind: "item" } as const
    const events = await program.app.store.audit.list(filter, null, 9)
    const ofItem = { account: { username: "bob" }, subjectId: "1", count: 1 }
    expect(events).toMatchObject([
      { ...ofItem, action: "key_revoked", actor: { kind: "author", name: "bob" } },
      { ...ofItem, action: "moved", actor: { kind: "feed" }, note: "ada → bob" },
    ])
    expect(events[0]?.note).toContain(both.key.id)
  })

  test("a replacement has the rights of the key, and the previous author's log masks the codes", async () => {
    const { app } = program
    const [first, second] = [
      await program.issue("ada", "vk", [1]),
      await program.issue("ada", "vk", [1]),
    ]
    expect(await move("bob", "ada")).toBe(200)
    await app.store.keys.revokeForItem(second.key.id, 1, "2026-06-30T12:00:00Z")
    const rotate = ({ key }: Readonly<{ key: StoredKey }>) =>
      rotateKey(app.keyServices(commandLine), key, "7d")
    const keys = { first: await rotate(first), second: await rotate(second) }
    expect(await validateAll("code-1", keys)).toEqual({
      first: "200 ok code-1",
      second: "403 key_not_allowed",
    })
    await program.load([purchase("code-of-bobs-own-sale-7", 1, { revoked: true })])
    expect(await validate("code-of-bobs-own-sale-7", keys.first.secret)).toBe("404 revoked_code")
    const shown = await until(async () => {
      const at = formatTimestamp(app.now())
      const log = await app.store.failedRequests.list(first.key.accountId, at)
      return log.find(({ reason }) => reason === "revoked_code")?.code
    })
    expect(shown).toBe("code…le-7")
  })

  test("the previous author is not deleted while these keys are live", async () => {
    const { secret, key } = await program.issue("ada", "vk", [1])
    await program.load([item("bob", 2, { was_author: "ada" })])
    expect(await move("bob", "ada")).toBe(200)
    const ada = { type: "account", username: "ada", deleted: true }
    expect((await program.load([ada])).rejected).toBe(1)
    expect(await validate("code-1", secret)).toBe("200 ok code-1")
    await revokeKey(program.app.keyServices(commandLine), key)
    expect((await program.load([ada])).rejected).toBe(0)
    expect(await validate("code-1", secret)).toBe("401 unknown_key")
  })

  test("a dry run names these keys, and changes nothing", async () => {
    const used = await program.issue("ada", "vk", [1])
    const revoked = await program.issue("ada", "vk", [1])
    const { app } = program
    await revokeKey(app.keyServices(commandLine), revoked.key)
    await app.store.counts.add("2026-06-30T12:00:00Z", {
      lastUses: [{ keyId: used.key.id, lastUsedAt: "2026-06-30T12:00:00Z" }],
    })
    const moving = toFeed([
      item("bob", 1, { was_author: "ada" }),
      item("bob", 2, { was_author: "ada" }),
    ])
    const options = { strict: false, "dry-run": true, full: false }
    const path = join(program.folder, "feed.ndjson")
    const { messages } = await loadText(program, moving, parseFeedOptions(options, path))
    expect(messages).toEqual([
      `item 1 moves from ada to bob; 1 validation key created for it stays valid: ${JSON.stringify(used.key.name)} (last used 2026-06-30)`,
      "dry run: no changes were saved",
    ])
    expect(await validate("code-1", (await program.issue("ada")).secret)).toBe("200 ok code-1")
  })
})

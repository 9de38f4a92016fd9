import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import type { StoredKey } from "../../src/keys/key.ts"
import { rotateKey } from "../../src/keys/key-operations.ts"
import { t } from "../../src/platform/t.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { keyIdOn, openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { addUsage } from "../harness/stores/store-records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { until } from "../harness/until.ts"

const keysPath = "/workspace/elif/settings/keys"
let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startSampleWorkspace()
  elif = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())

const pageOf = async ({ id }: Pick<StoredKey, "id">) =>
  unescapeHtml((await elif.get(`${keysPath}/${id}`)).text)
const use = (keyId: string) => {
  const lastUsedAt = formatTimestamp(program.app.now())
  const day = lastUsedAt.slice(0, 10)
  return addUsage(program.app.store, {
    calls: [{ keyId, day, operation: "read_item", outcome: "ok", calls: 1234 }],
    lastUses: [{ keyId, lastUsedAt }],
    ipRanges: [{ keyId, ipRange: "203.0.113.0/24", lastDay: day }],
  })
}

describe("the table", () => {
  test("200: distinguishes keys by their last four characters", async () => {
    const { secret } = await program.issue("elif", "vk")
    const { text } = await elif.get(keysPath)
    expect(text).toContain(`pzr_vk_…${secret.slice(-4)}`)
    expect(text).not.toContain(secret.slice(-5))
  })

  test("200: sorts by last use, with the requests of each key", async () => {
    const { key } = await program.issue("elif")
    await use(key.id)
    const { text } = await elif.get(`${keysPath}?sort=-used`)
    const [, first = ""] = text.split("</thead>")
    const [row = ""] = first.split("</tr>")
    expect([row.includes(key.id), row.includes("1,234")]).toEqual([true, true])
  })

  test("200: finds keys by name and by their last four characters", async () => {
    const { key, secret } = await program.issue("elif")
    await program.app.store.keys.rename(key.id, "Işık mağazası")
    for (const q of ["ISIK", secret.slice(-4), `pzr_sk_…${secret.slice(-4)}`]) {
      const { text } = await elif.submit(keysPath, { q }, keysPath)
      expect(text.match(/id="menu-key_\w+"/g)).toEqual([`id="menu-${key.id}"`])
    }
  })

  test("200: a key whose encrypted copy is damaged is still listed", async () => {
    const { key, secret } = await program.issue("elif")
    await program.app.store.keys.rename(key.id, "Damaged")
    const damage = "UPDATE api_keys SET encrypted = ? WHERE id = ?"
    await queryStore(program, damage, new Uint8Array(64), key.id)
    const { status, text } = await elif.get(keysPath)
    expect([status, text.includes("Damaged"), text.includes(secret.slice(-4))]).toEqual([
      ...[200, true, false],
    ])
  })

  test("200: each of many keys is on exactly one page", async () => {
    for (let count = 0; count < 60; count += 1) await program.issue("elif")
    const account = await program.app.store.accounts.findByUsername("elif")
    const keys = await program.app.store.keys.list(account?.id ?? 0)
    const all = `${keysPath}?state=all`
    const pages = [await elif.get(all), await elif.get(`${all}&after=50`)]
    const listed = pages.flatMap(({ text }) =>
      [...text.matchAll(/id="menu-(key_\w+)"/g)].map(([, id]) => id ?? ""),
    )
    expect(listed.toSorted()).toEqual(keys.map(({ id }) => id).toSorted())
    for (const after of ["9999", "-1", "x"]) {
      expect((await elif.get(`${all}&after=${after}`)).status).toBe(200)
    }
  })

  test("422: a key is not created without a name", async () => {
    const fields = { form_id: "without-a-name-by-test", kind: "sk", name: "  " }
    const { status, text } = await elif.submit(`${keysPath}/new`, fields)
    expect(status).toBe(422)
    expect(unescapeHtml(text)).toContain("Enter a name for the key.")
  })
})

describe("the page of a key", () => {
  test("200: counts real requests, and shows the IP range that sent them", async () => {
    const { key, secret } = await program.issue("elif", "vk")
    const body = { api_key: secret, purchase_code: "unknown" }
    await fetch(`${program.url}/api/purchases/validation`, {
      method: "POST",
      body: new URLSearchParams(body),
    })
    const text = await until(async () => {
      const found = await pageOf(key)
      return found.includes(">127.0.0.0/24<") ? found : undefined
    })
    expect(text).toContain(
      `aria-label="${t("{total request|requests}, {ok} successful.", { total: 1, ok: 0 })}"`,
    )
  })

  test("200: shows the number of IP ranges", async () => {
    const { key } = await program.issue("elif")
    await use(key.id)
    const before = await pageOf(key)
    const day = program.app.now().toISOString().slice(0, 10)
    const call = { keyId: key.id, day, operation: "list_items", outcome: "ok", calls: 1 } as const
    await addUsage(program.app.store, { calls: [call] })
    const text = await pageOf(key)
    expect(text).toContain("Used from 1 IP range this week.")
    const heading = `<h3>By operation</h3>`
    expect([before.includes(heading), text.includes(heading)]).toEqual([false, true])
    const [, row = ""] = text.split(`Read an item</bdi></td>`)
    expect(row).toMatch(/^<td[^>]*>1,234<\/td>/)
  })

  test("200: names the items of a validation key", async () => {
    const { key } = await program.issue("elif", "vk", [1001, 1002])
    expect(await pageOf(key)).toContain('href="/workspace/elif/items/1001"><bdi>Anadolu</bdi></a>')
  })

  const successorOn = (text: string) => {
    const [, link = ""] = text.split(`Replaced by <a href="`)
    return link.split('"')[0]
  }

  test("200: two keys rotated in the same second each lead to their own successor", async () => {
    const services = program.app.keyServices(commandLine)
    const [first, second] = [await program.issue("elif"), await program.issue("elif")]
    const successors = [await rotateKey(services, first.key, "7d")]
    successors.push(await rotateKey(services, second.key, "7d"))
    const pages = [await pageOf(first.key), await pageOf(second.key)]
    expect(pages.map(successorOn)).toEqual(successors.map(({ key }) => `${keysPath}/${key.id}`))
  })

  test("200: a rotated key shows when it was rotated, and leads to its successor", async () => {
    const { key: created } = await program.issue("elif")
    const key = { ...created, name: "Of this second alone" }
    await program.app.store.keys.rename(key.id, key.name)
    const next = await rotateKey(program.app.keyServices(commandLine), key, "7d")
    const found = await program.app.store.keys.find(key.id)
    const text = await pageOf(key)
    expect(text).toMatch(
      new RegExp(`<p class="notice warning">[^<]*<time datetime="${found?.replacedAt}"`),
    )
    expect(successorOn(text)).toBe(`${keysPath}/${next.key.id}`)
    expect(successorOn(await pageOf(next.key))).toBe("")
  })
})

describe("a leaked key", () => {
  const formIn = (text: string) => /<form method="post" action="([^"]*key_[^"]*)"/.exec(text)?.[1]

  test("200: is rotated without an overlap period, or revoked if it was rotated before", async () => {
    const { key } = await program.issue("elif")
    const leak = async () => formIn((await elif.get(`${keysPath}/${key.id}/leak`)).text)
    const first = await leak()
    await rotateKey(program.app.keyServices(commandLine), key, "7d")
    const second = await leak()
    await elif.submit(`${keysPath}/${key.id}/revoke`)
    expect([first, second, await leak()]).toEqual([
      ...[`${keysPath}/${key.id}/replace`, `${keysPath}/${key.id}/revoke`, undefined],
    ])
  })
})

describe("the first request", () => {
  test("200: is awaited, and shown when it has arrived", async () => {
    const fields = { form_id: "first-call-by-test-1", kind: "vk", name: "Theme" }
    const page = await elif.submit(`${keysPath}/new`, fields)
    const id = keyIdOn(page.text)
    const path = `${keysPath}/${id}`
    const [secret = ""] = /pzr_vk_\w{36}/.exec(page.text) ?? []
    const samples = ["curl", "php", "javascript", "python"].map((language) =>
      new RegExp(`data-sample="first-call ${language}">(?:(?!</code>)[^])*${secret}`).test(
        page.text,
      ),
    )
    const before = await elif.get(`${path}/first-call`)
    await use(id)
    const after = await elif.get(`${path}/first-call`)
    expect(samples).toEqual([true, true, true, true])
    expect([before, after].map(({ text }) => text.includes("data-refresh"))).toEqual([true, false])
    expect(unescapeHtml(page.text)).toContain("Waiting for your first request…")
  })

  test("200: a revealed key is not a new one", async () => {
    const { key } = await program.issue("elif")
    const { text } = await elif.submit(`${keysPath}/${key.id}/reveal`)
    expect(unescapeHtml(text)).not.toContain("Waiting for your first request…")
  })
})

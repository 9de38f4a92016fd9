import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import type { StoredKey } from "../../src/keys/key.ts"
import { keyScopeTexts } from "../../src/keys/key-facts.tsx"
import { issueKey } from "../../src/keys/key-operations.ts"
import { inLocale, t } from "../../src/platform/t.ts"
import { formatTimestamp, secondsAfter } from "../../src/platform/time.ts"
import { manyIpRanges } from "../../src/usage/usage.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  type Fields,
  keyIdOn,
  openSignedIn,
  openVisitor,
  type Visitor,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { addUsage, keyRecord } from "../harness/stores/store-records.ts"

const keysPath = "/workspace/elif/settings/keys"
const itemOfMarcus = "2001"

let program: Program
let elif: Visitor
let key: StoredKey
let forms = 0
beforeAll(async () => {
  program = await startSampleWorkspace()
  elif = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())
beforeEach(async () => {
  key = (await program.issue("elif")).key
})

const pageOf = ({ id }: StoredKey) => `${keysPath}/${id}`
async function rowOf(key: StoredKey): Promise<string> {
  const { text } = await elif.get(keysPath)
  const [, row = ""] =
    new RegExp(`<a class="row-link" href="${pageOf(key)}">(.*?)</tr>`).exec(text) ?? []
  return unescapeHtml(row)
}
const errorOf = (text: string) => /<p class="error"[^>]*>(.*?)<\/p>/.exec(unescapeHtml(text))?.[1]
const replace = () =>
  elif.submit(`${pageOf(key)}/replace`, { form_id: `replacing-by-test-${++forms}`, overlap: "7d" })

async function ship(secondsLater = 0): Promise<void> {
  const lastUsedAt = secondsAfter(program.app.now(), secondsLater)
  const [keyId, day] = [key.id, lastUsedAt.slice(0, 10)]
  await addUsage(program.app.store, {
    calls: [{ keyId, day, operation: "validate_purchase", outcome: "ok", calls: 900 }],
    lastUses: [{ keyId, lastUsedAt }],
    ipRanges: Array.from({ length: manyIpRanges }, (_, index) => ({
      keyId,
      ipRange: `198.51.${index}.0/24`,
      lastDay: day,
    })),
  })
}

test.each(["help_desk", "catalog"] as const)(
  "a secret key is created for %s, which its page and the list say",
  async (access) => {
    const fields = {
      form_id: `scoped-by-test-${++forms}-${access}`,
      kind: "sk",
      name: "Desk",
      access,
    }
    const created = await elif.submit(`${keysPath}/new`, fields, `${keysPath}/new`)
    const stored = await program.app.store.keys.find(keyIdOn(created.text))
    expect(stored?.scope).toBe(access)
    if (stored === null) throw new Error("no key")
    expect(await rowOf(stored)).toContain(t(keyScopeTexts[access].name))
    expect((await elif.get(pageOf(stored))).text).toContain(t(keyScopeTexts[access].name))
  },
)

test("the scope of a secret key is ignored for another kind", async () => {
  const fields = {
    form_id: `scoped-by-test-${++forms}`,
    kind: "vk",
    name: "Plugin",
    access: "catalog",
  }
  const created = await elif.submit(`${keysPath}/new`, fields, `${keysPath}/new`)
  expect((await program.app.store.keys.find(keyIdOn(created.text)))?.scope).toBeNull()
})

describe("renaming", () => {
  const rename = (name: string) => elif.submit(`${pageOf(key)}/rename`, { name })

  test.each(["", "   "])("422: the name %p is rejected as missing", async (name) => {
    const { status, text } = await rename(name)
    expect([status, errorOf(text)]).toEqual([422, "Enter a name for the key."])
    expect(text).toContain(`value="${name}"`)
  })

  test("422: a name of more than 100 characters is rejected and stays in the field", async () => {
    const name = "Ödeme sayfası ".repeat(8)
    const { status, text } = await rename(name)
    expect([status, errorOf(text)]).toEqual([422, t("Use at most {max} characters.", { max: 100 })])
    expect(text).toContain(`value="${name}"`)
  })
})

describe("a revoked key", () => {
  beforeEach(async () => {
    await elif.submit(`${pageOf(key)}/revoke`)
  })

  test("200: shows when it was revoked, and not when it would have expired", async () => {
    const text = unescapeHtml((await elif.get(pageOf(key))).text)
    const stored = await program.app.store.keys.find(key.id)
    expect(text).toContain(`<dt>Revoked</dt><dd><time datetime="${stored?.revokedAt ?? "none"}"`)
    expect(text).not.toContain(`<dt>Expires</dt>`)
  })

  test("303: cannot be revoked again, on its page or by its URL", async () => {
    expect((await elif.get(pageOf(key))).text).not.toContain(`${pageOf(key)}/revoke`)
    const again = [
      await elif.get(`${pageOf(key)}/revoke`),
      await elif.submit(`${pageOf(key)}/revoke`),
    ]
    expect(again.map(({ status, location }) => [status, location])).toEqual([
      [303, pageOf(key)],
      [303, pageOf(key)],
    ])
  })
})

describe("a shipped key that was rotated", () => {
  beforeEach(() => ship())

  test.each(["replace", "revoke", "leak"])(
    "200: %s shows which key it is and how much it is used",
    async (ending) => {
      const { text } = await elif.get(`${pageOf(key)}/${ending}`)
      const [, mask] = /(pzr_sk_…\w{4})/.exec((await elif.get(pageOf(key))).text) ?? []
      const [, summary = ""] = /<dl class="stats panel">(.*?)<\/dl>/.exec(unescapeHtml(text)) ?? []
      const ipRanges = t("{n IP range|IP ranges}", { n: manyIpRanges })
      const parts = [
        `>${mask}<`,
        "Secret key",
        `>${t("{n request|requests}", { n: 900 })}, ${ipRanges}<`,
      ]
      expect(parts.filter((part) => !summary.includes(part))).toEqual([])
    },
  )

  test("200: its page and the page of the new key show it", async () => {
    const created = await replace()
    const pages = [await elif.get(pageOf(key)), created].map(({ text }) => unescapeHtml(text))
    const use = "900 requests in the last 7 days."
    expect(pages.map((text) => text.includes(use))).toEqual([true, true])
    expect(pages[1]).toContain(`<a href="${pageOf(key)}">Open the old key</a>`)
  })

  test("200: the list shows it, even if newer keys are listed first", async () => {
    await replace()
    await ship(2)
    for (let count = 0; count < 15; count += 1) await program.issue("elif")
    expect(await rowOf(key)).toContain(`>Rotated, still used<`)
  })

  test("200: requests before the rotation do not count as use", async () => {
    await program.app.store.keys.rename(key.id, "Changed everywhere")
    await replace()
    const row = await rowOf(key)
    expect(row).toContain(`>Rotated<`)
    expect(row).not.toContain(`>Rotated, still used<`)
    const { text } = await elif.get("/workspace/elif")
    expect(unescapeHtml(text)).not.toContain(
      t("“{name}” was rotated, but the old key was used in the last 24 hours.", {
        name: "Changed everywhere",
      }),
    )
  })

  test("200: needs attention for that, and no longer for being shipped", async () => {
    await program.app.store.keys.rename(key.id, "In the theme")
    await replace()
    await ship(2)
    const text = unescapeHtml((await elif.get("/workspace/elif")).text)
    expect(text).toContain(
      t("“{name}” was rotated, but the old key was used in the last 24 hours.", {
        name: "In the theme",
      }),
    )
    expect(text).not.toContain(
      t(
        "“{name}” looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week.",
        { name: "In the theme", ipRanges: manyIpRanges },
      ),
    )
  })
})

describe("a key that was just created", () => {
  async function make(kind: string): Promise<string> {
    const fields = { form_id: `making-by-test-${++forms}`, name: "Theme", kind, scope: "all" }
    return unescapeHtml((await elif.submit(`${keysPath}/new`, fields)).text)
  }

  test.each([
    [
      "sk",
      "This key can read your account, items and purchases, validate codes, release sites and create download links. Keep it on your server.",
    ],
    [
      "vk",
      "This key can only validate purchases, release sites and create download links. Safe to ship inside a product.",
    ],
    ["tk", "This key can send every request and returns test data only."],
  ])("200: only a secret key is described as secret: %s", async (kind, advice) => {
    const text = await make(kind)
    expect([
      text.includes(advice),
      text.includes(
        "This key can read your account, items and purchases, validate codes, release sites and create download links. Keep it on your server.",
      ),
    ]).toEqual([true, kind === "sk"])
  })

  test("200: the sample of a validation key has no test code, which it would reject", async () => {
    const text = await make("vk")
    const samples = [...text.matchAll(/<code data-sample.*?<\/code>/gs)].map(([sample]) => sample)
    expect(samples).not.toBeEmpty()
    expect(samples.filter((sample) => !sample.includes("PASTE_A_REAL_CODE"))).toEqual([])
    expect(samples.join()).not.toContain("test-regular")
  })

  test("200: is not shown as never used while its first request is pending", async () => {
    const created = await make("sk")
    const factsOn = (text: string) =>
      ["Waiting for your first request…", `<dt>Last used</dt>`].map((part) => text.includes(part))
    expect(factsOn(created)).toEqual([true, false])
    key = { ...key, id: keyIdOn(created) }
    await ship()
    expect(factsOn(unescapeHtml((await elif.get(pageOf(key))).text))).toEqual([false, true])
  })
})

const foreignItems = (ids: readonly string[]) =>
  `You have no ${ids.length === 1 ? "item with this ID" : "items with these IDs"}: ${ids.join(", ")}.`

describe("422: a validation key for items that do not all belong to the author", () => {
  const create = (items: string, headers: Fields = {}) =>
    openAs(headers).then((visitor) =>
      visitor.submit(`${keysPath}/new`, {
        form_id: `creating-by-test-${++forms}`,
        name: "Theme",
        kind: "vk",
        scope: "some",
        items,
      }),
    )
  async function openAs(headers: Fields): Promise<Visitor> {
    const visitor = openVisitor(program.url, headers)
    await visitor.signIn("elif")
    return visitor
  }

  test.each([
    [`1001, ${itemOfMarcus}`, [itemOfMarcus]],
    ["1001, 9999", ["9999"]],
    [`${itemOfMarcus},9999,1002`, [itemOfMarcus, "9999"]],
    ["1001, abc, 1.5", ["abc", "1.5"]],
    ["1001, 99999999999999999999", ["99999999999999999999"]],
  ])("%s names the items that do not", async (items, strangers) => {
    const { status, text } = await create(items)
    expect([status, errorOf(text)]).toEqual([422, foreignItems(strangers)])
    expect(errorOf(text)).toContain(strangers.join(", "))
  })

  test("in the author's language", async () => {
    const { text } = await create("1001, 9999", { "Accept-Language": "tr" })
    expect(errorOf(text)).toBe("Bu ID ile bir ürününüz yok: 9999.")
  })

  test("an empty list is rejected", async () => {
    const { status, text } = await create("")
    expect([status, errorOf(text)]).toEqual([422, "Choose at least one of your own items."])
  })

  test("ten of many ids are named", async () => {
    const ids = Array.from({ length: 500 }, (_, index) => String(50_000 + index))
    const message = errorOf((await create(ids.join(","))).text) ?? ""
    expect([message.includes("50009, …"), message.includes("50010")]).toEqual([true, false])
  })
})

test("200: no overlap period extends an old key past its own expiry", async () => {
  const expiresAt = secondsAfter(program.app.now(), 7_200)
  const owner = await requireAccount(program.app.store.accounts, "elif")
  const options = { kind: "sk", itemIds: null, name: "Short", expiresAt } as const
  const short = await issueKey(program.app.keyServices(commandLine), owner, options)
  const choicesOf = async (of: StoredKey) =>
    [
      ...unescapeHtml((await elif.get(`${pageOf(of)}/replace`)).text).matchAll(
        /name="overlap" value="(\w+)"( checked="")?\/><span>([^<(]*)(?:\(<time datetime="([^"]*)")?/g,
      ),
    ].map(([, value, checked, label, at]) => [value, checked !== undefined, label?.trim(), at])
  expect(await choicesOf(short.key)).toEqual([
    ["0", false, "None: the old key expires immediately", undefined],
    ["1h", false, "1 hour", expect.any(String)],
    ["1d", true, "Until it expires", expiresAt],
  ])
  expect((await choicesOf(key)).map(([value, checked]) => [value, checked])).toEqual([
    ["0", false],
    ["1h", false],
    ["1d", true],
    ["7d", false],
  ])
})

test("200: a leaked key that was used this week, though not today, shows its requests", async () => {
  const leak = async () => unescapeHtml((await elif.get(`${pageOf(key)}/leak`)).text)
  const unused = await leak()
  const lastUsedAt = formatTimestamp(new Date(program.app.now().getTime() - 3 * 24 * 3_600_000))
  const [keyId, day] = [key.id, lastUsedAt.slice(0, 10)]
  await addUsage(program.app.store, {
    calls: [{ keyId, day, operation: "validate_purchase", outcome: "ok", calls: 5 }],
    lastUses: [{ keyId, lastUsedAt }],
    ipRanges: [{ keyId, ipRange: "198.51.100.0/24", lastDay: day }],
  })
  expect(unused).toContain("This key was not used in the last 7 days.")
  expect(await leak()).toContain(
    "Requests with this key are then rejected immediately: 5 requests from 1 IP range in the last 7 days.",
  )
})

test("303: a rotation that would exceed the maximum number of keys is rejected", async () => {
  const { accounts, keys } = program.app.store
  const { id: accountId = 0 } = (await accounts.findByUsername("marcus")) ?? {}
  const { createdAt } = key
  for (let count = 100; ; count += 1) {
    if (!(await keys.insert(keyRecord(`key_old${count}`, { accountId, createdAt })))) break
  }
  for (const { id } of await keys.list(accountId)) {
    const next = keyRecord(`${id}_next`, { accountId, createdAt })
    await keys.rotate(id, "2999-01-01T00:00:00Z", next)
  }
  await givePassword(program, "marcus")
  const marcus = await openSignedIn(program.url, "marcus")
  const newest = (await keys.list(accountId)).findLast(({ replacedAt }) => replacedAt === null)
  const path = `${marcus.home()}/settings/keys/${newest?.id}/replace`
  const fields = { form_id: `no-room-${++forms}-by-test-of-it`, overlap: "7d" }
  const { status, location } = await marcus.submit(path, fields)
  expect([status, location]).toEqual([303, `${path}?problem=no-room`])
  for (const lang of ["en", "tr"] as const) {
    const { text } = await marcus.get(`${location}&lang=${lang}`)
    expect(unescapeHtml(text)).toContain(
      inLocale(lang, () =>
        t(
          "You have too many valid keys for an overlap period. Choose none, or revoke unused keys first.",
        ),
      ),
    )
  }
})

test("422: key number 101 is rejected, in the author's language", async () => {
  const { keys } = program.app.store
  for (let count = 100; ; count += 1) {
    const { accountId, createdAt } = key
    if (!(await keys.insert(keyRecord(`key_0000000000000${count}`, { accountId, createdAt }))))
      break
  }
  const before = (await keys.list(key.accountId)).length
  for (const lang of ["en", "tr"] as const) {
    const fields = { form_id: `one-too-many-${++forms}-by-test`, kind: "sk", name: "Shop" }
    const { status, text } = await elif.submit(`${keysPath}/new?lang=${lang}`, fields)
    expect([status, errorOf(text)]).toEqual([
      422,
      inLocale(lang, () =>
        t("You have {max} valid keys. Revoke an unused key first.", { max: 100 }),
      ),
    ])
  }
  expect((await keys.list(key.accountId)).length).toBe(before)
})

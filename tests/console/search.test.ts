import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { formatSecret, type StoredKey } from "../../src/keys/key.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor, withoutFormTokens } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { addOperator, openOperator } from "../harness/test-operators.ts"

let program: Program
let deniz: Visitor
let elif: Visitor
let key: StoredKey
let secret: string
let marcusId: number
beforeAll(async () => {
  program = await startSampleWorkspace({ LOG_LEVEL: "debug" })
  await addOperator(program, "deniz")
  await addOperator(program, "quince")
  deniz = await openOperator(program.url, "deniz")
  elif = await openSignedIn(program.url, "elif")
  const issued = await program.issue("marcus")
  key = issued.key
  secret = issued.secret
  await program.load([
    account("zeynep"),
    ...[
      item("zeynep", 90_001, { name: "Saffron one" }),
      item("zeynep", 90_002, { name: "Saffron" }),
    ],
    purchase("find-me-0001", 90_001, { buyer: "Örnek Alıcı" }),
    ...[item("elif", 90_003, { name: "Own Saffron" }), purchase("own-code-0001", 90_003)],
  ])
  marcusId = (await program.app.store.accounts.findByUsername("marcus"))?.id ?? 0
})
afterAll(() => program.close())
const unknownKey = formatSecret("sk", "0".repeat(30))

describe("operators", () => {
  const search = (q: string) => deniz.submit("/console/search", { q }, "/console/search")

  test("303: a single match is opened", async () => {
    for (const pasted of [secret, ` $key = "${secret}"; `, key.id]) {
      expect((await search(pasted)).location).toBe(`/workspace/marcus/settings/keys/${key.id}`)
    }
    expect((await search("marcus")).location).toBe(`/console/authors/${marcusId}`)
    expect((await search("SAFFRON ONE")).location).toBe("/workspace/zeynep/items/90001")
    expect((await search("90002")).location).toBe("/workspace/zeynep/items/90002")
    expect((await search("quince")).location).toBe("/console/operators")
    const ofBuyer = /^\/workspace\/zeynep\/check\/90001\./
    expect((await search("ornek ali")).location).toMatch(ofBuyer)
    const title = "Traffic".toUpperCase()
    expect((await search(title)).location).toBe("/console/traffic")
    const { location } = await search("Hello, it is FIND-me-0001.")
    expect(location).toMatch(/^\/workspace\/zeynep\/check\/90001\.[\w:.-]+$/)
    expect((await deniz.get(location ?? "")).text).toContain("find-me-0001")
  })

  test("200: several matches are listed in the response", async () => {
    const { status, text } = await search("saffron")
    expect(status).toBe(200)
    for (const path of ["/workspace/zeynep/items/90001", "/workspace/zeynep/items/90002"]) {
      expect(text).toContain(`href="${path}"`)
    }
    expect(unescapeHtml((await search("nobody has it")).text)).toContain("No results.")
    expect((await search(" ")).location).toBe("/console/search")
  })

  test("303: an unknown key is not stored", async () => {
    const { location } = await search(unknownKey)
    const { text } = await deniz.get(location ?? "")
    expect(unescapeHtml(text)).toContain(
      "This key does not exist. Check that it was copied completely.",
    )
    expect(text).not.toContain(unknownKey.slice(8, 20))
    for (const each of [secret, unknownKey]) expect(program.logged()).not.toContain(each)
  })
})

describe("authors", () => {
  const search = (q: string) =>
    elif.submit("/workspace/elif/search", { q }, "/workspace/elif/search")

  test("303: their own code, item and key", async () => {
    const own = await program.issue("elif")
    const keyPath = `/workspace/elif/settings/keys/${own.key.id}`
    expect((await search(own.secret)).location).toBe(keyPath)
    expect((await search(own.key.id)).location).toBe(keyPath)
    const ending = own.secret.slice(-4)
    for (const typed of [`…${ending}`, `pzr_sk_...${ending}`]) {
      expect((await search(typed)).location).toBe(keyPath)
    }
    // A name can contain the same four letters: both are listed.
    const bare = await search(ending)
    expect((bare.location ?? "") + bare.text).toContain(keyPath)
    const title = "Webhooks".toLowerCase()
    expect((await search(title)).location).toBe("/workspace/elif/settings/webhooks")
    expect((await search("own saffron")).location).toBe("/workspace/elif/items/90003")
    const { location } = await search("own-code-0001")
    expect(location).toMatch(/^\/workspace\/elif\/check\/90003\.[\w:.-]+$/)
    expect((await elif.get(location ?? "")).text).toContain("own-code-0001")
  })

  test("another author's data is indistinguishable from unknown data", async () => {
    const shownFor = async (q: string) => {
      const { status, location, text } = await search(q)
      const page = status === 303 ? (await elif.get(location ?? "")).text : text
      return withoutFormTokens(page)
        .replaceAll(q, "")
        .match(/<main.*<\/main>/s)?.[0]
    }
    const nothing = await shownFor("no such thing")
    expect(unescapeHtml(nothing ?? "")).toContain("No results.")
    for (const q of ["find-me-0001", "90001", "saffron one", "marcus", key.id]) {
      expect(await shownFor(q)).toBe(nothing)
    }
    expect(await shownFor(secret)).toBe(await shownFor(unknownKey))
  })
})

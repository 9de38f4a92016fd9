import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { isolateDirection } from "../../src/platform/pages/elements.tsx"
import { t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import { textOf } from "../harness/http/page-views.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { openNewOperator, operatorPassword } from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"

let program: Program
let deniz: Visitor
let elif: string
let marcus: string
beforeAll(async () => {
  program = await startSampleWorkspace()
  deniz = await openNewOperator(program, "deniz")
  ;[elif, marcus] = [await pathOf("elif"), await pathOf("marcus")]
})
afterAll(() => program.close())

const pathOf = async (username: string) =>
  `/console/authors/${(await program.app.store.accounts.findByUsername(username))?.id}`
const page = async (path: string) => (await deniz.get(path)).text
const read = async (path: string) => unescapeHtml(textOf(await page(path)))
const confirm = (path: string) => deniz.submit(path, {}, path)
/** Without sign-ins, which are recorded after their response. */
const events = async () => {
  const all = await program.app.store.audit.list({ accountId: null, kind: null }, null, 10)
  return all
    .filter(({ action }) => !/^(?:signed_in|sign_in_failed)$/.test(action))
    .map(({ actor, action, subjectId }) => `${actor.kind} ${actor.name} ${action} ${subjectId}`)
}
const linkOn = (text: string) => /<code>(http[^<]+)<\/code>/.exec(text)?.[1] ?? "none"
const pathIn = (link: string) => link.replace(program.url, "")

describe("the list", () => {
  const search = (q: string) => deniz.submit("/console/authors", { q }, "/console/authors")

  test("200: lists every author with state and counts", async () => {
    const text = await page("/console/authors")
    expect(unescapeHtml(text)).toContain(t("{n result|results}", { n: 2 }))
    expect(text).toContain("Elif Kaya")
    expect(text).toContain(`href="${marcus}"`)
  })

  test("200: an author without password or invitation, and one with a password", async () => {
    const stateOf = async (path: string) => {
      const [, facts = ""] = (await page(path)).split("<dl")
      return unescapeHtml(/class="pill[^"]*">([^<]*)</.exec(facts)?.[1] ?? "")
    }
    expect(await stateOf(marcus)).toBe("No password")
    await givePassword(program, "marcus")
    await openVisitor(program.url).signIn("marcus")
    expect(await stateOf(marcus)).toBe("Active")
  })

  test.each(["KAYA", "elif", "elif@", "Elıf"])("200: %p finds elif alone", async (q) => {
    const { status, text } = await search(q)
    expect(status).toBe(200)
    expect([text.includes(elif), text.includes(marcus)]).toEqual([true, false])
  })

  test("200: a text without a match, and pages after the last", async () => {
    expect(unescapeHtml(textOf((await search("zzz")).text))).toContain(
      "No results match this filter.",
    )
    expect((await search(" ")).location).toBe("/console/authors")
    // A search text in the URL is ignored.
    expect(await page("/console/authors?q=zzz")).toContain(marcus)
    expect((await deniz.get("/console/authors?after=999")).status).toBe(200)
    expect((await deniz.get("/console/authors?page=x&sort=%00")).status).toBe(200)
  })
})

describe("five minutes after the password was entered", () => {
  const isSuspended = async () =>
    (await program.app.store.accounts.findByUsername("marcus"))?.isSuspended
  const forget = () =>
    queryStore(program, "UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z'")

  test("422: every change requires the password again", async () => {
    await forget()
    const { key } = await program.issue("elif")
    const ends = ["suspend", "invite", "sign-in-link"].map((end) => `${marcus}/${end}`)
    for (const path of [...ends, `/workspace/elif/settings/keys/${key.id}/revoke`]) {
      expect(await page(path)).toContain('name="password"')
      for (const fields of [{ password: "" }, { password: "not the password" }]) {
        const { status, text } = await deniz.submit(path, fields, path)
        expect([status, text.includes('id="password-error"')]).toEqual([422, true])
      }
    }
    const { keys } = program.app.store
    expect([await isSuspended(), (await keys.find(key.id))?.revokedAt]).toEqual([false, null])
    expect(await page(marcus)).not.toContain("<code>http")
  })

  test("303: the right password applies the change; the next one requires none", async () => {
    await forget()
    const suspend = `${marcus}/suspend`
    const fields = { password: operatorPassword }
    expect((await deniz.submit(suspend, fields, suspend)).status).toBe(303)
    expect(await isSuspended()).toBe(true)
    expect(await page(`${marcus}/resume`)).not.toContain('name="password"')
    expect((await confirm(`${marcus}/resume`)).status).toBe(303)
    expect(await isSuspended()).toBe(false)
  })
})

test("404: an unknown author, on every page and form", async () => {
  const ids = ["999", "0", "x", "1e3", "2147483648", "99999999999"]
  const ends = ["", "/invite", "/suspend", "/keys/key_1/revoke"]
  for (const id of ids) {
    for (const end of ends) {
      expect((await deniz.get(`/console/authors/${id}${end}`)).status).toBe(404)
    }
    const { status } = await deniz.submit(`/console/authors/${id}/suspend`, {}, "/console/security")
    expect(status).toBe(404)
  }
})

describe("links", () => {
  test("200: an invitation is shown once, works, and is in the audit log", async () => {
    expect(await page(`${marcus}/invite`)).toContain(
      `<form method="post" action="${marcus}/invite"`,
    )
    const { status, text } = await confirm(`${marcus}/invite`)
    const link = linkOn(text)
    expect([status, unescapeHtml(text).includes("The invitation was created.")]).toEqual([
      200,
      true,
    ])
    expect((await openVisitor(program.url).get(pathIn(link))).status).toBe(200)
    expect((await events())[0]).toBe("operator deniz invited marcus")
    expect(linkOn(await page(marcus))).toBe("none")
  })

  test("303: a sign-in link signs the author in", async () => {
    const link = linkOn((await confirm(`${elif}/sign-in-link`)).text)
    const author = openVisitor(program.url)
    const token = link.split("/").at(-1) ?? ""
    const response = await author.submit("/login/link", { token }, pathIn(link))
    expect(response.location).toBe("/workspace")
    expect((await events())[0]).toBe("operator deniz sign_in_link elif")
  })
})

describe("suspending", () => {
  test("303: the page asks for confirmation; its form suspends once, and resuming undoes it", async () => {
    await givePassword(program, "marcus")
    const { secret } = await program.issue("marcus")
    const readReason = async () =>
      (await fetch(`${program.url}/api/account/details?api_key=${secret}`)).headers.get(
        "pazar-reason",
      )
    expect(await page(`${marcus}/suspend`)).toContain(
      `<form method="post" action="${marcus}/suspend"`,
    )
    expect(await readReason()).toBe("ok")
    const note = " Resold <b>codes</b> "
    const sent = await deniz.submit(`${marcus}/suspend`, { note }, `${marcus}/suspend`)
    expect(sent.location).toBe(`${marcus}?done=suspend`)
    for (const path of [marcus, "/console/audit"]) {
      expect(await page(path)).toContain("<bdi>Resold &lt;b&gt;codes&lt;/b&gt;</bdi>")
    }
    // The key cache on PostgreSQL is updated within a second.
    await until(async () => (await readReason()) === "account_suspended" || undefined)
    const suspended = await read(`${marcus}?done=suspend`)
    expect(suspended).toContain("The author was suspended.")
    expect(suspended).toContain(`Suspended by import No Suspended by an operator Yes`)
    expect((await deniz.get(`${marcus}/invite`)).location).toBe(marcus)
    const form_token = await deniz.formToken("/console/security")
    await deniz.post(`${marcus}/suspend`, { form_token })
    expect((await events()).slice(0, 2)).not.toEqual([
      ...["operator deniz suspended marcus", "operator deniz suspended marcus"],
    ])
    await program.load([{ type: "account", username: "marcus", suspended: true, patch: true }])
    await confirm(`${marcus}/resume`)
    await until(async () => (await readReason()) === "ok" || undefined)
    expect((await events()).slice(0, 3)).toEqual([
      "operator deniz resumed marcus",
      expect.stringMatching(/^feed .+ feed_word marcus$/),
      "operator deniz suspended marcus",
    ])
    const expected = [
      `Resumed marcus Imported state: suspended`,
      `State changed by import marcus Imported state: suspended`,
      `${t("Suspended # action")} marcus Imported state: not suspended`,
    ]
    const shown = (await read(marcus)).match(new RegExp(expected.map(RegExp.escape).join("|"), "g"))
    expect(shown?.slice(0, 3)).toEqual(expected)
  })
})

describe("an author's key", () => {
  test("303: is revoked; the author sees it, and the audit log names the operator", async () => {
    const { key, secret } = await program.issue("elif")
    const path = `/workspace/elif/settings/keys/${key.id}/revoke`
    const list = await page("/workspace/elif/settings/keys")
    expect(list).toContain(path)
    expect(list).not.toContain(secret)
    expect((await deniz.get(path.replace("elif", "marcus"))).status).toBe(404)
    expect((await confirm(path)).location).toBe("/workspace/elif/settings/keys?done=revoke")
    const response = await fetch(`${program.url}/api/account/details?api_key=${secret}`)
    expect(response.headers.get("pazar-reason")).toBe("revoked_key")
    expect((await events())[0]).toBe(`operator deniz revoked ${key.id}`)
    const author = await openSignedIn(program.url, "elif")
    const { text } = await author.get("/workspace/elif/settings")
    expect(unescapeHtml(text)).toContain("your marketplace")
    expect(text).not.toContain("deniz")
  })
})

describe("the audit log", () => {
  test("200: is filtered by author and kind, and has pages", async () => {
    const { store } = program.app
    const account = await store.accounts.findByUsername("elif")
    for (let i = 0; i < 60; i += 1) {
      await store.audit.insert({
        at: "2026-06-01T08:00:00Z",
        kind: "purchase",
        action: "refunded",
        actor: { kind: "operator", name: "cem", ipRange: "192.0.2.0/24" },
        account: account && { id: account.id, username: "elif" },
        subjectId: `code-${i}`,
        subjectName: "",
        count: 1,
      })
    }
    // The filter form names every action, so the test reads the list only.
    const path = "/console/audit?account=elif&kind=purchase"
    const [, first = ""] = (await page(path)).split("<table")
    expect(unescapeHtml(first)).toContain(t("Operator {name}", { name: isolateDirection("cem") }))
    expect([first.includes("code-59"), first.includes("code-10<")]).toEqual([true, true])
    expect([first.includes("code-9<"), first.includes("/settings/keys/")]).toEqual([false, false])
    const [, older = ""] = /href="(\/console\/audit\?[^"]+after=[^"]+)"/.exec(first) ?? []
    const second = await page(older.replaceAll("&amp;", "&"))
    expect([second.includes("code-9<"), second.includes('rel="next"')]).toEqual([true, false])
    for (const query of ["account=marcus&kind=purchase", "account=nobody", "actor=token"]) {
      expect(await read(`/console/audit?${query}`)).toContain("No results match this filter.")
    }
    const hostile = "kind=x&after=x&account=%00&actor=operator:%00&days=x&from=x"
    expect((await deniz.get(`/console/audit?${hostile}`)).status).toBe(200)
  })

  test("200: has authors' changes of their own password and keys", async () => {
    await givePassword(program, "marcus")
    const author = await openSignedIn(program.url, "marcus")
    const password = "elma armut pencere"
    const form = { current: "nar bülbül pencere", password, repeat: password }
    const path = "/workspace/marcus/settings/security"
    expect((await author.submit(`${path}/password`, form, path)).status).toBe(303)
    expect((await events())[0]).toBe("author marcus password marcus")
  })
})

test("200: any query returns a page", async () => {
  const [authors, audit] = ["/console/authors", "/console/audit"]
  const text = fc.string({ unit: "binary", maxLength: 40 })
  const query = fc.record({ q: text, page: text, account: text, kind: text, before: text })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(authors, audit), query, async (path, query) => {
      expect((await deniz.get(`${path}?${new URLSearchParams(query)}`)).status).toBe(200)
    }),
    { numRuns: propertyRuns(60) },
  )
})

test("200: an author with very many keys has a small page of valid keys", async () => {
  const { store, now } = program.app
  const { key } = await program.issue("marcus")
  const lookupOf = (id: string) => new TextEncoder().encode(id)
  for (let i = 0; i < 150; i += 1) {
    const id = `key_${String(i).padStart(16, "0")}`
    const revokedAt = now()
      .toISOString()
      .replace(/\.\d+Z/, "Z")
    await store.keys.insert({ ...key, id, lookup: lookupOf(id), name: "W".repeat(100), revokedAt })
  }
  const list = "/workspace/marcus/settings/keys"
  expect(await page(list)).toContain(`${list}/${key.id}/revoke`)
  expect((await page(`${list}?state=inactive`)).length).toBeLessThan(100_000)
})

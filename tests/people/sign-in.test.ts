import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test"
import { owaspCost } from "../../src/people/password.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import {
  givePassword,
  samplePassword,
  startQuietWorkspace,
} from "../harness/browser/sample-workspace.ts"
import { openSignedIn, openVisitor, withoutFormTokens } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
beforeAll(async () => {
  program = await startQuietWorkspace()
})
afterAll(() => program.close())
beforeEach(async () => {
  await queryStore(program, "DELETE FROM sign_in_failures")
  await givePassword(program, "elif")
})

describe("303: after signing in, only to the workspace", () => {
  const outside = [
    ...["//evil.example", "/\\evil.example", "\\\\evil.example", "https:evil.example"],
    ...["https://evil.example/workspace", "javascript:alert(1)", "data:text/html,x"],
    ...["/workspace@evil.example", "/workspace.evil.example", "/workspace:80", "/workspacex"],
    ...["/workspace\r\nSet-Cookie: a=b", "/workspace/\r\nX: y", "/workspace/%0d%0a\nX: y"],
    ...["/workspace/\t//evil.example", "\t//evil.example", " /workspace", "/workspace/ x"],
    ...["/workspace/\\evil.example", "/workspace\\@evil.example", "/Workspace", "workspace"],
    ...["/workspace/\u0001", "/workspace/\u007f", "/workspace/ş", "/workspace/é"],
    ...["/workspace/\u2028", "/workspace/\ufeff", "/", "", "?", "#", "/login", "/logout"],
    ...["/workspace/../logout", "/workspace/%2e%2e/logout", "/workspace/.%2E/docs"],
    ...["/workspace/items/../../login", "/workspace/..//evil.example", "/workspace/.."],
    ...["/workspace;x", "/workspace/;", "/workspace/items;a=b?q=1", "/workspace?q=a;b"],
    `/workspace?${"a".repeat(2_000)}`,
  ]
  const inside = [
    ...["/workspace", "/workspace/", "/workspace/items?q=a%20b&sort=name&page=2"],
    ...["/workspace?lang=tr", "/workspace/settings/keys/new?kind=vk", "/workspace/%0d%0aX:%20y"],
  ]

  test("by the form", async () => {
    const follow = async (next: string) => {
      const visitor = openVisitor(program.url)
      const form_token = await visitor.formToken(`/login?${new URLSearchParams({ next })}`)
      const fields = { form_token, name: "elif", password: samplePassword, next }
      const { status, location } = await visitor.post("/login", fields)
      return [next, status, location]
    }
    const led: unknown[] = []
    for (const next of [...outside, ...inside]) led.push(await follow(next))
    expect(led).toEqual([
      ...outside.map((next) => [next, 303, "/workspace"]),
      ...inside.map((next) => [next, 303, next]),
    ])
  })

  test("by the URL, for a signed-in author", async () => {
    const visitor = await openSignedIn(program.url, "elif")
    const led: unknown[] = []
    for (const next of [...outside, ...inside]) {
      const { status, location } = await visitor.get(`/login?${new URLSearchParams({ next })}`)
      led.push([next, status, location])
    }
    expect(led).toEqual([
      ...outside.map((next) => [next, 303, "/workspace"]),
      ...inside.map((next) => [next, 303, next]),
    ])
  })

  test("a path with dot segments that stays inside is normalized", async () => {
    const visitor = await openSignedIn(program.url, "elif")
    const next = "/workspace/items/../sales/./%2e%2e/check?q=../x"
    const { location } = await visitor.get(`/login?${new URLSearchParams({ next })}`)
    expect(location).toBe("/workspace/check?q=../x")
  })

  test("303: without a session, the sign-in page keeps the requested page", async () => {
    const wanted = "/workspace/items?q=%C5%9F%20x&sort=name"
    const { status, location } = await openVisitor(program.url).get(wanted)
    expect([status, location]).toEqual([303, `/login?${new URLSearchParams({ next: wanted })}`])
  })

  test("303: in another language too, immediately and after a wrong password", async () => {
    const visitor = openVisitor(program.url)
    const next = "/workspace/items?q=a%20b&sort=name"
    const page = `/login?${new URLSearchParams({ next, lang: "en" })}`
    const form_token = await visitor.formToken(page)
    const rejected = await visitor.post("/login", { form_token, name: "elif", password: "x", next })
    for (const { text } of [await visitor.get(page), rejected]) {
      const links = [...text.matchAll(/<a href="([^"]*)" lang="(\w+)"/g)]
      expect(links.map(([, href, lang]) => [href?.replaceAll("&amp;", "&"), lang])).toEqual(
        ["en", "tr"].map((lang) => [`?${new URLSearchParams({ next, lang })}`, lang]),
      )
    }
  })
})

describe("401: an unknown name, a wrong password and an account without one are indistinguishable", () => {
  test("the same page, except for the name", async () => {
    const visitor = openVisitor(program.url)
    const form_token = await visitor.formToken("/login")
    const responseTo = async (name: string, password: string) => {
      const { status, headers, text } = await visitor.post("/login", { form_token, name, password })
      const comparable = [...headers].filter(([header]) => !/^(date|content-length)$/.test(header))
      return { status, headers: comparable, text: withoutFormTokens(text).replaceAll(name, "NAME") }
    }
    const wrong = await responseTo("elif", "not this one")
    expect(wrong.status).toBe(401)
    expect(await responseTo("nobody", "not this one")).toEqual(wrong)
    expect(await responseTo("nobody", samplePassword)).toEqual(wrong)
    expect(await responseTo("marcus", samplePassword)).toEqual(wrong)
    expect(await responseTo("elif@example.com", "not this one")).toEqual(wrong)
    expect(await responseTo("nobody@example.com", "not this one")).toEqual(wrong)
    expect(await responseTo("elif", " ")).toEqual(wrong)
    expect(await responseTo("elif", `${samplePassword} `)).toEqual(wrong)
  })

  test("the same work", async () => {
    const costly = await startQuietWorkspace({}, { passwordCost: owaspCost })
    const visitor = openVisitor(costly.url)
    const form_token = await visitor.formToken("/login")
    // Almost all work is hashing: as often, and at the same cost.
    const hashedFor = async (name: string) => {
      using verifying = spyOn(Bun.password, "verify")
      await visitor.post("/login", { form_token, name, password: "not this one" })
      return verifying.mock.calls.map(([, hash]) => String(hash).split("$").slice(1, 4))
    }
    const once = [["argon2id", "v=19", "m=19456,t=2,p=1"]]
    for (const name of ["elif", "nobody", "marcus"]) expect(await hashedFor(name)).toEqual(once)
    await costly.close()
  })
})

describe("422: an empty field is not a wrong password", () => {
  const name = ["name-error", "Enter your username or e-mail."]
  const password = ["password-error", "Enter your password."]

  test.each([
    ["", "", [name, password]],
    ["  ", "x", [name]],
    ["elif", "", [password]],
    ["nobody", "", [password]],
  ])("name %p, password %p", async (typedName, typedPassword, errors) => {
    const visitor = openVisitor(program.url)
    const fields = { name: typedName, password: typedPassword }
    const { status, text } = await visitor.submit("/login", fields, "/login")
    const shown = [...unescapeHtml(text).matchAll(/<p class="error" id="([^"]*)">(.*?)<\/p>/g)]
    expect([status, shown.map(([, id, message]) => [id, message])]).toEqual([422, errors])
  })
})

describe("valid credentials", () => {
  const opens = async (name: string, password: string) =>
    (await openVisitor(program.url).signIn(name, password)).location === "/workspace"

  test("username or e-mail address, the latter in any case", async () => {
    expect(await opens("elif", samplePassword)).toBe(true)
    expect(await opens(" elif ", samplePassword)).toBe(true)
    expect(await opens("Elif@Example.com", samplePassword)).toBe(true)
  })

  test("an e-mail address that two accounts share is invalid for both", async () => {
    const giveMarcus = (email: string) =>
      queryStore(
        program,
        "UPDATE accounts SET body = replace(replace(body, 'marcus@example.com', ?), 'elif@example.com', ?) WHERE username = 'marcus'",
        email,
        email,
      )
    await givePassword(program, "marcus")
    await giveMarcus("elif@example.com")
    expect(await opens("elif@example.com", samplePassword)).toBe(false)
    expect(await opens("elif", samplePassword)).toBe(true)
    await giveMarcus("marcus@example.com")
    expect(await opens("elif@example.com", samplePassword)).toBe(true)
  })

  const passwords: readonly [string, string][] = [
    ["of as many emoji as there may be characters", "😀".repeat(256)],
    ["of the greatest length", "x".repeat(256)],
    ["with NUL and line breaks in it", "one\0two\nthree\tfour"],
  ]
  test.each(passwords)("a password %s, complete and exact", async (_name, password) => {
    const hash = await program.hasher.hash(password)
    await queryStore(program, "UPDATE people SET password_hash = ?", hash)
    expect(await opens("elif", password)).toBe(true)
    expect(await opens("elif", `${password}x`)).toBe(false)
    expect(await opens("elif", password.slice(0, -2))).toBe(false)
  })

  test("a password that was changed while it was verified is invalid", async () => {
    const next = await program.hasher.hash("the one after")
    const { verify } = Bun.password
    using verifying = spyOn(Bun.password, "verify").mockImplementation(async (password, hash) => {
      const isRight = await verify(password, hash)
      await queryStore(program, "UPDATE people SET password_hash = ?", next)
      return isRight
    })
    expect(await opens("elif", samplePassword)).toBe(false)
    expect(verifying).toHaveBeenCalledTimes(1)
  })
})

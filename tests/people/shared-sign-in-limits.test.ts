import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { createTwoFactorCipher } from "../../src/people/two-factor.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { givePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openVisitor, type PageResponse } from "../harness/browser/visitor.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { storeKinds } from "../harness/stores/test-stores.ts"
import { totpCode } from "../harness/test-operators.ts"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(storeKinds)("two programs on one $name", (kind) => {
  let env: Environment
  let programs: readonly Program[]
  beforeAll(async () => {
    env = {
      DATABASE_URL: `sqlite:${join(folder, "shared.db")}`,
      PAZAR_TRUSTED_PROXIES: "127.0.0.1",
      ...(await kind.createEnvironment()),
    }
    const first = await startSampleWorkspace(env)
    await givePassword(first, "marcus")
    programs = [first, await startProgram({ LOG_LEVEL: "error", ...env })]
  })
  afterAll(async () => {
    for (const program of programs) await program.close()
  })

  const from = (program: Program, address: string) =>
    openVisitor(program.url, { "X-Forwarded-For": address })

  /** In three bursts, because few attempts per name or IP range are verified concurrently. */
  async function guess(...burstOf: Parameters<typeof burst>) {
    const bursts = [await burst(...burstOf), await burst(...burstOf), await burst(...burstOf)]
    const sum = (count: "verified" | "rejected" | "hashed") =>
      bursts.reduce((total, counts) => total + counts[count], 0)
    return { verified: sum("verified"), rejected: sum("rejected"), hashed: sum("hashed") }
  }

  /** Sends wrong passwords concurrently, half to each program, and counts the responses. */
  async function burst(tries: number, address: string, nameOf: (index: number) => string) {
    const visitors = programs.map((program) => from(program, address))
    const tokens = await Promise.all(visitors.map((visitor) => visitor.formToken("/login")))
    using verifying = spyOn(Bun.password, "verify")
    const responses = await Promise.all(
      Array.from({ length: tries }, (_, index) =>
        visitors[index % visitors.length]?.post("/login", {
          form_token: tokens[index % tokens.length] ?? "",
          name: nameOf(index),
          password: "not this one",
        }),
      ),
    )
    const counts = { verified: 0, rejected: 0, hashed: verifying.mock.calls.length }
    for (const response of responses) {
      if (response?.status === 401) counts.verified += 1
      if (response?.status === 429) counts.rejected += 1
    }
    return counts
  }

  test("fifty concurrent guesses at one name: ten are verified", async () => {
    const counts = await guess(50, "203.0.113.1", () => "marcus")
    expect(counts).toEqual({ verified: 10, rejected: 140, hashed: 10 })
  })

  test("guesses from one IP range at any accounts: twenty more are verified, thirty in total", async () => {
    const counts = await guess(50, "203.0.113.2", (index) => `guess-${index}`)
    expect(counts).toEqual({ verified: 20, rejected: 130, hashed: 20 })
  })

  test("a program that starts later knows the counts; the owner can sign in from another IP range", async () => {
    const later = await startProgram({ LOG_LEVEL: "error", ...env })
    expect((await from(later, "203.0.113.3").signIn("elif")).status).toBe(429)
    expect((await from(later, "198.51.100.1").signIn("marcus")).status).toBe(303)
    expect((await from(later, "198.51.100.1").signIn("elif")).status).toBe(303)
    await later.close()
  })

  test("one browser at both: a code signs in once, and five wrong ones are verified", async () => {
    const [first, second] = programs
    if (first === undefined || second === undefined) throw new Error("no programs")
    const { store, masterKeys } = first.app
    const id = (await store.people.findByName("marcus"))?.id ?? 0
    const cipher = createTwoFactorCipher(masterKeys)
    const secret = cipher.createSecret()
    await store.twoFactor.put(id, "", {
      encrypted: cipher.encrypt(secret, id),
      usedStep: 0,
      recoveryDigests: [],
    })
    const browser = from(first, "198.51.100.2")
    expect((await browser.signIn("marcus")).location).toBe("/login/code")
    const form_token = await browser.formToken("/login/code")
    const send = (count: number, code: string) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => {
          const tab = from(index % 2 === 0 ? first : second, `203.0.113.${index}`)
          for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
          return tab.post("/login/code", { form_token, code })
        }),
      )
    const count = (responses: readonly PageResponse[], status: number) =>
      responses.filter((response) => response.status === status).length
    // All but one are wrong, because the code was used.
    const right = await send(4, totpCode(secret))
    expect([count(right, 303), count(right, 401)]).toEqual([1, 3])
    const wrong = await send(12, "000000")
    expect([count(wrong, 401), count(wrong, 429)]).toEqual([2, 10])
    await store.twoFactor.remove(id)
  })

  test("a right password is not counted: forty sign-ins from one IP range", async () => {
    for (let round = 0; round < 10; round += 1) {
      const visitors = [...programs, ...programs].map((program) => from(program, "198.18.0.1"))
      const responses = await Promise.all(visitors.map((visitor) => visitor.signIn("elif")))
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 303))
    }
  })
})

import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test"
import { describeWait } from "../../src/people/password-pages.tsx"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import {
  givePassword,
  samplePassword,
  startSampleWorkspace,
} from "../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor, withoutFormTokens } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { addOperator, signInOperator } from "../harness/test-operators.ts"

let program: Program
beforeAll(async () => {
  program = await startSampleWorkspace({ PAZAR_TRUSTED_PROXIES: "127.0.0.1" })
  await givePassword(program, "marcus")
})
afterAll(() => program.close())

const from = (address: string): Visitor => openVisitor(program.url, { "X-Forwarded-For": address })

async function fail(visitor: Visitor, names: readonly string[]): Promise<readonly number[]> {
  const form_token = await visitor.formToken("/login")
  const statuses: number[] = []
  for (const name of names) {
    const { status } = await visitor.post("/login", { form_token, name, password: "not this one" })
    statuses.push(status)
  }
  return statuses
}

const minutes = (retryAfter: string | null) => {
  const seconds = Number(retryAfter)
  return seconds > 0 && seconds <= 600 && Number.isInteger(seconds) ? "within ten" : retryAfter
}

describe("by IP range", () => {
  test("429: after thirty failures for any names, the whole IP range waits", async () => {
    const names = Array.from({ length: 30 }, (_, at) => `guess-${at}`)
    expect(await fail(from("203.0.113.5"), names)).toEqual(names.map(() => 401))
    const neighbour = await from("203.0.113.77").signIn("elif")
    expect([neighbour.status, minutes(neighbour.headers.get("retry-after"))]).toEqual([
      429,
      "within ten",
    ])
    expect(neighbour.text).toContain('class="error"')
    expect(neighbour.headers.getSetCookie()).toEqual([])
  })

  test("303: another IP range does not", async () => {
    expect((await from("203.0.114.5").signIn("elif")).status).toBe(303)
  })

  test("an IP address that only the client claims is ignored", async () => {
    const claimed = from("198.51.100.1, 203.0.113.5")
    expect((await claimed.signIn("elif")).status).toBe(429)
  })
})

describe("by name", () => {
  const ten = (name: string) => Array.from({ length: 10 }, () => name)
  test("429: after ten guesses from one IP range, the name waits there", async () => {
    expect(await fail(from("10.0.0.1"), ten("marcus"))).toEqual(ten("").map(() => 401))
    const there = await from("10.0.0.2").signIn("marcus")
    expect([there.status, minutes(there.headers.get("retry-after"))]).toEqual([429, "within ten"])
  })

  test("303: in other ranges the right password is accepted, however many guess", async () => {
    for (const third of [1, 2, 3, 4, 5]) await fail(from(`10.0.${third}.1`), ten("marcus"))
    expect((await from("10.1.0.1").signIn("marcus")).status).toBe(303)
  })

  test("429: an unknown name waits in the same way", async () => {
    const visitor = from("10.3.0.1")
    for (const name of ["marcus", "nobody"]) await fail(visitor, ten(name))
    const form_token = await visitor.formToken("/login")
    const responseTo = async (name: string) => {
      const response = await visitor.post("/login", { form_token, name, password: "x" })
      const message = describeWait(Number(response.headers.get("retry-after")))
      const page = unescapeHtml(withoutFormTokens(response.text))
      const text = page.replaceAll(name, "NAME").replaceAll(message, "WAIT")
      return { status: response.status, text }
    }
    const unknown = await responseTo("nobody")
    expect(unknown.status).toBe(429)
    expect(unknown).toEqual(await responseTo("marcus"))
  })
})

test("422: guessing the password in a stolen session is limited too", async () => {
  const thief = from("198.18.0.1")
  await thief.signIn("elif")
  const form_token = await thief.formToken()
  const password = "mine from now on"
  const guess = async (current: string) => {
    const fields = { form_token, current, password, repeat: password }
    const { text } = await thief.post("/workspace/elif/settings/security/password", fields)
    return /id="current-error">(.*?)<\/p>/.exec(unescapeHtml(text))?.[1]
  }
  for (let i = 0; i < 10; i += 1) expect(await guess("not this one")).toBe("Wrong password.")
  expect(await guess(samplePassword)).toBe(describeWait(600))
  expect((await from("198.19.0.1").signIn("elif")).status).toBe(303)
})

describe("right passwords", () => {
  /** Blocks Argon2 for this author until the test continues it. */
  async function holdPasswordOf(username: string) {
    const person = await program.app.store.people.findByName(username)
    const stored = await program.app.store.passwords.find(person?.id ?? 0)
    const { verify } = Bun.password
    const end = Promise.withResolvers<void>()
    const spy = spyOn(Bun.password, "verify").mockImplementation(async (password, hash) => {
      if (hash === stored) await end.promise
      return verify(password, hash)
    })
    return {
      end() {
        spy.mockRestore()
        end.resolve()
      },
    }
  }

  /** Resolves when the password of this author is looked up, right before it is verified. */
  async function watchLookUp(username: string) {
    const { passwords, people } = program.app.store
    const { id = 0 } = (await people.findByName(username)) ?? {}
    const { find } = passwords
    const isLookedUp = Promise.withResolvers<void>()
    const spy = spyOn(passwords, "find").mockImplementation((personId) => {
      if (personId === id) setImmediate(isLookedUp.resolve)
      return find(personId)
    })
    return { happened: isLookedUp.promise.finally(() => spy.mockRestore()) }
  }

  test("303: one author who signs in at full rate from ten IP ranges blocks nobody else", async () => {
    await addOperator(program, "deniz")
    const visitors = Array.from({ length: 100 }, (_, at) => from(`10.4.${at % 10}.1`))
    const tokens = await Promise.all(visitors.map((visitor) => visitor.formToken("/login")))
    const [other, operator] = [from("10.5.0.1"), from("10.5.0.1")]
    const otherToken = await other.formToken("/login")
    const held = await holdPasswordOf("elif")
    const areRejected = Promise.withResolvers<void>()
    let rejected = 0
    const floods = visitors.map(async (visitor, at) => {
      const form = { form_token: tokens[at] ?? "", name: "elif", password: samplePassword }
      const { status } = await visitor.post("/login", form)
      if (status !== 303) rejected += 1
      if (rejected === 50) areRejected.resolve()
      return status
    })
    await areRejected.promise

    const operating = signInOperator(operator, "deniz")
    const lookUp = await watchLookUp("marcus")
    const form = { form_token: otherToken, name: "marcus", password: samplePassword }
    const entering = other.post("/login", form)
    await lookUp.happened
    held.end()
    expect([(await entering).status, (await operating).status]).toEqual([303, 303])
    // 503: on a busy machine the database may not respond to one of them in time.
    const statuses = new Set(await Promise.all(floods)).difference(new Set([503]))
    expect(statuses).toEqual(new Set([303, 429]))
  })
})

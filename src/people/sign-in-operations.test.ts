import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test"
import { lowestCost } from "../../tests/harness/program.ts"
import { type SignInAttempt, signIn } from "../../tests/harness/sign-in.ts"
import {
  homeIpRange,
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../tests/harness/stores/small-store.ts"
import { addPerson } from "../../tests/harness/stores/store-records.ts"
import { DomainError } from "../platform/error.ts"
import type { Person } from "./person.ts"
import { setPassword } from "./security-operations.ts"
import { SignInRejected } from "./sign-in-throttle.ts"

const password = "nar bülbül pencere"
const away = "198.51.100.0/24"

let small: SmallStore
let ada: Person
beforeEach(async () => {
  small = await openSmallStore()
  ada = await small.ownerOf(small.ada)
  await setPassword(small.services, ada, password)
})
afterEach(() => small.close())

const right: SignInAttempt = {
  name: "ada",
  password,
  code: "",
  ipRange: homeIpRange,
  device: "Firefox",
}
const attempt = (changes: Partial<SignInAttempt> = {}) =>
  signIn(small.services, { ...right, ...changes })
/** Seconds to wait; -1 after a successful sign-in. */
const waitOf = (changes: Partial<SignInAttempt>) =>
  attempt(changes).then(
    () => -1,
    (error) => {
      if (error instanceof SignInRejected) return error.retryAfterSeconds
      throw error
    },
  )
const fail = async (times: number, changes: (index: number) => Partial<SignInAttempt>) => {
  for (let index = 0; index < times; index++) {
    const source = { name: "ada", ipRange: away, ...changes(index) }
    await rejectionOf(small.services.throttle.attempt(source, async () => null))
  }
}

describe("signing in", () => {
  test.each(["ada", "Ada", "ADA", "ada@example.com", "ADA@Example.COM"])(
    "by %s opens a session",
    async (name) => {
      const { person, session, token } = await attempt({ name })
      const at = "2026-06-15T12:00:00Z"
      expect(person).toEqual(ada)
      expect(session).toEqual({
        id: session.id,
        personId: ada.id,
        ipRange: homeIpRange,
        device: "Firefox",
        isByPasskey: false,
        createdAt: at,
        lastSeenAt: at,
        confirmedAt: at,
      })
      const { sessions, tokens } = small.services
      expect(await sessions.findByToken(tokens.digest(token))).toEqual(session)
    },
  )

  test("creates a new token and a new session every time", async () => {
    const [one, other] = [await attempt(), await attempt()]
    expect(new Set([one.token, other.token, one.session.id, other.session.id]).size).toBe(4)
    expect(one.session.id).not.toContain(one.token)
  })

  test("stores at most 200 characters of the user agent", async () => {
    const { session } = await attempt({ device: "x".repeat(10_000) })
    expect(session.device).toBe("x".repeat(200))
  })

  test("accepts the longest password, and no text that only begins with it", async () => {
    const longest = "🦜🐈🌱🎈 on a roof, ".repeat(20).slice(0, 264)
    await setPassword(small.services, ada, longest)
    expect((await attempt({ password: longest })).person).toEqual(ada)
    expect(await waitOf({ password: `${longest}x` })).toBe(0)
    expect(await waitOf({ password: longest.slice(0, 256) })).toBe(0)
  })

  test("prefers a name, then an email address", async () => {
    await addPerson(small.services, "ada@example.com", "zoe@example.com")
    expect(await waitOf({ name: "ada@example.com" })).toBe(0)
    expect((await attempt({ name: "ada" })).person).toEqual(ada)
  })

  test("throws account_suspended while all accounts of the person are, unless they are an operator", async () => {
    const { accounts, people, operators } = small.services
    await accounts.setSuspended(small.ada.id, true, small.services.now())
    expect(await rejectionOf(attempt())).toBe(String(new DomainError("account_suspended")))
    expect(await waitOf({ password: "something else" })).toBe(0)
    await operators.insert(ada.id, "viewer")
    expect(await waitOf({})).toBe(-1)
    await operators.insert((await small.ownerOf(small.bob)).id, "admin")
    await operators.remove(ada.id)
    await people.putMember(small.bob.id, ada.id, "support", "2026-06-01T08:00:00Z")
    expect(await waitOf({})).toBe(-1)
  })
})

describe("rejected", () => {
  const wrong = String(new SignInRejected(0))
  const rejections: readonly (readonly [what: string, Partial<SignInAttempt>])[] = [
    ["a wrong password", { password: "something else" }],
    ["an empty password", { password: "" }],
    ["an unknown username", { name: "nobody" }],
    ["an unknown email address", { name: "nobody@example.com" }],
    ["an empty name", { name: "" }],
    ["somebody without a password", { name: "bob" }],
    ["somebody without a password, and none entered", { name: "bob", password: "" }],
    ["a part of an email address", { name: "@example.com" }],
  ]
  test.each(rejections)("with the same message, after one verification: %s", async (_, changes) => {
    using verifying = spyOn(Bun.password, "verify")
    using hashing = spyOn(Bun.password, "hash")
    expect(await rejectionOf(attempt(changes))).toBe(wrong)
    expect(await waitOf(changes)).toBe(0)
    const costs = verifying.mock.calls.map(([, hash]) => String(hash).split("$").slice(1, 4))
    const { memoryCost, timeCost } = lowestCost
    const cost = ["argon2id", "v=19", `m=${memoryCost},t=${timeCost},p=1`]
    expect({ costs, hashed: hashing.mock.calls.length }).toEqual({ costs: [cost, cost], hashed: 0 })
    expect(await small.services.sessions.list(ada.id)).toEqual([])
  })

  test("an email address that two people share finds neither", async () => {
    await addPerson(small.services, "zoe", "Ada@example.com")
    expect(await rejectionOf(attempt({ name: "ada@example.com" }))).toBe(wrong)
    expect((await attempt({ name: "ada" })).person).toEqual(ada)
  })

  test("a password that was changed during its verification", async () => {
    const { hasher, passwords } = small.services
    const slow = {
      ...hasher,
      async verify(given: string, hash: string | null) {
        const isCorrect = await hasher.verify(given, hash)
        await passwords.put(ada.id, await hasher.hash("another password"))
        return isCorrect
      },
    }
    expect(await rejectionOf(signIn({ ...small.services, hasher: slow }, right))).toBe(wrong)
    expect(await small.services.sessions.list(ada.id)).toEqual([])
  })

  test("a password that was changed just before the session was inserted", async () => {
    const { hasher, passwords, sessions } = small.services
    const late = {
      ...sessions,
      async insert(...session: Parameters<typeof sessions.insert>) {
        await passwords.put(ada.id, await hasher.hash("another password"))
        return sessions.insert(...session)
      },
    }
    expect(await rejectionOf(signIn({ ...small.services, sessions: late }, right))).toBe(wrong)
    expect(await sessions.list(ada.id)).toEqual([])
  })

  test("two-factor authentication that was enabled just before the session was inserted", async () => {
    const { sessions, twoFactor } = small.services
    const late = {
      ...sessions,
      async insert(...session: Parameters<typeof sessions.insert>) {
        await twoFactor.put(ada.id, "", {
          encrypted: new Uint8Array([1]),
          usedStep: 0,
          recoveryDigests: [],
        })
        return sessions.insert(...session)
      },
    }
    expect(await rejectionOf(signIn({ ...small.services, sessions: late }, right))).toBe(wrong)
    expect(await sessions.list(ada.id)).toEqual([])
  })
})

describe("throttled", () => {
  test("after ten failures from its IP range, even the correct password", async () => {
    await fail(9, () => ({}))
    expect(await waitOf({ password: "something else", ipRange: away })).toBe(0)
    expect(await waitOf({ ipRange: away })).toBe(600)
    small.clock.forward(600)
    expect(await waitOf({ ipRange: away })).toBe(-1)
  })

  test("without hashing", async () => {
    await fail(10, () => ({}))
    using verifying = spyOn(Bun.password, "verify")
    expect(await waitOf({ ipRange: away })).toBe(600)
    expect(verifying.mock.calls).toEqual([])
  })

  test("an unknown name, with the same lookups as an existing one", async () => {
    const look = async (name: string) => {
      const calls: string[] = []
      const { people, operators, passwords, sessions } = small.services
      const watch = <T extends object>(store: T): T =>
        new Proxy(store, {
          get(target, method) {
            calls.push(String(method))
            return Reflect.get(target, method)
          },
        })
      const watched = {
        ...small.services,
        people: watch(people),
        operators: watch(operators),
        passwords: watch(passwords),
        sessions: watch(sessions),
      }
      const wrong = { ...right, name, password: "something else", ipRange: away }
      const rejections: string[] = []
      for (let i = 0; i < 11; i += 1) rejections.push(await rejectionOf(signIn(watched, wrong)))
      return { calls, rejections }
    }
    expect(await look("nobody")).toEqual(await look("ada"))
    small.clock.forward(600)
    expect(await look("nobody@example.com")).toEqual(await look("ada@example.com"))
  })
})

describe("onSignIn reports", () => {
  async function reportsOf(
    changes: Partial<SignInAttempt>,
    services: Partial<SmallStore["services"]> = {},
  ) {
    const reports: unknown[] = []
    const onSignIn = async (...outcome: unknown[]) => void reports.push(outcome)
    await rejectionOf(
      signIn({ ...small.services, ...services, onSignIn }, { ...right, ...changes }),
    )
    return reports
  }

  test("a wrong password, and a throttled attempt", async () => {
    expect(await reportsOf({ password: "wrong" })).toEqual([["wrong", "ada", homeIpRange]])
    expect(await reportsOf({ name: "nobody" })).toEqual([["wrong", null, homeIpRange]])
    await fail(10, () => ({}))
    expect(await reportsOf({ ipRange: away })).toEqual([["throttled", "ada", away]])
  })

  test("nothing if the store fails, which says nothing about the password", async () => {
    const passwords = { ...small.services.passwords, find: () => Promise.reject(new Error("lost")) }
    expect(await reportsOf({}, { passwords })).toEqual([])
  })
})

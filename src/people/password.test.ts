import { afterEach, describe, expect, spyOn, test } from "bun:test"
import { DomainError } from "../platform/error.ts"
import {
  createPasswordHasher,
  listPasswordProblems,
  namesOf,
  type PasswordProblem,
} from "./password.ts"

const password = "nar bülbül pencere 🦜"
const costOf = (hash: string) => hash.split("$").slice(1, 4)
const owasp = ["argon2id", "v=19", "m=19456,t=2,p=1"]

describe("a password hash", () => {
  test("is Argon2id with 19 MB and two passes", async () => {
    expect(costOf(await createPasswordHasher().hash(password))).toEqual(owasp)
  })

  test("is different every time and does not contain the password", async () => {
    const { hash } = createPasswordHasher()
    const [one, other] = [await hash(password), await hash(password)]
    expect(one).not.toBe(other)
    expect(one).not.toContain("nar")
  })

  test("matches its password only", async () => {
    const { hash, verify } = createPasswordHasher()
    const stored = await hash(password)
    const attempts = [password, `${password} `, password.slice(1), password.toUpperCase(), ""]
    expect(await Promise.all(attempts.map((attempt) => verify(attempt, stored)))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test("does not match a text that is longer than any password, which is not normalized", async () => {
    const { hash, verify } = createPasswordHasher()
    const stored = await hash("-")
    const normalize = spyOn(String.prototype, "normalize")
    expect(await verify("\u0301\u0316".repeat(513), stored)).toBe(false)
    expect(normalize).not.toHaveBeenCalled()
    normalize.mockRestore()
  })

  test("matches in another process", async () => {
    const stored = await createPasswordHasher().hash(password)
    expect(await createPasswordHasher().verify(password, stored)).toBe(true)
  })
})

describe("without a hash", () => {
  test("no password matches", async () => {
    const { verify } = createPasswordHasher()
    const attempts = ["", password, "A".repeat(43)]
    expect(await Promise.all(attempts.map((attempt) => verify(attempt, null)))).toEqual([
      false,
      false,
      false,
    ])
  })

  test("verification costs the same as with a hash, also the first time", async () => {
    using hashing = spyOn(Bun.password, "hash")
    using verifying = spyOn(Bun.password, "verify")
    await createPasswordHasher().verify(password, null)
    const [[, compared] = []] = verifying.mock.calls
    expect({
      hashed: hashing.mock.calls.length,
      verified: verifying.mock.calls.length,
      cost: costOf(String(compared)),
    }).toEqual({ hashed: 0, verified: 1, cost: owasp })
  })
})

describe("the queue", () => {
  /** Replaces Argon2: each computation runs until the test ends it. */
  function holdArgon2() {
    const ends: ((hash: string) => void)[] = []
    let [running, most] = [0, 0]
    const spy = spyOn(Bun.password, "hash").mockImplementation(() => {
      running += 1
      most = Math.max(most, running)
      const { promise, resolve } = Promise.withResolvers<string>()
      ends.push((hash) => {
        running -= 1
        resolve(hash)
      })
      return promise
    })
    restore = () => spy.mockRestore()
    return { ends, most: () => most, started: () => ends.length }
  }
  let restore = () => {}
  afterEach(() => restore())

  test("runs at most two computations concurrently, in order", async () => {
    const argon2 = holdArgon2()
    const { hash } = createPasswordHasher()
    const hashes = Array.from({ length: 12 }, () => hash(password))
    for (let turn = 0; turn < 12; turn++) {
      await Bun.sleep(0)
      argon2.ends[turn]?.(`hash ${turn}`)
    }
    expect(await Promise.all(hashes)).toEqual(hashes.map((_, turn) => `hash ${turn}`))
    expect(argon2.most()).toBe(2)
  })

  test("gives a free slot to a queued computation before a new one", async () => {
    const argon2 = holdArgon2()
    const { hash } = createPasswordHasher()
    void hash("first")
    void hash("second")
    void hash("queued")
    argon2.ends[0]?.("")
    queueMicrotask(() => void hash("late"))
    await Bun.sleep(0)
    expect({ started: argon2.started(), most: argon2.most() }).toEqual({ started: 3, most: 2 })
  })

  test("rejects the 41st queued computation, and accepts new ones when the queue shrinks", async () => {
    const argon2 = holdArgon2()
    const { hash } = createPasswordHasher()
    const accepted = Array.from({ length: 42 }, () => hash(password))
    const rejection = await hash(password).catch((error) => error)
    expect(rejection).toBeInstanceOf(DomainError)
    expect(rejection.reason).toBe("unavailable")
    argon2.ends[0]?.("hash")
    await accepted[0]
    const late = hash(password)
    for (let turn = 1; turn < 43; turn++) {
      argon2.ends[turn]?.("hash")
      await Bun.sleep(0)
    }
    expect([...(await Promise.all(accepted)), await late].every((hash) => hash === "hash")).toBe(
      true,
    )
    expect(argon2.most()).toBe(2)
  })

  test("continues after a failed computation", async () => {
    const { verify, hash } = createPasswordHasher()
    const failures = Array.from({ length: 5 }, () => verify(password, "no hash at all"))
    const outcomes = await Promise.allSettled(failures)
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "rejected"))
    expect(costOf(await hash(password))).toEqual(owasp)
  })

  test("verifies unknown names again after the queue was full", async () => {
    const argon2 = holdArgon2()
    const { hash, verify } = createPasswordHasher()
    const accepted = Array.from({ length: 42 }, () => hash(password))
    expect((await verify(password, null).catch((error) => error)).reason).toBe("unavailable")
    for (let turn = 0; turn < 42; turn++) {
      argon2.ends[turn]?.("hash")
      await accepted[turn]
    }
    restore()
    expect(await verify(password, null)).toBe(false)
  })
})

const ada = { name: "ada-lovelace-1815", email: "Countess@example.com" }

const passwords: readonly (readonly [what: string, string, ...PasswordProblem[]])[] = [
  ["no characters", "", "too short"],
  ["11 characters", "kiraz deniz", "too short"],
  ["11 emoji, 22 units long", "🦀".repeat(11), "too short"],
  ["12 characters", "kiraz denizi"],
  ["256 emoji, 512 units long", "🦀".repeat(256)],
  ["257 characters", "x".repeat(257), "too long"],
  ["60,000 characters", "x".repeat(60_000), "too long"],
  ["the first common password", "!@#$%^&*()_+", "common"],
  ["a common one", "password1234", "common"],
  ["a common one in another case", "PassWord1234", "common"],
  ["a common one in Turkish", "FENERBAHÇE1907", "common"],
  ["a common one and more", "password1234 kiraz"],
  ["the name", "Ada-Lovelace-1815", "own name"],
  ["the email address", "countess@EXAMPLE.com", "own name"],
  ["a short name of the owner", "countess", "too short", "own name"],
  ["the name, which is common", "password1234", "own name", "common"],
]

test.each(passwords)("a password of %s", (_, password, ...problems) => {
  const person = problems.length < 2 ? ada : { ...ada, name: password }
  expect(listPasswordProblems(password, namesOf(person))).toEqual(problems)
})

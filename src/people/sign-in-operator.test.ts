import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { type SignInAttempt, signIn as signInPerson } from "../../tests/harness/sign-in.ts"
import {
  homeIpRange,
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../tests/harness/stores/small-store.ts"
import { commandLine } from "../access/actor.ts"
import type { Operator } from "./person.ts"
import { createOperator } from "./person-operations.ts"
import { setUpTwoFactor } from "./security-operations.ts"
import { SignInRejected } from "./sign-in-throttle.ts"
import { countTotpSteps, createTwoFactorCipher, totpAt } from "./two-factor.ts"

const password = "kiraz deniz pencere"
const cipher = createTwoFactorCipher(new Uint8Array(32).fill(7))

let small: SmallStore
let deniz: Operator
beforeEach(async () => {
  small = await openSmallStore()
  const services = { ...small.services, actor: commandLine }
  await createOperator(services, { name: "deniz", email: null, role: "admin" }, password)
  const found = await small.services.operators.findByName("deniz")
  if (found === null) throw new Error("no operator")
  deniz = found
})
afterEach(() => small.close())

const signIn = (code = "", changes: Partial<SignInAttempt> = {}) =>
  signInPerson(small.services, {
    name: "deniz",
    password,
    ipRange: homeIpRange,
    device: "Firefox",
    code,
    ...changes,
  })
const isIn = (code?: string) =>
  signIn(code).then(
    ({ person }) => person.name === "deniz",
    (error) => {
      if (error instanceof SignInRejected && error.retryAfterSeconds === 0) return false
      throw error
    },
  )

const secret = cipher.createSecret()
const codeIn = (steps: number) => totpAt(secret, countTotpSteps(small.clock.now()) + steps)
/** A session in which the operator sets up two-factor authentication. */
const here = { id: "here" }
const setUp = async () =>
  (await setUpTwoFactor(small.services, deniz, here, { secret, typed: codeIn(0) })) ?? []
const wrong = String(new SignInRejected(0))

describe("without two-factor authentication", () => {
  test("name and password are enough, and a code is ignored", async () => {
    expect([await isIn(), await isIn("123456")]).toEqual([true, true])
  })

  test("a wrong password and an unknown name are the same rejection", async () => {
    const tries = [signIn("", { password: "another" }), signIn("", { name: "none" })]
    expect(await Promise.all(tries.map(rejectionOf))).toEqual([wrong, wrong])
  })
})

describe("with two-factor authentication", () => {
  test("the set-up requires a correct code", async () => {
    const code = codeIn(0) === "000000" ? "000001" : "000000"
    expect(await setUpTwoFactor(small.services, deniz, here, { secret, typed: code })).toBeNull()
    expect(await isIn()).toBe(true)
    expect((await setUp()).length).toBe(10)
    expect(await isIn()).toBe(false)
  })

  test("a code is accepted once; the code of the set-up and older codes are rejected", async () => {
    await setUp()
    expect(await isIn(codeIn(0))).toBe(false)
    small.clock.forward(60)
    const [before, current] = [codeIn(-1), codeIn(0)]
    expect(await isIn(current)).toBe(true)
    expect([await isIn(current), await isIn(before)]).toEqual([false, false])
  })

  test("wrong passwords use up no attempts at codes", async () => {
    await setUp()
    small.clock.forward(60)
    for (let index = 0; index < 9; index += 1) {
      expect(await rejectionOf(signIn("000000", { password: "another one" }))).toBe(wrong)
    }
    expect(await isIn(codeIn(0))).toBe(true)
  })

  test("a used code and the one before it are rejected, the next one is accepted in its time", async () => {
    await setUp()
    small.clock.forward(300)
    const [before, used, next] = [codeIn(-1), codeIn(0), codeIn(1)]
    expect([await isIn(used), await isIn(used), await isIn(before), await isIn(next)]).toEqual([
      ...[true, false, false, false],
    ])
    small.clock.forward(30)
    expect([await isIn(used), await isIn(next), await isIn(next)]).toEqual([false, true, false])
  })

  test("one of several concurrent uses of a code succeeds", async () => {
    await setUp()
    small.clock.forward(30)
    const tries = await Promise.all(Array.from({ length: 4 }, () => isIn(codeIn(0))))
    expect(tries.filter(Boolean)).toEqual([true])
  })

  test.each([
    [-1, true],
    [0, true],
    [1, false],
    [-2, false],
    [2, false],
  ])("a code of %d steps away: %p", async (steps, expected) => {
    await setUp()
    small.clock.forward(300)
    expect(await isIn(codeIn(steps))).toBe(expected)
  })

  test("a recovery code works once, in any spelling", async () => {
    const [first = "", second = ""] = await setUp()
    expect(await isIn(` ${first.toUpperCase().replaceAll("-", " ")} `)).toBe(true)
    expect([await isIn(first), await isIn(second), await isIn("no-such-code")]).toEqual([
      ...[false, true, false],
    ])
  })

  test("a wrong code or password uses up no code", async () => {
    const [first = ""] = await setUp()
    small.clock.forward(60)
    expect(await rejectionOf(signIn("000000"))).toBe(wrong)
    expect(await rejectionOf(signIn(first, { password: "another" }))).toBe(wrong)
    expect(await rejectionOf(signIn(codeIn(0), { password: "another" }))).toBe(wrong)
    expect([await isIn(first), await isIn(codeIn(0))]).toEqual([true, true])
  })

  test("after five wrong codes, only recovery codes are accepted for ten minutes", async () => {
    const [first = ""] = await setUp()
    small.clock.forward(60)
    const right = codeIn(0)
    const guess = right === "000000" ? "000001" : "000000"
    for (let i = 0; i < 5; i += 1) expect(await isIn(guess)).toBe(false)
    expect(await rejectionOf(signIn(right))).toBe(String(new SignInRejected(600)))
    expect(await isIn(first)).toBe(true)
    small.clock.forward(600)
    expect(await isIn(codeIn(0))).toBe(true)
  })
})

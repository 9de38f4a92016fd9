import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../tests/harness/stores/small-store.ts"
import { setPassword } from "./security-operations.ts"
import { findSession } from "./sign-in-operations.ts"

const password = "nar bülbül pencere"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

describe("setting a password", () => {
  test("makes the new one correct and the old one wrong", async () => {
    const { passwords, hasher } = small.services
    await setPassword(small.services, await small.ownerOf(small.ada), "the one before")
    await setPassword(small.services, await small.ownerOf(small.ada), password)
    const hash = await passwords.find((await small.ownerOf(small.ada)).id)
    const right = [await hasher.verify(password, hash), await hasher.verify("the one before", hash)]
    expect(right).toEqual([true, false])
    expect(await passwords.find((await small.ownerOf(small.bob)).id)).toBeNull()
  })

  test.each([
    ["x".repeat(9)],
    ["x".repeat(257)],
    ["1234567890"],
    ["Galatasaray1905"],
    ["ada@example.com"],
  ])("rejects %p and changes nothing", async (typed) => {
    const { services } = small
    const ada = await small.ownerOf(small.ada)
    await setPassword(services, ada, password)
    const before = await services.passwords.find(ada.id)
    const { token } = await small.enter(small.ada)
    expect(await rejectionOf(setPassword(services, ada, typed))).toStartWith("UserError: ")
    expect(await services.passwords.find(ada.id)).toBe(before)
    expect((await findSession(services, token))?.person).toEqual(ada)
  })
})

import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { inviteOwner } from "../../tests/harness/invite-owner.ts"
import {
  homeIpRange,
  openSmallStore,
  rejectionOf,
  type SmallStore,
} from "../../tests/harness/stores/small-store.ts"
import { acceptInvitation } from "./invitation-operations.ts"
import { setPassword } from "./security-operations.ts"

const password = "nar bülbül pencere"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

describe("an invitation", () => {
  test("finds its account any number of times until a password is chosen", async () => {
    const { token } = await inviteOwner(small.services, small.ada)
    expect([await small.invited(token), await small.invited(token)]).toEqual(["ada", "ada"])
    await setPassword(small.services, await small.ownerOf(small.ada), password)
    expect(await small.invited(token)).toBeNull()
  })

  test("is valid for seven days, and not a second longer", async () => {
    const { token } = await inviteOwner(small.services, small.ada)
    small.clock.forward(7 * 86_400 - 1)
    expect(await small.invited(token)).toBe("ada")
    small.clock.forward(1)
    expect(await small.invited(token)).toBeNull()
  })

  test("works after an earlier one was used: an operator may invite again", async () => {
    await setPassword(small.services, await small.ownerOf(small.ada), password)
    expect(await small.invited((await inviteOwner(small.services, small.ada)).token)).toBe("ada")
  })

  test("is stored as a digest, which is not a token", async () => {
    const { token } = await inviteOwner(small.services, small.ada)
    const digest = Buffer.from(small.services.tokens.digest(token))
    const guesses = ["", "ada", digest.toString("base64url"), digest.toString("hex"), `${token}x`]
    expect(await Promise.all(guesses.map(small.invited))).toEqual(guesses.map(() => null))
  })
})

describe("accepting an invitation", () => {
  const accept = async (token: string, chosen = password) => {
    const { services } = small
    const choice = { name: "ada", password: chosen }
    const from = { ipRange: homeIpRange, device: "" }
    const accepted = await acceptInvitation(services, token, choice, from)
    return accepted === "taken" ? accepted : (accepted?.person.name ?? null)
  }
  const isCorrect = async (typed: string) => {
    const { hasher, passwords } = small.services
    return hasher.verify(typed, await passwords.find((await small.ownerOf(small.ada)).id))
  }

  test("sets the password, once", async () => {
    const { token } = await inviteOwner(small.services, small.ada)
    expect(await accept(token)).toBe("ada")
    expect(await accept(token, "chosen by another")).toBeNull()
    expect([await isCorrect(password), await isCorrect("chosen by another")]).toEqual([true, false])
  })

  test("succeeds for one of several concurrent attempts", async () => {
    const { token } = await inviteOwner(small.services, small.ada)
    const names = await Promise.all(
      [1, 2, 3, 4].map((each) => accept(token, `${password} ${each}`)),
    )
    expect(names.filter((name) => name !== null)).toEqual(["ada"])
    const winner = names.indexOf("ada") + 1
    expect(await isCorrect(`${password} ${winner}`)).toBe(true)
  })

  test("changes nothing with an unknown, a used or an expired link", async () => {
    await setPassword(small.services, await small.ownerOf(small.ada), password)
    const { token } = await inviteOwner(small.services, small.ada)
    small.clock.forward(7 * 86_400)
    expect([await accept(token, "something else"), await accept("none", "something else")]).toEqual(
      [null, null],
    )
    expect(await isCorrect(password)).toBe(true)
  })

  test("rejects a common password and the account's own name, and does not use up the link", async () => {
    const { token } = await inviteOwner(small.services, small.ada)
    for (const typed of ["qwertyuiop", "ada.1234567"]) {
      expect(await rejectionOf(accept(token, typed))).toStartWith("UserError: ")
    }
    expect(await small.invited(token)).toBe("ada")
  })

  test("rejects a short password and does not use up the link", async () => {
    const { token } = await inviteOwner(small.services, small.ada)
    expect(await rejectionOf(accept(token, "short"))).toMatch(/^UserError: .*\b12\b.*\b256\b/)
    expect(await small.invited(token)).toBe("ada")
  })
})

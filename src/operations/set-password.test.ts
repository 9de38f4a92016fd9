import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  home,
  openSmallStore,
  refusalOf,
  type SmallStore,
} from "../../tests/harness/small-store.ts"
import { put } from "../../tests/harness/store-records.ts"
import { findSession } from "./find-session.ts"
import {
  acceptInvitation,
  findInvited,
  findPasswordProblem,
  inviteAccount,
  type PasswordProblem,
  setPassword,
} from "./set-password.ts"

const password = "nar bülbül pencere"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

const invited = async (token: string) =>
  (await findInvited(small.services, small.services.accounts, token))?.username ?? null

/** No pattern, whatever its length. */
const mixed = (length: number, first = 33) =>
  String.fromCodePoint(...Array.from({ length }, (_, at) => first + ((at * at * 7 + at * 31) % 89)))

const judged: readonly (readonly [what: string, string, PasswordProblem | null])[] = [
  ["nothing", "", "too short"],
  ["9 characters", mixed(9), "too short"],
  ["9 emoji, 18 units long", mixed(9, 0x1f400), "too short"],
  ["10 characters", mixed(10), null],
  ["10 blanks", " ".repeat(10), "common"],
  ["one character 256 times", "x".repeat(256), "common"],
  ["256 characters", mixed(256), null],
  ["256 emoji, 512 units long", mixed(256, 0x1f400), null],
  ["257 characters", "x".repeat(257), "too long"],
  ["as much as a form holds", "x".repeat(60_000), "too long"],
  ["a common word", "password12", "common"],
  ["the e-mail address", "Ada@Example.com", "own name"],
  ["the username and digits", "ada1234567", "own name"],
]

test.each(judged)("a password of %s", async (_, given, problem) => {
  expect(findPasswordProblem(given, small.ada)).toBe(problem)
})

test("the names of an account are no password for it, and one for another", () => {
  const owner = { username: "zumrut", body: '{"email":"kapı.tuz@kilim.example"}' }
  const names = ["zumrut2026", "ZÜMRÜT!!!!", "kapı.tuz@kilim.example", "kapituz123", "kapi tuz 12"]
  expect(names.map((name) => findPasswordProblem(name, owner))).toEqual(names.map(() => "own name"))
  expect(names.map((name) => findPasswordProblem(name, small.ada))).toEqual(names.map(() => null))
})

describe("setting a password", () => {
  test("makes that one right, and the one before wrong", async () => {
    const { passwords, hasher } = small.services
    await setPassword(small.services, small.ada, "the one before")
    await setPassword(small.services, small.ada, password)
    const hash = await passwords.find(small.ada.id)
    const right = [await hasher.verify(password, hash), await hasher.verify("the one before", hash)]
    expect(right).toEqual([true, false])
    expect(await passwords.find(small.bob.id)).toBeNull()
  })

  test("ends every session and invitation of the account, and of no other", async () => {
    const { services, ada, bob } = small
    const doors = async (of: typeof ada) => ({
      sessions: [await small.enter(of), await small.enter(of)],
      invitations: [await inviteAccount(services, of.id), await inviteAccount(services, of.id)],
    })
    const [adas, bobs] = [await doors(ada), await doors(bob)]
    await setPassword(services, ada, password)
    const open = async ({ sessions, invitations }: typeof adas) => [
      ...(await Promise.all(sessions.map(({ token }) => findSession(services, token)))),
      ...(await Promise.all(invitations.map(invited))),
    ]
    expect(await open(adas)).toEqual([null, null, null, null])
    expect((await open(bobs)).filter((each) => each === null)).toEqual([])
  })

  const common = "this password is among the first that are guessed; use a few unrelated words"
  test.each([
    ["x".repeat(9), "a password has 10 to 256 characters"],
    ["x".repeat(257), "a password has 10 to 256 characters"],
    ["1234567890", common],
    ["Galatasaray1905", common],
    [
      "ada@example.com",
      "a username or an e-mail address is no password; use a few unrelated words",
    ],
  ])("refuses %p and changes nothing", async (given, reason) => {
    const { services, ada } = small
    await setPassword(services, ada, password)
    const before = await services.passwords.find(ada.id)
    const { token } = await small.enter(ada)
    expect(await refusalOf(setPassword(services, ada, given))).toBe(`RefusedError: ${reason}`)
    expect(await services.passwords.find(ada.id)).toBe(before)
    expect((await findSession(services, token))?.account).toEqual(ada)
  })
})

describe("an invitation", () => {
  test("names its account, as often as it is looked at, until a password is chosen", async () => {
    const token = await inviteAccount(small.services, small.ada.id)
    expect([await invited(token), await invited(token)]).toEqual(["ada", "ada"])
    await setPassword(small.services, small.ada, password)
    expect(await invited(token)).toBeNull()
  })

  test("is good for seven days, and not a second longer", async () => {
    const token = await inviteAccount(small.services, small.ada.id)
    small.clock.forward(7 * 86_400 - 1)
    expect(await invited(token)).toBe("ada")
    small.clock.forward(1)
    expect(await invited(token)).toBeNull()
  })

  test("works again after the first was used: an operator may invite anew", async () => {
    await setPassword(small.services, small.ada, password)
    expect(await invited(await inviteAccount(small.services, small.ada.id))).toBe("ada")
  })

  test("is kept as a digest, which is no way in", async () => {
    const token = await inviteAccount(small.services, small.ada.id)
    const digest = Buffer.from(small.services.tokens.digest(token))
    const guesses = ["", "ada", digest.toString("base64url"), digest.toString("hex"), `${token}x`]
    expect(await Promise.all(guesses.map(invited))).toEqual(guesses.map(() => null))
  })

  test("is gone with its account", async () => {
    const token = await inviteAccount(small.services, small.bob.id)
    await put(small.services, { type: "deleted item", id: 3 })
    await put(small.services, { type: "deleted account", username: "bob" })
    expect(await invited(token)).toBeNull()
  })
})

describe("accepting an invitation", () => {
  const accept = async (token: string, chosen = password) => {
    const { services } = small
    const from = { network: home, device: "" }
    const signedIn = await acceptInvitation(services, services.accounts, token, chosen, from)
    return signedIn?.account.username ?? null
  }
  const isRight = async (given: string) => {
    const { hasher, passwords } = small.services
    return hasher.verify(given, await passwords.find(small.ada.id))
  }

  test("sets the password, once", async () => {
    const token = await inviteAccount(small.services, small.ada.id)
    expect(await accept(token)).toBe("ada")
    expect(await accept(token, "chosen by another")).toBeNull()
    expect([await isRight(password), await isRight("chosen by another")]).toEqual([true, false])
  })

  test("is for one of those who try at once", async () => {
    const token = await inviteAccount(small.services, small.ada.id)
    const names = await Promise.all(
      [1, 2, 3, 4].map((each) => accept(token, `${password} ${each}`)),
    )
    expect(names.filter((name) => name !== null)).toEqual(["ada"])
    const winner = names.indexOf("ada") + 1
    expect(await isRight(`${password} ${winner}`)).toBe(true)
  })

  test("changes nothing with an unknown, a used or an expired link", async () => {
    await setPassword(small.services, small.ada, password)
    const token = await inviteAccount(small.services, small.ada.id)
    small.clock.forward(7 * 86_400)
    expect([await accept(token, "something else"), await accept("none", "something else")]).toEqual(
      [null, null],
    )
    expect(await isRight(password)).toBe(true)
  })

  test("refuses a common password and the account's own name, and leaves the link as it was", async () => {
    const token = await inviteAccount(small.services, small.ada.id)
    for (const given of ["qwertyuiop", "ada.1234567"]) {
      expect(await refusalOf(accept(token, given))).toContain("use a few unrelated words")
    }
    expect(await invited(token)).toBe("ada")
  })

  test("refuses a short password and leaves the link as it was", async () => {
    const token = await inviteAccount(small.services, small.ada.id)
    expect(await refusalOf(accept(token, "short"))).toBe(
      "RefusedError: a password has 10 to 256 characters",
    )
    expect(await invited(token)).toBe("ada")
  })
})

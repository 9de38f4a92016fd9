import { afterEach, beforeEach, expect, test } from "bun:test"
import {
  AT,
  type Authenticator,
  type Ceremony,
  createAuthenticator,
  UP,
  UV,
} from "../../tests/harness/software-authenticator.ts"
import {
  homeIpRange,
  openSmallStore,
  rejectionOf,
  type SmallStore,
  smallStoreUrl,
} from "../../tests/harness/stores/small-store.ts"
import { commandLine } from "../access/actor.ts"
import { userHandleOf } from "./passkey.ts"
import type { Person } from "./person.ts"
import { addPasskey, removePasskey, removeTwoFactor } from "./security-operations.ts"
import { identifyByPasskey, startVerifiedSession } from "./sign-in-operations.ts"
import { SignInRejected } from "./sign-in-throttle.ts"

let small: SmallStore
let ada: Person
let bob: Person
let reports: unknown[]
beforeEach(async () => {
  small = await openSmallStore()
  ada = await small.ownerOf(small.ada)
  bob = await small.ownerOf(small.bob)
  reports = []
})
afterEach(() => small.close())

const services = () => ({
  ...small.services,
  onSignIn: async (...report: unknown[]) => {
    reports.push(report)
  },
})
const from = { ipRange: homeIpRange, device: "Firefox" }
const formToken = "form token"

const ceremony = (person: Person, changes: Partial<Ceremony>): Ceremony => ({
  challenge: small.services.passkeyVerifier.createChallenge(formToken),
  userHandle: userHandleOf(person.id),
  type: "webauthn.get",
  origin: smallStoreUrl,
  host: new URL(smallStoreUrl).host,
  crossOrigin: false,
  flags: UP | UV,
  counter: 0,
  ...changes,
})
const add = (authenticator: Authenticator, person = ada, counter = 0, name = " Telefon ") => {
  const creation = ceremony(person, { type: "webauthn.create", flags: UP | UV | AT, counter })
  const registration = { ...authenticator.register(creation), formToken, name }
  return addPasskey(services(), person, registration, small.ada)
}
const sign = (authenticator: Authenticator, person = ada, changes: Partial<Ceremony> = {}) => ({
  ...authenticator.sign(ceremony(person, changes)),
  formToken,
})
const signIn = async (assertion: ReturnType<typeof sign>) => {
  const identified = await identifyByPasskey(services(), assertion, from.ipRange)
  const signedIn = await startVerifiedSession(services(), identified, "passkey", from)
  if (signedIn === null) throw new Error("no session")
  return signedIn
}
const wrong = String(new SignInRejected(0))
const outcomeOf = (assertion: ReturnType<typeof sign>) =>
  signIn(assertion).then(
    ({ person }) => person.name,
    (error) => String(error),
  )
const eventsOf = async (person: Person) =>
  (await small.services.audit.list({ accountId: null, kind: "person" }, null, 9))
    .filter(({ subjectId }) => subjectId === person.name)
    .map(({ action, account }) => [action, account?.username])

test("a passkey signs in without name, password and code, and says so in the session", async () => {
  const authenticator = createAuthenticator("ed25519")
  expect(await add(authenticator)).toBe(true)
  await small.services.twoFactor.put(ada.id, "", {
    encrypted: new Uint8Array([1]),
    usedStep: 0,
    recoveryDigests: [],
  })
  const { person, session } = await signIn(sign(authenticator))
  expect(person).toEqual(ada)
  expect(await small.services.sessions.list(ada.id)).toEqual([session])
  expect(session).toMatchObject({ ...from, isByPasskey: true, confirmedAt: session.createdAt })
  const [passkey] = await small.services.passkeys.list(ada.id)
  expect(passkey).toMatchObject({ name: "Telefon", lastUsedAt: session.createdAt })
  expect(await eventsOf(ada)).toEqual([["passkey_added", "ada"]])
})

test("a response is accepted once, on all nodes", async () => {
  const authenticator = createAuthenticator("p256")
  await add(authenticator)
  const [first, second] = [sign(authenticator), sign(authenticator)]
  const outcomes = await Promise.all([first, first, first].map(outcomeOf))
  expect(outcomes.toSorted()).toEqual([wrong, wrong, "ada"])
  expect([await outcomeOf(second), await outcomeOf(second)]).toEqual(["ada", wrong])
  small.clock.forward(599)
  expect([await outcomeOf(first), await outcomeOf(second)]).toEqual([wrong, wrong])
})

test("a counter that did not grow is the copy of an authenticator", async () => {
  const authenticator = createAuthenticator("p256")
  await add(authenticator, ada, 5)
  const outcomes = []
  for (const counter of [5, 4, 0, 6, 6, 7])
    outcomes.push(await outcomeOf(sign(authenticator, ada, { counter })))
  expect(outcomes).toEqual([wrong, wrong, wrong, "ada", wrong, "ada"])
})

test("rejections say nothing, and are reported as of a password", async () => {
  const [own, other, unknown] = [1, 2, 3].map(() => createAuthenticator("p256"))
  if (own === undefined || other === undefined || unknown === undefined) throw new Error("none")
  await add(own)
  await add(other, bob)
  const attempts = [
    sign(unknown),
    sign(own, bob),
    { ...sign(other), id: own.id },
    sign(own, ada, { flags: UP }),
    { ...sign(own), formToken: "of another page" },
    { ...sign(own), id: "" },
  ]
  expect(new Set(await Promise.all(attempts.map(outcomeOf)))).toEqual(new Set([wrong]))
  const report = (name: string | null) => ["wrong", name, homeIpRange]
  expect(reports.toSorted()).toEqual(
    [null, "ada", "ada", "ada", "ada", null].map(report).toSorted(),
  )
  expect(await small.services.sessions.list(ada.id)).toEqual([])
  expect(await outcomeOf(sign(own))).toBe("ada")
})

test("ten wrong responses of an IP range are followed by waiting, elsewhere not", async () => {
  const authenticator = createAuthenticator("p256")
  await add(authenticator)
  for (let guess = 0; guess < 10; guess += 1)
    expect(await outcomeOf(sign(authenticator, bob))).toBe(wrong)
  expect(await outcomeOf(sign(authenticator))).toContain("too many attempts")
  expect(reports.at(-1)).toEqual(["throttled", "ada", homeIpRange])
  const elsewhere = "198.51.100.0/24"
  const { person } = await identifyByPasskey(services(), sign(authenticator), elsewhere)
  expect(person.name).toBe("ada")
})

test("a suspended account is named only after a correct response", async () => {
  const authenticator = createAuthenticator("p256")
  await add(authenticator)
  await small.services.accounts.setSuspended(small.ada.id, true, small.clock.now())
  expect(await outcomeOf(sign(authenticator, bob))).toBe(wrong)
  expect(await rejectionOf(signIn(sign(authenticator)))).toBe("DomainError: account_suspended")
  expect(reports.at(-1)).toEqual(["suspended", "ada", homeIpRange])
  await small.services.operators.insert(ada.id, "viewer")
  expect(await outcomeOf(sign(authenticator))).toBe("ada")
})

test("a password that was changed meanwhile ends the sign-in", async () => {
  const authenticator = createAuthenticator("p256")
  await add(authenticator)
  await small.services.passwords.put(ada.id, "a hash")
  const identified = await identifyByPasskey(services(), sign(authenticator), from.ipRange)
  await small.services.passwords.put(ada.id, "another hash")
  expect(await startVerifiedSession(services(), identified, "passkey", from)).toBeNull()
  expect(await outcomeOf(sign(authenticator))).toBe("ada")
})

test("an authenticator is registered once", async () => {
  const authenticator = createAuthenticator("p256")
  expect([await add(authenticator), await add(authenticator, bob)]).toEqual([true, false])
  expect(await eventsOf(bob)).toEqual([])
})

test("a removed passkey does not sign in, and others cannot remove it", async () => {
  const authenticator = createAuthenticator("p256")
  await add(authenticator)
  const remove = (person: Person) => removePasskey(services(), person, authenticator.id, small.ada)
  await remove(bob)
  expect(await outcomeOf(sign(authenticator))).toBe("ada")
  await remove(ada)
  await remove(ada)
  expect(await outcomeOf(sign(authenticator))).toBe(wrong)
  expect(await eventsOf(ada)).toEqual([
    ["passkey_removed", "ada"],
    ["passkey_added", "ada"],
  ])
})

test("removing the second factor of a lost phone removes its passkeys, also without 2FA", async () => {
  const authenticator = createAuthenticator("p256")
  await add(authenticator)
  await add(createAuthenticator("p256"))
  const remove = () => removeTwoFactor({ ...services(), actor: commandLine }, ada, small.ada)
  expect([await remove(), await remove()]).toEqual([true, false])
  expect(await outcomeOf(sign(authenticator))).toBe(wrong)
  expect((await eventsOf(ada)).map(([action]) => action)).toEqual([
    ...["passkey_removed", "passkey_added", "passkey_added"],
  ])
})

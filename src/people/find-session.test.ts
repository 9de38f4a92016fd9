import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { openSmallStore, type SmallStore } from "../../tests/harness/stores/small-store.ts"
import { put } from "../../tests/harness/stores/store-records.ts"
import { StoreUnavailable } from "../platform/error.ts"
import type { Person } from "./person.ts"
import { findSession } from "./sign-in-operations.ts"

let small: SmallStore
let token: string
let ada: Person
beforeEach(async () => {
  small = await openSmallStore()
  token = (await small.enter(small.ada, "Firefox")).token
  ada = await small.ownerOf(small.ada)
})
afterEach(() => small.close())

const hours = 3_600
const days = 24 * hours
const isOpen = async (of = token) => (await findSession(small.services, of)) !== null
const lastSeen = async () =>
  (await small.services.sessions.list(ada.id)).map(({ lastSeenAt }) => lastSeenAt)

test("a token finds its session and account", async () => {
  const [session] = await small.services.sessions.list(ada.id)
  expect(await findSession(small.services, token)).toEqual(
    session === undefined
      ? null
      : {
          session,
          person: ada,
          operator: null,
          memberships: [
            {
              accountId: small.ada.id,
              username: "ada",
              fullName: "",
              isSuspended: false,
              role: "owner",
            },
          ],
        },
  )
  expect(session?.device).toBe("Firefox")
})

test.each(["", "nobody's", "all", "session_1"])("the token %p finds nothing", async (other) => {
  expect(await findSession(small.services, other)).toBeNull()
})

test("neither a session's id nor the digest of its token is a token", async () => {
  const [session] = await small.services.sessions.list(ada.id)
  const digest = Buffer.from(small.services.tokens.digest(token))
  const guesses = [session?.id ?? "", digest.toString("base64url"), digest.toString("hex")]
  expect(await Promise.all(guesses.map((guess) => isOpen(guess)))).toEqual([false, false, false])
})

describe("a session that is not used", () => {
  test("is open for twelve hours, and not a second longer", async () => {
    small.clock.forward(12 * hours)
    expect(await isOpen()).toBe(true)
    small.clock.forward(12 * hours + 1)
    expect(await isOpen()).toBe(false)
  })

  test("has ended permanently: a clock that is set back does not reopen it", async () => {
    small.clock.forward(12 * hours + 1)
    await isOpen()
    small.clock.forward(-12 * hours)
    expect(await isOpen()).toBe(false)
  })
})

test("a session that is used every day is open for thirty days, and not a second longer", async () => {
  for (let day = 0; day < 60; day++) {
    small.clock.forward(0.5 * days)
    expect(await isOpen()).toBe(true)
  }
  small.clock.forward(1)
  expect(await isOpen()).toBe(false)
})

test("the last page view is written once a minute, not with every page", async () => {
  const seen: string[][] = []
  for (const seconds of [0, 60, 1, 30, 31]) {
    small.clock.forward(seconds)
    await isOpen()
    seen.push(await lastSeen())
  }
  expect(seen.flat()).toEqual([
    "2026-06-15T12:00:00Z",
    "2026-06-15T12:00:00Z",
    "2026-06-15T12:01:01Z",
    "2026-06-15T12:01:01Z",
    "2026-06-15T12:02:02Z",
  ])
})

test("a session seen before the clock was set back does not gain that time", async () => {
  small.clock.forward(-1 * hours)
  expect(await isOpen()).toBe(true)
  expect(await lastSeen()).toEqual(["2026-06-15T11:00:00Z"])
  small.clock.forward(12 * hours + 1)
  expect(await isOpen()).toBe(false)
})

test("a store that cannot be written does not end the session; other errors are thrown", async () => {
  small.clock.forward(1 * hours)
  const failWith = (error: Error) => {
    const sessions = { ...small.services.sessions, touch: () => Promise.reject(error) }
    return findSession({ ...small.services, sessions }, token)
  }
  expect(await failWith(new StoreUnavailable("the disk is full"))).toMatchObject({
    person: ada,
  })
  await expect(failWith(new Error("a bug"))).rejects.toThrow("a bug")
})

test("finding a session does not confirm its password", async () => {
  small.clock.forward(1 * hours)
  await isOpen()
  const [session] = await small.services.sessions.list(ada.id)
  expect([session?.lastSeenAt, session?.confirmedAt]).toEqual([
    "2026-06-15T13:00:00Z",
    "2026-06-15T12:00:00Z",
  ])
})

test("a signed-out session and a session of a deleted account are not found", async () => {
  const { token: bobs } = await small.enter(small.bob)
  await small.services.sessions.end(ada.id, "all")
  expect([await isOpen(), await isOpen(bobs)]).toEqual([false, true])
  await put(
    small.services,
    { type: "deleted item", id: 3 },
    { type: "deleted account", username: "bob" },
  )
  expect(await isOpen(bobs)).toBe(false)
})

test("a session of a suspended account ends when it is used, unless the person has another account", async () => {
  const { accounts, people } = small.services
  await accounts.setSuspended(small.ada.id, true, small.services.now())
  const [{ token: one }, { token: other }] = [
    await small.enter(small.ada),
    await small.enter(small.ada),
  ]
  expect(await isOpen(one)).toBe(false)
  await people.putMember(small.bob.id, ada.id, "support", "2026-06-01T08:00:00Z")
  expect([await isOpen(one), await isOpen(other)]).toEqual([false, true])
})

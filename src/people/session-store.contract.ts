import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { addPerson, type OpenEmpty } from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import type { Session } from "./session.ts"

export const sessionStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`SessionStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      ada = await addPerson(store, "ada")
      bob = await addPerson(store, "bob")
      for (const account of [ada, bob]) await store.passwords.put(account, "$hash")
    })
    afterEach(() => store.close())

    const digestOf = (id: string) => new TextEncoder().encode(`digest of ${id}`)
    const session = (id: string, changes: Partial<Session> = {}): Session => ({
      id,
      personId: ada,
      createdAt: "2026-06-01T08:00:00Z",
      lastSeenAt: "2026-06-01T09:00:00Z",
      confirmedAt: "2026-06-01T08:30:00Z",
      ipRange: "192.0.2.0/24",
      device: "Firefox, Türkçe 🦊",
      isByPasskey: id === "two",
      ...changes,
    })
    const insert = async (...sessions: readonly Session[]) => {
      for (const each of sessions) {
        expect(await store.sessions.insert(digestOf(each.id), each, "$hash")).toBe(true)
      }
    }
    const ids = async (account: number) => (await store.sessions.list(account)).map(({ id }) => id)

    test("finds a session by the digest of its token", async () => {
      await insert(session("one"), session("two", { personId: bob }))
      expect(await store.sessions.findByToken(digestOf("one"))).toEqual(session("one"))
    })

    test("returns null for an unknown token", async () => {
      await insert(session("one"))
      expect(await store.sessions.findByToken(digestOf("two"))).toBeNull()
      expect(await store.sessions.findByToken(new Uint8Array())).toBeNull()
    })

    test("rejects a token or an id that already exists", async () => {
      await insert(session("one"))
      await expect(
        store.sessions.insert(digestOf("one"), session("two", { personId: bob }), "$hash"),
      ).rejects.toThrow()
      await expect(
        store.sessions.insert(digestOf("two"), session("one"), "$hash"),
      ).rejects.toThrow()
      expect([await ids(ada), await ids(bob)]).toEqual([["one"], []])
    })

    test("inserts the session of a sign-in link with or without a password, unless the account was deleted", async () => {
      const cem = await addPerson(store, "cem")
      const insertLinked = (id: string) =>
        store.sessions.insert(digestOf(id), session(id, { personId: cem }), null)
      expect(await insertLinked("one")).toBe(true)
      await store.passwords.put(cem, "$hash")
      expect(await insertLinked("two")).toBe(true)
      expect(await ids(cem)).toEqual(["two"])
      await store.people.remove(cem)
      expect(await insertLinked("three")).toBe(false)
    })

    test("inserts nothing if the password has changed", async () => {
      expect(await store.sessions.insert(digestOf("one"), session("one"), "$other")).toBe(false)
      expect(await ids(ada)).toEqual([])
    })

    test("lists the sessions of an account, last seen first", async () => {
      await insert(
        session("middle", { lastSeenAt: "2026-06-02T00:00:00Z" }),
        session("oldest", { lastSeenAt: "2026-06-01T00:00:00Z" }),
        session("newest", { lastSeenAt: "2026-06-03T00:00:00Z" }),
        session("bob's", { personId: bob }),
      )
      expect(await ids(ada)).toEqual(["newest", "middle", "oldest"])
      expect(await store.sessions.list(bob)).toEqual([session("bob's", { personId: bob })])
      expect(await store.sessions.list(ada + bob + 1)).toEqual([])
    })

    test("records last seen and confirmation of one session", async () => {
      await insert(session("a"), session("b"), session("c"))
      await store.sessions.touch("a", "2026-06-01T10:00:00Z")
      await store.sessions.confirm("b", "2026-06-01T11:00:00Z")
      expect(await store.sessions.list(ada)).toEqual([
        session("a", { lastSeenAt: "2026-06-01T10:00:00Z" }),
        session("b", { confirmedAt: "2026-06-01T11:00:00Z" }),
        session("c"),
      ])
    })

    test("does not touch or confirm an ended session", async () => {
      await insert(session("one"))
      await store.sessions.end(ada, "one")
      await store.sessions.touch("one", "2026-06-01T10:00:00Z")
      await store.sessions.confirm("one", "2026-06-01T10:00:00Z")
      expect(await store.sessions.findByToken(digestOf("one"))).toBeNull()
    })

    test("ends one session, but no session of another account", async () => {
      await insert(session("one"), session("two"), session("bob's", { personId: bob }))
      await store.sessions.end(ada, "one")
      await store.sessions.end(ada, "bob's")
      expect([await ids(ada), await ids(bob)]).toEqual([["two"], ["bob's"]])
    })

    test("ends all sessions of one account", async () => {
      await insert(session("one"), session("two"), session("bob's", { personId: bob }))
      await store.sessions.end(ada, "all")
      expect([await ids(ada), await ids(bob)]).toEqual([[], ["bob's"]])
    })

    test("deletes sessions last seen or created before the timestamps", async () => {
      const seenAt = "2026-06-10T00:00:00Z"
      const bornAt = "2026-05-20T00:00:00Z"
      await insert(
        session("idle", { createdAt: bornAt, lastSeenAt: "2026-06-09T23:59:59Z" }),
        session("old", { createdAt: "2026-05-19T23:59:59Z", lastSeenAt: seenAt, personId: bob }),
        session("just in time", { createdAt: bornAt, lastSeenAt: seenAt }),
      )
      expect(await store.sessions.deleteExpired(seenAt, bornAt, 100)).toBe(2)
      expect([await ids(ada), await ids(bob)]).toEqual([["just in time"], []])
    })

    test("deletes in batches and returns the number", async () => {
      const names = Array.from({ length: 25 }, (_, index) => `session ${index}`)
      await insert(...names.map((name) => session(name)))
      const removed: number[] = []
      const later = "2027-01-01T00:00:00Z"
      for (let i = 0; i < 4; i += 1)
        removed.push(await store.sessions.deleteExpired(later, later, 10))
      expect(removed).toEqual([10, 10, 5, 0])
    })

    test("an owner has fifty sessions; the next one ends the oldest of this owner", async () => {
      const name = (index: number) => `session ${index}`
      const numbered = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => name(from + index))
      await insert(session("bob's", { personId: bob }))
      for (const [index, id] of numbered(0, 51).entries()) {
        await insert(
          session(id, { createdAt: `2026-06-01T0${index >> 5}:${10 + (index & 31)}:00Z` }),
        )
      }
      expect((await ids(ada)).toSorted()).toEqual(numbered(1, 51).toSorted())
      // The clock may have been set back.
      await insert(session("newest", { createdAt: "2026-05-01T00:00:00Z" }))
      expect((await ids(ada)).toSorted()).toEqual(["newest", ...numbered(2, 51)].toSorted())
      expect(await ids(bob)).toEqual(["bob's"])
    })

    test("deletes the sessions with their account", async () => {
      await insert(session("one"))
      await store.people.remove(ada)
      expect(await store.sessions.findByToken(digestOf("one"))).toBeNull()
    })
  })

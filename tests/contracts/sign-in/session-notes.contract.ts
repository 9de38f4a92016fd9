import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { notesMax, type SessionNote } from "../../../src/domain/sign-in/session.ts"
import type { SignInStores, Store } from "../../../src/domain/store.ts"
import type { SignInOwners } from "../sign-in-owners.ts"
import type { OpenEmpty } from "../store-records.ts"

export const sessionNoteStoreContract = (adapter: string, open: OpenEmpty, owners: SignInOwners) =>
  describe(`SessionNoteStore of ${owners.name} on ${adapter}`, () => {
    let store: Store
    let stores: SignInStores
    let ada: number
    beforeEach(async () => {
      store = await open()
      stores = owners.storesOf(store)
      ada = await owners.add(store, "ada")
      await stores.passwords.put(ada, "$hash")
      for (const id of ["here", "there"]) await enter(id)
    })
    afterEach(() => store.close())

    async function enter(id: string): Promise<void> {
      const at = "2026-06-01T08:00:00Z"
      const moments = { createdAt: at, lastSeenAt: at, confirmedAt: at }
      const session = { id, ownerId: ada, ...moments, network: "192.0.2.0/24", device: "" }
      await stores.sessions.insert(new TextEncoder().encode(id), session, "$hash")
    }
    const note = (id: string, changes: Partial<SessionNote> = {}): SessionNote => ({
      id,
      sessionId: "here",
      kind: "check",
      at: "2026-06-01T09:00:00Z",
      sealed: new Uint8Array([0, 1, 255]),
      ...changes,
    })
    const keep = async (...notes: readonly SessionNote[]) => {
      for (const each of notes) await stores.sessionNotes.put(each)
    }
    const ids = async (sessionId: string, kind: SessionNote["kind"] = "check") =>
      (await stores.sessionNotes.list(sessionId, kind)).map(({ id }) => id)

    test("finds a note as it was put", async () => {
      await keep(note("one"), note("two", { at: "2026-06-01T10:00:00Z" }))
      const { sealed, ...rest } = (await stores.sessionNotes.find(note("one"))) ?? note("none")
      expect([[...sealed], rest]).toEqual([
        [0, 1, 255],
        { id: "one", sessionId: "here", kind: "check", at: "2026-06-01T09:00:00Z" },
      ])
    })

    test("answers null for another session's note, another kind's, and one that never was", async () => {
      await keep(note("one"))
      const asked = [note("one", { sessionId: "there" }), note("one", { kind: "link" }), note("x")]
      const found = await Promise.all(asked.map((each) => stores.sessionNotes.find(each)))
      expect(found).toEqual([null, null, null])
    })

    test("lists the notes of one session and kind, newest first", async () => {
      await keep(note("one"), note("two"), note("x", { kind: "link" }))
      await keep(note("three"), note("y", { sessionId: "there" }))
      expect(await ids("here")).toEqual(["three", "two", "one"])
      expect([await ids("there"), await ids("here", "link")]).toEqual([["y"], ["x"]])
    })

    test("replaces a note that is put again, which is then the newest", async () => {
      await keep(note("one"), note("two"), note("one", { at: "2026-06-01T11:00:00Z" }))
      const listed = await stores.sessionNotes.list("here", "check")
      expect(listed.map(({ id, at }) => [id, at])).toEqual([
        ["one", "2026-06-01T11:00:00Z"],
        ["two", "2026-06-01T09:00:00Z"],
      ])
    })

    test("deletes the oldest of the same session and kind beyond ten", async () => {
      await keep(note("other kind", { kind: "link" }), note("elsewhere", { sessionId: "there" }))
      const names = Array.from({ length: notesMax + 2 }, (_, index) => `note ${index}`)
      await keep(...names.map((name) => note(name)))
      expect(await ids("here")).toEqual(names.slice(2).toReversed())
      expect([await ids("here", "link"), await ids("there")]).toEqual([
        ["other kind"],
        ["elsewhere"],
      ])
    })

    test("keeps one note when the same is put many times at once", async () => {
      await Promise.all(Array.from({ length: 8 }, () => keep(note("one"))))
      expect(await ids("here")).toEqual(["one"])
    })

    test("deletes one note, and no other session's", async () => {
      await keep(note("one"), note("two"), note("one", { sessionId: "there" }))
      await stores.sessionNotes.delete(note("one"))
      await stores.sessionNotes.delete(note("none"))
      expect([await ids("here"), await ids("there")]).toEqual([["two"], ["one"]])
    })

    test("loses the notes with their session, and keeps none for one that has ended", async () => {
      await keep(note("one"), note("y", { sessionId: "there" }))
      await stores.sessions.end(ada, "here")
      await keep(note("late"))
      await enter("here")
      expect([await ids("here"), await ids("there")]).toEqual([[], ["y"]])
    })
  })

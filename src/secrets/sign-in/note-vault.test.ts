import { expect, test } from "bun:test"
import fc from "fast-check"
import type { NoteIdentity } from "../../domain/sign-in/session.ts"
import { SealBroken } from "../../domain/values/error.ts"
import { createNoteVault } from "../vaults.ts"

const vault = createNoteVault(new Uint8Array(32).fill(7))
const identity: NoteIdentity = { sessionId: "session", kind: "check", id: "note" }

test("opens whatever was sealed, and never gives the same bytes twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const [one, other] = [vault.seal(text, identity), vault.seal(text, identity)]
      expect([vault.unseal(one, identity), vault.unseal(other, identity)]).toEqual([text, text])
      expect(one).not.toEqual(other)
    }),
  )
})

const strangers: readonly NoteIdentity[] = [
  { ...identity, sessionId: "another" },
  { ...identity, kind: "link" },
  { ...identity, id: "another" },
]
test.each(strangers)("opens for nobody else: %p", (stranger) => {
  const sealed = vault.seal("a purchase code", identity)
  expect(() => vault.unseal(sealed, stranger)).toThrow(SealBroken)
})

test("opens under no other master key", () => {
  const sealed = vault.seal("a purchase code", identity)
  const other = createNoteVault(new Uint8Array(32).fill(8))
  expect(() => other.unseal(sealed, identity)).toThrow(SealBroken)
})

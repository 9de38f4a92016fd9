import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  openSmallStore,
  refusalOf,
  type SmallStore,
} from "../../../tests/harness/stores/small-store.ts"
import { revealKey, revokeKey } from "./change-key.ts"
import { importKey, rotateKey } from "./issue-key.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

describe("revealing", () => {
  test("shows the same key again, as often as it is asked for", async () => {
    const { key, secret } = await small.issue()
    const stored = await small.find(key.id)
    const shown = [await revealKey(small.services, stored), await revealKey(small.services, stored)]
    expect(shown).toEqual([secret, secret])
  })

  test("shows an imported key as it was brought, and one that is being replaced", async () => {
    const { services, ada } = small
    const imported = importKey(services.vault, services.now, "ada", "kept-key")
    await services.keys.insert({ ...imported, accountId: ada.id, replacedBy: null })
    expect(await revealKey(services, await small.find(imported.id))).toBe("kept-key")
    const { key, secret } = await small.issue()
    await rotateKey(services, key, "7d")
    expect(await revealKey(services, await small.find(key.id))).toBe(secret)
  })

  test("is written down: which key, when and from where", async () => {
    const { key } = await small.issue()
    small.clock.forward(60)
    const actor = { kind: "operator", name: "op", network: "198.51.100.0/24" } as const
    await revealKey({ ...small.services, actor }, key)
    expect((await small.events()).slice(1)).toEqual([
      { ...small.keyEvent(key.id, "revealed", "2026-06-15T12:01:00Z"), actor },
    ])
  })

  test("is written down before the key is opened, and shows nothing when it cannot be", async () => {
    const { key } = await small.issue()
    const opened: string[] = []
    const { services } = small
    const vault = {
      unseal: (sealed: Uint8Array) => {
        opened.push("opened")
        return services.vault.unseal(sealed, key)
      },
    }
    const fail = () => Promise.reject(new Error("the disk is full"))
    const audit = { insert: fail, tally: fail }
    const recording = { audit, vault, now: services.now, actor: services.actor }
    expect(await refusalOf(revealKey(recording, key))).toBe("Error: the disk is full")
    expect(opened).toEqual([])
  })

  test("leaves its event even when the copy does not open", async () => {
    const { key } = await small.issue()
    await expect(revealKey(small.services, { ...key, id: "key_other" })).rejects.toThrow()
    expect((await small.events()).map(({ subjectId, action }) => [subjectId, action])).toEqual([
      [key.id, "created"],
      ["key_other", "revealed"],
    ])
  })

  test("is refused for a key that has ended, without an event", async () => {
    const [revoked, expired] = [
      await small.issue(),
      await small.issue({ expiresAt: "2026-06-15T12:00:10Z" }),
    ]
    await revokeKey(small.services, revoked.key)
    small.clock.forward(10)
    const before = await small.events()
    for (const { key } of [revoked, expired]) {
      const refusal = await refusalOf(revealKey(small.services, await small.find(key.id)))
      expect(refusal).toMatch(new RegExp(`^RefusedError: .*${key.id}`))
    }
    expect(await small.events()).toEqual(before)
  })
})

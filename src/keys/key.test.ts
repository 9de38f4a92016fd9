import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type ApiKey, issuedKinds, type KeyKind, type Operation } from "../contract/operation.ts"
import { encodeBase62 } from "../platform/crypto/cipher.ts"
import { InvalidRecord } from "../platform/schema.ts"
import {
  couldBeKey,
  extractSecret,
  findSuccessor,
  formatSecret,
  importedKey,
  isItemInScope,
  maskSecret,
  mayPerform,
  randomLength,
  type StoredKey,
} from "./key.ts"

const alphabet = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"]
const random = fc.string({
  unit: fc.constantFrom(...alphabet),
  minLength: randomLength,
  maxLength: randomLength,
})
const secret = fc
  .tuple(fc.constantFrom(...issuedKinds), random)
  .map(([kind, text]) => formatSecret(kind, text))

describe("an issued key", () => {
  test("has the form pzr_<kind>_<30 random><6 checksum> and a valid checksum", () => {
    fc.assert(
      fc.property(fc.constantFrom(...issuedKinds), random, (kind, text) => {
        const issued = formatSecret(kind, text)
        expect(issued).toMatch(new RegExp(`^pzr_${kind}_${text}[0-9A-Za-z]{6}$`))
        expect(couldBeKey(issued)).toBe(true)
      }),
    )
  })

  test("stays valid forever: a deployed key must still pass", () => {
    expect(formatSecret("sk", "0123456789ABCDEFGHIJKLMNOPQRST")).toBe(
      "pzr_sk_0123456789ABCDEFGHIJKLMNOPQRST1Jvuax",
    )
  })

  test("with any one character changed has a wrong checksum", () => {
    const issued = formatSecret("sk", "4fGh0aZZq91LmNoPqRsTuVwXyZ0123")
    const passing: string[] = []
    for (let at = "pzr_".length; at < issued.length; at++) {
      for (const character of [...alphabet, "_", "-", " ", "ı", "é", "😀", "\0"]) {
        const changed = issued.slice(0, at) + character + issued.slice(at + 1)
        if (changed !== issued && couldBeKey(changed)) passing.push(changed)
      }
    }
    expect(passing).toEqual([])
  })

  test("with two characters swapped, one missing or one too many is rejected", () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 7, max: 41 }), (issued, at) => {
        const [one, two] = [issued.charAt(at), issued.charAt(at + 1)]
        const swapped = issued.slice(0, at) + two + one + issued.slice(at + 2)
        const missing = issued.slice(0, at) + issued.slice(at + 1)
        const doubled = issued.slice(0, at) + one + issued.slice(at)
        const passing = [swapped, missing, doubled].filter(
          (changed) => changed !== issued && couldBeKey(changed),
        )
        expect(passing).toEqual([])
      }),
    )
  })

  test("is rejected with another kind", () => {
    const issued = formatSecret("vk", "a".repeat(randomLength))
    const kinds = ["sk", "tk", "xk", "imported"]
    const passing = kinds.filter((kind) => couldBeKey(issued.replace("_vk_", `_${kind}_`)))
    expect(passing).toEqual([])
  })
})

test("random bytes become base62 without bias", () => {
  const counts = new Map<string, number>()
  for (const character of encodeBase62(Uint8Array.from({ length: 256 }, (_, byte) => byte))) {
    counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(counts).toEqual(new Map(alphabet.map((character) => [character, 4])))
})

describe("a text is looked up as a key", () => {
  test.each(["a", "anything the operator's clients use", "PZR_sk_x", "pzr", "😀".repeat(255)])(
    "%p",
    (text) => {
      expect(couldBeKey(text)).toBe(true)
    },
  )

  test.each([
    "pzr_",
    "pzr_sk_",
    "pzr_ab_cd",
    `pzr_sk_${"a".repeat(36)}`,
    "\ud800",
    "a".repeat(511),
  ])("but not %p", (text) => {
    expect(couldBeKey(text)).toBe(false)
  })

  test("and so is every key that can be imported", () => {
    const character = fc.string({ unit: "binary", minLength: 1, maxLength: 1 })
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1, maxLength: 300 }), (text) => {
        fc.pre(checkImported(text) === "accepted")
        expect(couldBeKey(text)).toBe(true)
      }),
    )
  })
})

function checkImported(value: unknown): string {
  try {
    return importedKey(value, "api_key") === value ? "accepted" : "changed"
  } catch (error) {
    if (error instanceof InvalidRecord) return error.message
    throw error
  }
}

describe("an imported key", () => {
  test.each([
    "a",
    "old key with spaces",
    "ünïcode",
    `k${"😀".repeat(254)}`,
    "Pzr_x",
    "a".repeat(255),
  ])("%p is accepted unchanged", (value) => {
    expect(checkImported(value)).toBe("accepted")
  })

  const rejected: readonly unknown[] = [
    ...["", null, 12, " a", "a\u200b", "a".repeat(256), "😀".repeat(256), "a\0b", "a\ud800"],
    ...["null", "undefined", "N/A", "None", "0", "000", "-", "?"],
    formatSecret("sk", "a".repeat(randomLength)),
  ]
  test.each(rejected.map((value) => [value]))("%p is rejected", (value) => {
    expect(checkImported(value)).toStartWith("api_key: ")
  })
})

const keyOf = (kind: KeyKind, itemIds: ApiKey["itemIds"] = null): ApiKey => ({
  id: "key_1",
  accountId: 1,
  kind,
  itemIds,
  isSiteRequired: false,
  scope: null,
  expiresAt: null,
  revokedAt: null,
})

describe("rights", () => {
  const operations: readonly Operation[] = [
    "read_account",
    "list_items",
    "read_item",
    "validate_purchase",
  ]
  const rights: readonly (readonly [kind: KeyKind, allowed: readonly Operation[]])[] = [
    ["sk", operations],
    ["tk", operations],
    ["imported", operations],
    ["vk", ["validate_purchase"]],
  ]
  test.each(rights)("%s may perform %p and nothing else", (kind, allowed) => {
    expect(operations.filter((operation) => mayPerform(keyOf(kind), operation))).toEqual([
      ...allowed,
    ])
  })

  test("a key is limited to the selected items; without a selection it includes all", () => {
    const itemsInScope = (itemIds: ApiKey["itemIds"]) =>
      [1, 2, 3].filter((id) => isItemInScope(keyOf("vk", itemIds), id))
    expect([itemsInScope(null), itemsInScope([2]), itemsInScope([])]).toEqual([[1, 2, 3], [2], []])
  })
})

describe("a pasted key", () => {
  const notAlphanumeric = fc.string().map((text) => text.replace(/[0-9A-Za-z_]/g, "-"))

  test("is found inside any text", () => {
    fc.assert(
      fc.property(fc.string(), secret, notAlphanumeric, (before, key, after) => {
        expect(extractSecret(`${before} "${key}"${after}`)).toBe(key)
      }),
    )
  })

  test("with a wrong checksum is skipped in favor of the next one", () => {
    fc.assert(
      fc.property(secret, secret, (key, other) => {
        const damaged = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`
        expect(extractSecret(`${damaged} ${other}`)).toBe(other)
      }),
    )
  })

  test("of another form is the trimmed text", () => {
    expect(extractSecret("  my old key \n")).toBe("my old key")
  })
})

describe("a masked key", () => {
  test("shows its kind and its last four characters", () => {
    expect(maskSecret(formatSecret("vk", "a".repeat(30)))).toMatch(/^pzr_vk_…[0-9A-Za-z]{4}$/)
    expect(maskSecret("an imported key with a long name")).toBe("…name")
  })

  test("shows nothing of a short key, and at most a quarter of a long one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        const shown = maskSecret(text).slice("…".length)
        expect([...shown].length * 4).toBeLessThanOrEqual([...text].length)
        expect(text.endsWith(shown)).toBe(true)
      }),
    )
  })
})

describe("the successor of a rotated key", () => {
  const at = "2026-06-30T12:00:00Z"
  const old: StoredKey = {
    id: "key_old",
    accountId: 1,
    username: "ada",
    kind: "sk",
    name: "Server",
    itemIds: null,
    isSiteRequired: false,
    scope: null,
    lookup: new Uint8Array(),
    encrypted: new Uint8Array(),
    createdAt: "2026-01-01T00:00:00Z",
    expiresAt: at,
    revokedAt: null,
    replacedAt: at,
    replacedBy: null,
  }
  const storedKey = (id: string, changes: Partial<StoredKey> = {}): StoredKey => ({
    ...old,
    id,
    createdAt: at,
    expiresAt: null,
    replacedAt: null,
    ...changes,
  })

  test("is the key created at that time with the same rights, even if it was renamed", () => {
    const next = storedKey("key_next", { name: "Renamed" })
    const others = [
      storedKey("key_later", { createdAt: "2026-06-30T12:00:01Z" }),
      storedKey("key_vk", { kind: "vk" }),
      storedKey("key_items", { itemIds: [1] }),
    ]
    expect(findSuccessor([old, ...others, next], old)).toEqual(next)
  })

  test("is the key whose id was stored, even if others match", () => {
    const next = storedKey("key_b", { name: "Renamed", createdAt: "2026-06-30T12:00:01Z" })
    const replaced = { ...old, replacedBy: next.id }
    expect(findSuccessor([storedKey("key_a"), next, storedKey("key_c")], replaced)).toEqual(next)
    expect(findSuccessor([storedKey("key_a")], replaced)).toBeNull()
  })

  test("of an imported key is a secret key", () => {
    const next = storedKey("key_next")
    expect(findSuccessor([next], { ...old, kind: "imported" })).toEqual(next)
  })

  test("has the same name if two keys were created at that time", () => {
    const next = storedKey("key_next")
    expect(findSuccessor([storedKey("key_other", { name: "Other" }), next], old)).toEqual(next)
  })

  test("is null if several keys match", () => {
    expect(findSuccessor([old], old)).toBeNull()
    expect(findSuccessor([storedKey("key_a"), storedKey("key_b")], old)).toBeNull()
  })
})

import { describe, expect, test } from "bun:test"
import { issuedKinds } from "../contract/operation.ts"
import { createCanary, isSameCanary } from "../store/master-key.ts"
import { couldBeKey, createKeyCipher, type KeyIdentity } from "./key.ts"

const master = new Uint8Array(32).fill(7)
const otherMaster = new Uint8Array(32).fill(8)
const keyCipher = createKeyCipher(master)
const identity: KeyIdentity = { id: "key_1", accountId: 7, kind: "sk" }

describe("a new secret", () => {
  test.each([...issuedKinds])(
    "of kind %s has the documented format and a valid checksum",
    (kind) => {
      const secret = keyCipher.createSecret(kind)
      expect(secret).toMatch(new RegExp(`^pzr_${kind}_[0-9A-Za-z]{36}$`))
      expect(couldBeKey(secret)).toBe(true)
    },
  )

  test("and a new key id are unique", () => {
    const many = Array.from({ length: 1_000 }, () => keyCipher.createSecret("sk"))
    const ids = Array.from({ length: 1_000 }, keyCipher.createKeyId)
    expect([new Set(many).size, new Set(ids).size]).toEqual([1_000, 1_000])
  })

  test("a key id has a prefix of its own", () => {
    expect(keyCipher.createKeyId()).toMatch(/^key_[0-9A-Za-z]{16}$/)
  })
})

describe("a key id that is derived from a text", () => {
  test("is the same in every process and has the format of a key id", () => {
    const ids = [keyCipher.deriveKeyId("1 form"), createKeyCipher(master).deriveKeyId("1 form")]
    expect(ids[0]).toBe(ids[1] ?? "")
    expect(ids[0]).toMatch(/^key_[0-9A-Za-z]{16}$/)
  })

  test("differs for another text and under another master key", () => {
    const texts = Array.from({ length: 1_000 }, (_, index) => keyCipher.deriveKeyId(`1 ${index}`))
    const others = createKeyCipher(otherMaster).deriveKeyId("1 0")
    expect(new Set([...texts, others]).size).toBe(1_001)
  })
})

describe("the lookup value", () => {
  test("is the same for a secret in every process with this master key", () => {
    expect(createKeyCipher(master).lookup("secret")).toEqual(keyCipher.lookup("secret"))
  })

  test("does not change between releases: stored keys must be found", () => {
    expect(Buffer.from(keyCipher.lookup("secret")).toString("hex")).toBe(
      "8862f37cc8fdccd503ea786216929489513a69257aa98c6e710c1c81c4dc489e",
    )
  })

  test("differs for another secret and under another master key", () => {
    const values = [
      keyCipher.lookup("secret"),
      keyCipher.lookup("Secret"),
      createKeyCipher(otherMaster).lookup("secret"),
    ]
    expect(new Set(values.map((value) => Buffer.from(value).toString("hex"))).size).toBe(3)
  })
})

describe("an encrypted copy", () => {
  test.each(["pzr_sk_x", "ünïcode 😀", "a"])("of %p decrypts for its identity", (secret) => {
    expect(keyCipher.decrypt(keyCipher.encrypt(secret, identity), identity)).toBe(secret)
  })

  test("is different every time and does not contain the secret", () => {
    const copies = Array.from({ length: 100 }, () =>
      Buffer.from(keyCipher.encrypt("secret", identity)),
    )
    expect(new Set(copies.map((copy) => copy.toString("hex"))).size).toBe(100)
    expect(copies.filter((copy) => copy.includes("secret"))).toEqual([])
  })

  const others: readonly (readonly [what: string, identity: KeyIdentity])[] = [
    ["id", { ...identity, id: "key_2" }],
    ["account", { ...identity, accountId: 8 }],
    ["kind", { ...identity, kind: "vk" }],
    ["division between id and account", { ...identity, id: "key_", accountId: 17 }],
  ]
  test.each(others)("does not decrypt for another %s", (_, other) => {
    const encrypted = keyCipher.encrypt("secret", identity)
    expect(() => keyCipher.decrypt(encrypted, other)).toThrow()
  })

  test("does not decrypt with another master key", () => {
    const encrypted = keyCipher.encrypt("secret", identity)
    expect(() => createKeyCipher(otherMaster).decrypt(encrypted, identity)).toThrow()
  })

  test("does not decrypt if any bit is flipped", () => {
    const encrypted = keyCipher.encrypt("secret", identity)
    const decrypted: number[] = []
    for (let bit = 0; bit < encrypted.length * 8; bit++) {
      const changed = Uint8Array.from(encrypted)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      if (decrypts(changed)) decrypted.push(bit)
    }
    expect(decrypted).toEqual([])
  })

  test("does not decrypt if it is truncated at either end", () => {
    const encrypted = keyCipher.encrypt("secret", identity)
    const cuts = Array.from({ length: encrypted.length }, (_, length) => length)
    const decrypted = cuts.filter(
      (length) =>
        decrypts(encrypted.subarray(0, length)) ||
        decrypts(encrypted.subarray(encrypted.length - length)),
    )
    expect(decrypted).toEqual([])
  })
})

function decrypts(encrypted: Uint8Array): boolean {
  try {
    keyCipher.decrypt(encrypted, identity)
    return true
  } catch {
    return false
  }
}

test("a canary matches its master key only, and does not contain it", () => {
  const canary = createCanary(master)
  expect({
    isSame: isSameCanary(canary, createCanary(master)),
    matchesOther: isSameCanary(canary, createCanary(otherMaster)),
    isEmpty: isSameCanary(canary, ""),
    containsKey: canary.includes(Buffer.from(master).toString("base64")),
  }).toEqual({ isSame: true, matchesOther: false, isEmpty: false, containsKey: false })
})

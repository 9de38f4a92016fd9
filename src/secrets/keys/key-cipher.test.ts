import { describe, expect, test } from "bun:test"
import { couldBeKey, issuedKinds, type KeyIdentity } from "../../domain/keys/api-key.ts"
import { createCanary, createKeyCipher, isSameCanary } from "../ciphers.ts"

const master = new Uint8Array(32).fill(7)
const otherMaster = new Uint8Array(32).fill(8)
const keyCipher = createKeyCipher(master)
const identity: KeyIdentity = { id: "key_1", username: "elif", kind: "sk" }

describe("a new secret", () => {
  test.each([...issuedKinds])("of kind %s has its form and passes its checksum", (kind) => {
    const secret = keyCipher.createSecret(kind)
    expect(secret).toMatch(new RegExp(`^pzr_${kind}_[0-9A-Za-z]{36}$`))
    expect(couldBeKey(secret)).toBe(true)
  })

  test("and a new key id never come twice", () => {
    const many = Array.from({ length: 1_000 }, () => keyCipher.createSecret("sk"))
    const ids = Array.from({ length: 1_000 }, keyCipher.createKeyId)
    expect([new Set(many).size, new Set(ids).size]).toEqual([1_000, 1_000])
  })

  test("a key id can be typed and told from a key", () => {
    expect(keyCipher.createKeyId()).toMatch(/^key_[0-9A-Za-z]{16}$/)
  })
})

describe("a key id that is made of a text", () => {
  test("is the same in every process, and has the form of any other", () => {
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

describe("the look-up value", () => {
  test("is the same for a secret in every process with this master key", () => {
    expect(createKeyCipher(master).lookup("secret")).toEqual(keyCipher.lookup("secret"))
  })

  test("is the same in every release: stored keys must still be found", () => {
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

describe("a sealed copy", () => {
  test.each(["pzr_sk_x", "ünïcode 😀", "a"])("of %p opens for its own identity", (secret) => {
    expect(keyCipher.decrypt(keyCipher.encrypt(secret, identity), identity)).toBe(secret)
  })

  test("is never the same twice and does not show the secret", () => {
    const copies = Array.from({ length: 100 }, () =>
      Buffer.from(keyCipher.encrypt("secret", identity)),
    )
    expect(new Set(copies.map((copy) => copy.toString("hex"))).size).toBe(100)
    expect(copies.filter((copy) => copy.includes("secret"))).toEqual([])
  })

  const others: readonly (readonly [what: string, identity: KeyIdentity])[] = [
    ["id", { ...identity, id: "key_2" }],
    ["account", { ...identity, username: "ada" }],
    ["kind", { ...identity, kind: "vk" }],
    ["division between id and account", { ...identity, id: 'key_1","elif', username: "" }],
  ]
  test.each(others)("does not open for another %s", (_, other) => {
    const encrypted = keyCipher.encrypt("secret", identity)
    expect(() => keyCipher.decrypt(encrypted, other)).toThrow()
  })

  test("does not open under another master key", () => {
    const encrypted = keyCipher.encrypt("secret", identity)
    expect(() => createKeyCipher(otherMaster).decrypt(encrypted, identity)).toThrow()
  })

  test("does not open with any one bit turned over", () => {
    const encrypted = keyCipher.encrypt("secret", identity)
    const opened: number[] = []
    for (let bit = 0; bit < encrypted.length * 8; bit++) {
      const changed = Uint8Array.from(encrypted)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      if (opens(changed)) opened.push(bit)
    }
    expect(opened).toEqual([])
  })

  test("does not open when it was cut at either end", () => {
    const encrypted = keyCipher.encrypt("secret", identity)
    const cuts = Array.from({ length: encrypted.length }, (_, length) => length)
    const opened = cuts.filter(
      (length) =>
        opens(encrypted.subarray(0, length)) ||
        opens(encrypted.subarray(encrypted.length - length)),
    )
    expect(opened).toEqual([])
  })
})

function opens(encrypted: Uint8Array): boolean {
  try {
    keyCipher.decrypt(encrypted, identity)
    return true
  } catch {
    return false
  }
}

test("a canary recognises its master key and no other, and does not hold it", () => {
  const canary = createCanary(master)
  expect({
    isSame: isSameCanary(canary, createCanary(master)),
    isOthers: isSameCanary(canary, createCanary(otherMaster)),
    isEmpty: isSameCanary(canary, ""),
    holdsKey: canary.includes(Buffer.from(master).toString("base64")),
  }).toEqual({ isSame: true, isOthers: false, isEmpty: false, holdsKey: false })
})

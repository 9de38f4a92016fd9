import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { heldKey } from "../../../tests/harness/feed/arbitraries.ts"
import { sealKeyLine } from "../../../tests/harness/feed/sealed-lines.ts"
import type { FeedSecrets } from "../../domain/feed/feed.ts"
import { InvalidRecord } from "../../domain/values/shape.ts"
import { createKeyVault, createPasswordVault, createTravelVault } from "../../secrets/vaults.ts"
import type { Line } from "../../store/contracts/records.ts"
import { parseRecord } from "./record.ts"
import { renderKeyLine, renderPasswordLine } from "./secret-record.ts"

function openSecrets(seed: number): FeedSecrets & { keys: ReturnType<typeof createKeyVault> } {
  const master = new Uint8Array(32).fill(seed)
  const prepareKey = () => {
    throw new Error("no account is in this feed")
  }
  return {
    prepareKey,
    keys: createKeyVault(master),
    passwords: createPasswordVault(master),
    travel: createTravelVault(master),
    mayReplacePasswords: false,
  }
}
const secrets = openSecrets(7)
const { keys, passwords, travel } = secrets

function refusalOf(line: unknown, by = secrets): string {
  try {
    parseRecord(line, by)
    return "taken"
  } catch (error) {
    if (error instanceof InvalidRecord) return error.message
    throw error
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
const identity = { id: "key_0123456789abcdef", username: "elif", kind: "vk" } as const
const secret = keys.createSecret("vk")
const hash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"
const key = sealKeyLine(travel, secret, {
  type: "key",
  ...identity,
  name: "Theme updater",
  items: [1, 2],
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2027-01-01T00:00:00Z",
  revoked_at: "2026-03-01T00:00:00Z",
  replaced_at: "2026-02-01T00:00:00Z",
})
const password: Line = {
  type: "password",
  username: "elif",
  sealed: base64(passwords.seal(hash, "elif")),
}

test("a key's line becomes the key, found by the look-up value of its secret", () => {
  expect(parseRecord(key, secrets)).toEqual({
    type: "key",
    key: {
      ...identity,
      name: "Theme updater",
      itemIds: [1, 2],
      lookup: keys.lookup(secret),
      sealed: expect.any(Uint8Array),
      createdAt: "2026-01-01T00:00:00Z",
      expiresAt: "2027-01-01T00:00:00Z",
      revokedAt: "2026-03-01T00:00:00Z",
      replacedAt: "2026-02-01T00:00:00Z",
    },
  })
})

test("the stored copy is sealed again, bound to the key", () => {
  const parsed = parseRecord(key, secrets)
  if (parsed.type !== "key") throw new Error(`it became a ${parsed.type}`)
  expect(keys.unseal(parsed.key.sealed, identity)).toBe(secret)
  expect(base64(parsed.key.sealed)).not.toBe(key.sealed)
})

test("a password's line becomes the hash, and the hash the line", () => {
  const parsed = { type: "password" as const, username: "elif", hash, mayReplace: false }
  expect(parseRecord(password, secrets)).toEqual(parsed)
  expect(renderPasswordLine(passwords, parsed)).toBe(JSON.stringify(password))
})

test("for any key: exporting an imported line gives the same line", () => {
  fc.assert(
    fc.property(heldKey(travel, ["elif", "Çağla 😀", "__proto__"]), ({ secret, line }) => {
      const parsed = parseRecord(line, secrets)
      if (parsed.type !== "key") throw new Error(`it became a ${parsed.type}`)
      const text = renderKeyLine(secrets, parsed.key)
      expect(parseRecord(JSON.parse(text), secrets)).toEqual({
        type: "key",
        key: { ...parsed.key, sealed: expect.any(Uint8Array) },
      })
      expect(JSON.parse(text).sealed).toBe(line.sealed)
      expect(parsed.key.lookup).toEqual(keys.lookup(secret))
      expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(Object.keys(line).toSorted())
      expect(text.includes(secret) && secret.length > 30).toBe(false)
    }),
  )
})

test("a key whose name has a NUL can be moved", () => {
  const parsed = parseRecord(key, secrets)
  if (parsed.type !== "key") throw new Error(`it became a ${parsed.type}`)
  const line = JSON.parse(renderKeyLine(secrets, { ...parsed.key, name: "a\0b" }))
  expect(line).toEqual({ ...key, name: "ab" })
})

describe("a key's line is refused", () => {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(key).filter(([each]) => each !== name))
  const required = ["username", "id", "kind", "name", "created_at", "sealed"]
  test.each(required)("without %s", (name) => {
    expect(refusalOf(without(name))).toBe(`${name}: is missing`)
  })

  test.each(["items", "revoked_at", "replaced_at"])("no: %s may be left out", (name) => {
    const line = { ...without(name), ...identity }
    expect(refusalOf(sealKeyLine(travel, secret, line))).toBe("taken")
  })

  const isKeyId = "must be key_ and 16 letters or digits"
  const isMoment = "must be an ISO 8601 timestamp with a zone"
  const bad: readonly (readonly [what: string, changes: Line, refusal: string])[] = [
    ["with an unknown member", { lookup: "x" }, "lookup: is not a member the contract knows"],
    ["as a deletion", { deleted: true }, "deleted: is not a member the contract knows"],
    ["with an id of another form", { id: "key_1" }, `id: ${isKeyId}`],
    ["with an id that is a number", { id: 1 }, "id: must be a string"],
    ["with an unknown kind", { kind: "pk" }, "kind: must be one of sk, vk, tk, imported"],
    ["with a long name", { name: "😀".repeat(101) }, "name: must be at most 100 characters"],
    ["with a NUL in its name", { name: "a\0" }, "name: holds a NUL character"],
    [
      "with a choice of nothing",
      { items: [] },
      "items: must hold at least one entry; leave it out when there is none",
    ],
    [
      "with items that are no ids",
      { items: [1, "2"] },
      "items[1]: must be an integer from 1 to 9007199254740991",
    ],
    ["with null for all items", { items: null }, "items: must be a list"],
    ["with a word for a moment", { created_at: "today" }, `created_at: ${isMoment}`],
    ["with null for never", { expires_at: null }, "expires_at: must be a string"],
    [
      "with a moment that never was",
      { revoked_at: "2026-02-30T00:00Z" },
      "revoked_at: is a day or a time that does not exist",
    ],
    ["with what is not base64", { sealed: "###" }, "sealed: must be base64"],
    ["with base64 of another alphabet", { sealed: "-_-_" }, "sealed: must be base64"],
    ["with a list for bytes", { sealed: [1, 2] }, "sealed: must be a string"],
  ]
  test.each(bad)("%s", (_, changes, refusal) => {
    expect(refusalOf({ ...key, ...changes })).toBe(refusal)
  })

  test("with items unless it validates", () => {
    const sk = { ...identity, kind: "sk" as const }
    expect(refusalOf(sealKeyLine(travel, secret, { ...key, ...sk }))).toBe(
      "items: must be left out unless the kind is vk",
    )
  })

  test("when it was replaced but has no expiry", () => {
    expect(refusalOf(without("expires_at"))).toBe(
      "expires_at: is missing (a key that was replaced has an end)",
    )
  })
})

describe("a sealed copy opens only for its owner:", () => {
  const another = "sealed: was sealed under another master key, or for another"
  const moves: readonly (readonly [what: string, line: Line])[] = [
    ["another account", { ...key, username: "ada" }],
    ["another id", { ...key, id: "key_0000000000000000" }],
    ["another kind", { ...key, kind: "imported", items: undefined }],
    ["a password", { ...key, sealed: password.sealed }],
    ["nothing", { ...key, sealed: "" }],
    ["other items", { ...key, items: [1, 2, 3] }],
    ["all items", { ...key, items: undefined }],
    ["an earlier beginning", { ...key, created_at: "2025-01-01T00:00:00Z" }],
    ["a later end", { ...key, expires_at: "2028-01-01T00:00:00Z" }],
    ["no end", { ...key, expires_at: undefined, replaced_at: undefined }],
    ["no revocation", { ...key, revoked_at: undefined }],
    ["a later replacement", { ...key, replaced_at: "2026-04-01T00:00:00Z" }],
    ["a line of a store", { ...key, sealed: base64(keys.seal(secret, identity)) }],
  ]
  test.each(moves)("a key's copy does not open for %s", (_, line) => {
    expect(refusalOf(JSON.parse(JSON.stringify(line)))).toBe(`${another} key`)
  })

  test("a password's copy does not open for another account, nor does a key's", () => {
    expect(refusalOf({ ...password, username: "ada" })).toBe(`${another} account`)
    expect(refusalOf({ ...password, sealed: key.sealed })).toBe(`${another} account`)
  })

  test("neither opens under another master key", () => {
    expect(refusalOf(key, openSecrets(8))).toBe(`${another} key`)
    expect(refusalOf(password, openSecrets(8))).toBe(`${another} account`)
  })
})

test("a password's line is refused with anything else in it", () => {
  expect(refusalOf({ ...password, hash })).toBe("hash: is not a member the contract knows")
  expect(refusalOf({ type: "password", username: "elif" })).toBe("sealed: is missing")
  expect(refusalOf({ ...password, username: " elif" })).toBe(
    "username: must be 1 to 255 characters with no white space at its ends",
  )
})

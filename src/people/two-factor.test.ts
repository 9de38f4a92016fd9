import { expect, test } from "bun:test"
import fc from "fast-check"
import { DecryptionFailed } from "../platform/error.ts"
import { countTotpSteps, createTwoFactorCipher, hotp, normalizeCode, totpAt } from "./two-factor.ts"

const cipher = createTwoFactorCipher(new Uint8Array(32).fill(7))

/** "12345678901234567890" in base32: the secret of both RFCs. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

test("the codes match RFC 4226, appendix D", () => {
  const codes = Array.from({ length: 10 }, (_, counter) =>
    hotp(new TextEncoder().encode("12345678901234567890"), counter),
  )
  expect(codes).toEqual([
    ...["755224", "287082", "359152", "969429", "338314"],
    ...["254676", "287922", "162583", "399871", "520489"],
  ])
})

// The RFC lists eight digits. Pazar uses the last six.
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code matches RFC 6238, appendix B, at %d s", (seconds, code) => {
  expect(totpAt(secret, countTotpSteps(new Date(seconds * 1000)))).toBe(code)
})

test("only the exact code of a step is valid", () => {
  const isCode = (code: string) => cipher.isCodeAt(secret, 1, code)
  const attempts = ["287082", "287083", "87082", "2870820", "", "２８７０８２"]
  expect(attempts.map(isCode)).toEqual([true, false, false, false, false, false])
})

test("secrets and recovery codes have the documented length and are unique", () => {
  expect(cipher.createSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(cipher.createSecret()).not.toBe(cipher.createSecret())
  const codes = cipher.createRecoveryCodes()
  expect([codes.length, new Set(codes).size]).toEqual([10, 10])
  for (const code of codes) expect(code).toMatch(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/)
})

test("the digest of a recovery code ignores case, spaces and hyphens, and depends on the master key", () => {
  const digest = (code: string) => Buffer.from(cipher.recoveryDigest(code)).toString("hex")
  fc.assert(
    fc.property(fc.constantFrom(...cipher.createRecoveryCodes()), (code) => {
      const typed = [
        ` ${code}\n`,
        code.toUpperCase(),
        code.replaceAll("-", " "),
        normalizeCode(code),
      ]
      expect(typed.map(digest)).toEqual(typed.map(() => digest(code)))
    }),
    { numRuns: 5 },
  )
  const other = createTwoFactorCipher(new Uint8Array(32).fill(8))
  expect(Buffer.from(other.recoveryDigest("a")).toString("hex")).not.toBe(digest("a"))
})

test("a secret decrypts for its person only", () => {
  const encrypted = cipher.encrypt(secret, 1)
  expect(cipher.decrypt(encrypted, 1)).toBe(secret)
  expect(() => cipher.decrypt(encrypted, 2)).toThrow(DecryptionFailed)
  expect(Buffer.from(encrypted).toString("latin1")).not.toContain(secret)
})

import { createTokenCipher, type MasterKey, type MasterKeys } from "../platform/crypto/cipher.ts"

const passMsMax = 300_000

/** A pass proves for five minutes that its creator has the master key. */
export function createDoctorPasses(master: MasterKey | MasterKeys) {
  const { createToken, parseToken } = createTokenCipher<number, null>(master, "doctor", () => [])
  return {
    create: (nowMs: number) => createToken(nowMs, null),
    isValid(pass: string, nowMs: number): boolean {
      const createdMs = parseToken(pass, null)
      return createdMs !== null && Math.abs(nowMs - createdMs) <= passMsMax
    },
  }
}

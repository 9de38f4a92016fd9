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
/** How a server sees a caller behind a proxy: the response of `doctorPath` to `pazar doctor --outside`. */
export type SeenCaller = Readonly<{
  peer: string
  isPeerTrusted: boolean
  forwardedFor: string | null
  /** The IP address that limits and the log use. */
  client: string
}>

/** Unknown to every request without a pass, which only the owner of the master key can create. */
export const doctorPath = "/api/doctor"

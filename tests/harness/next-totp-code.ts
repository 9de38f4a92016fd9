import { setSystemTime } from "bun:test"
import { totpCode } from "./test-operators.ts"

/** The code after half a minute, which passes now. The caller resets the time: `setSystemTime()`. */
export function nextTotpCode(secret: string): string {
  setSystemTime(new Date(Date.now() + 30_000))
  return totpCode(secret)
}

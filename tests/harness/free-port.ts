import { hasErrorCode } from "../../src/platform/error.ts"

/**
 * A free port below 32768. The system assigns none of these to outgoing connections or to servers on port 0, so it
 * stays free.
 */
export function pickFreePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true)
      return port
    } catch (error) {
      if (!hasErrorCode(error, "EADDRINUSE")) throw error
    }
  }
}

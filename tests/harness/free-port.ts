import { hasErrorCode } from "../../src/domain/values/error.ts"

/**
 * A port on which nothing listens at the moment. The system gives none below 32768 to outgoing connections or to
 * others that ask for a free one, so nobody takes it before the server that it is for.
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

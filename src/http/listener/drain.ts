import { withTimeout } from "../../domain/values/time/timeout.ts"
import type { Server } from "../request/handler.ts"

export const drainMsMax = 10_000

/** Lets the requests in flight finish. The runtime would wait longer for a half-sent one; a stop must not. */
export async function drain(server: Server): Promise<void> {
  const isDone = await withTimeout(
    server.stop().then(() => true),
    drainMsMax,
    () => false,
  )
  if (!isDone) await server.stop(true)
}

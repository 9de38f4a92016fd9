import { StoreUnreachable } from "../../domain/store.ts"
import type { Log } from "../../log/log.ts"

const tryEveryMs = 1_000

/**
 * Opens a server's store, however long no database answers at its address: after a power cut both may start at
 * once. Null if `stopped` resolves meanwhile.
 */
export async function openOnceReachable<T>(
  open: () => Promise<T>,
  stopped: Promise<unknown>,
  log: Pick<Log, "failure">,
): Promise<T | null> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) throw error
      log.failure("waiting for the store", error)
    }
    const isStopped = await Promise.race([
      stopped.then(() => true),
      Bun.sleep(tryEveryMs).then(() => false),
    ])
    if (isStopped) return null
  }
}

/** The requests in flight on one thread. */
import type { InFlight } from "../domain/limits/request-limits.ts"

/** Bounds memory: a request in flight takes about 20 KB, and up to 64 KB more for its body. */
export const requestsMax = 2_000
/** Pages read more from the store than requests of the API, and must not keep these out. */
export const pagesMax = 200

export function createInFlight(): InFlight {
  let requests = 0
  let pages = 0
  function enter(): boolean {
    if (requests >= requestsMax) return false
    requests += 1
    return true
  }
  function leave(): void {
    requests -= 1
  }
  return {
    enter,
    leave,
    enterPage() {
      if (pages >= pagesMax || !enter()) return false
      pages += 1
      return true
    },
    leavePage() {
      pages -= 1
      leave()
    },
    async whilePaused(form) {
      pages -= 1
      requests -= 1
      try {
        return await form
      } finally {
        pages += 1
        requests += 1
      }
    },
    count: () => requests,
  }
}

import type { InFlight } from "../../keys/request-limits.ts"
import { createTurns } from "./turns.ts"

/** Requests in flight per thread. The limit bounds memory: a request takes about 20 KB, plus up to 64 KB for its body. */
export const requestsMax = 2_000
/** Pages need more database reads than API requests, so they get a smaller share. */
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
    takeTurn: createTurns(),
    count: () => requests,
  }
}

import type { FeedSecrets } from "../../../src/domain/feed/feed.ts"

const isNeverCalled = () => {
  throw new Error("these lines hold no secret")
}

/** For feeds without keys. */
export const noSecrets: FeedSecrets = {
  prepareKey: isNeverCalled,
  keys: { seal: isNeverCalled, unseal: isNeverCalled },
}

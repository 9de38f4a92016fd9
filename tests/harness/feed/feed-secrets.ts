import type { FeedSecrets } from "../../../src/domain/feed/feed-record.ts"

const isNeverCalled = () => {
  throw new Error("these lines hold no secret")
}

export const noSecrets: FeedSecrets = {
  prepareKey: isNeverCalled,
  keys: { encrypt: isNeverCalled, decrypt: isNeverCalled },
}

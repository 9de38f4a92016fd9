import type { FeedSecrets } from "../../../src/domain/feed/feed.ts"

const isNeverCalled = () => {
  throw new Error("these lines hold no secret")
}

/** For feeds without keys and passwords. */
export const noSecrets: FeedSecrets = {
  prepareKey: isNeverCalled,
  keys: { lookup: isNeverCalled, seal: isNeverCalled, unseal: isNeverCalled },
  passwords: { seal: isNeverCalled, unseal: isNeverCalled },
  travel: { sealKey: isNeverCalled, unsealKey: isNeverCalled, createFeedSeal: isNeverCalled },
  mayReplacePasswords: false,
}

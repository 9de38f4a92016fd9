import type { Awaitable } from "../domain/awaitable.ts"
import type { PrepareSigning } from "../domain/signed-answer.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import { createSignAnswer } from "./answer-signature.ts"
import { renderKeySet } from "./key-set.ts"
import type { KnownSigningKeys, OpenedKeys } from "./known-signing-keys.ts"

export type Signing = Readonly<{ prepareSigning: PrepareSigning; readKeySet(): Awaitable<string> }>

/** What a server does with the signing keys. `receiptDays` is how long a 200 can be relied on. */
export function createSigning(
  { find }: KnownSigningKeys,
  options: Readonly<{ now: () => Date; receiptDays: number }>,
): Signing {
  function withKeys<T>(use: (opened: OpenedKeys) => T): Awaitable<T> {
    const found = find()
    return found instanceof Promise ? found.then(use) : use(found)
  }
  return {
    prepareSigning: (challenge, kind) =>
      withKeys(({ signer }) => createSignAnswer(signer, challenge, kind, options)),
    readKeySet: () => withKeys(({ keys }) => renderKeySet(keys, formatTimestamp(options.now()))),
  }
}

import type { PrepareSigning } from "../domain/keys/signed-answer.ts"
import type { Awaitable } from "../domain/values/awaitable.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"
import { createSignAnswer } from "./answer-signature.ts"
import { renderKeySet } from "./key-set.ts"
import type { KnownSigningKeys, UnsealedKeys } from "./known-signing-keys.ts"

export type Signing = Readonly<{ prepareSigning: PrepareSigning; readKeySet(): Awaitable<string> }>

/** Signs answers and renders the key set. `receiptDays` is how long a 200 can be relied on. */
export function createSigning(
  { read }: KnownSigningKeys,
  options: Readonly<{ now: () => Date; receiptDays: number }>,
): Signing {
  function withKeys<T>(use: (unsealed: UnsealedKeys) => T): Awaitable<T> {
    const found = read()
    return found instanceof Promise ? found.then(use) : use(found)
  }
  return {
    prepareSigning: (challenge, kind) =>
      withKeys(({ signer }) => createSignAnswer(signer, challenge, kind, options)),
    readKeySet: () => withKeys(({ keys }) => renderKeySet(keys, formatTimestamp(options.now()))),
  }
}

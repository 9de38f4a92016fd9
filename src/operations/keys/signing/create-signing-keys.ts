import {
  createNextKey,
  type SigningKeyMaker,
  type SigningKeyStore,
} from "../../../domain/keys/signing-key.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"

export type SigningKeyServices = Readonly<{
  signingKeys: SigningKeyStore
  signingKeyMaker: SigningKeyMaker
  now: () => Date
}>

/** Gives a store without signing keys its first two. Of two programs at once, one makes them. */
export async function createSigningKeys(services: SigningKeyServices): Promise<void> {
  const { signingKeys, signingKeyMaker, now } = services
  if ((await signingKeys.list()).length > 0) return
  const at = formatTimestamp(now())
  const current = { ...createNextKey(signingKeyMaker, null, at), state: "current" } as const
  await signingKeys.replaceAll([], [current, createNextKey(signingKeyMaker, current, at)])
}

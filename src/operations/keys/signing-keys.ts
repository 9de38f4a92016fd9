import {
  createNextKey,
  listPublished,
  type SigningKey,
  type SigningKeyMaker,
  type SigningKeyStore,
} from "../../domain/keys/signing-key.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { daySeconds, formatTimestamp, secondsAfter } from "../../domain/values/time/timestamp.ts"

type SigningKeyServices = Readonly<{
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

export type SigningKeyRotation = SigningKeyServices & Readonly<{ receiptDays: number }>

/** Servers take a rotation over within a second; a minute also covers clocks that differ. */
const slackSeconds = 60

/** The next key becomes the current one, which retires until its last receipt has expired. */
export async function rotateSigningKey(
  services: SigningKeyRotation,
): Promise<readonly SigningKey[]> {
  const { now, receiptDays } = services
  const retiredUntil = secondsAfter(now(), receiptDays * daySeconds + slackSeconds)
  return changeKeys(services, (keys) => keys.map((key) => promote(key, retiredUntil)))
}

/** The key is removed at once, whatever its state, and so is every endorsement that it gave. */
export async function removeCompromisedKey(
  services: SigningKeyServices,
  id: string,
): Promise<readonly SigningKey[]> {
  return changeKeys(services, (keys) => {
    const compromised = keys.find((key) => key.id === id)
    if (compromised === undefined) throw new RefusedError(`there is no signing key ${id}`)
    const rest = keys.filter((key) => key !== compromised).map((key) => withoutEndorser(key, id))
    return compromised.state === "current" ? rest.map((key) => promote(key, null)) : rest
  })
}

function promote(key: SigningKey, retiredUntil: string | null): SigningKey {
  if (key.state === "next") return { ...key, state: "current" }
  return key.state === "current" ? { ...key, state: "retired", retiredUntil } : key
}

const withoutEndorser = (key: SigningKey, id: string): SigningKey => ({
  ...key,
  endorsements: key.endorsements.filter(({ by }) => by !== id),
})

/** Drops retired keys whose receipts have expired, and makes a next key where there is none any more. */
async function changeKeys(
  { signingKeys, signingKeyMaker, now }: SigningKeyServices,
  change: (keys: readonly SigningKey[]) => readonly SigningKey[],
): Promise<readonly SigningKey[]> {
  const at = formatTimestamp(now())
  const keys = await signingKeys.list()
  const kept = listPublished(change(keys), at)
  const current = kept.find(({ state }) => state === "current")
  if (current === undefined) {
    throw new RefusedError("there are no signing keys; run `pazar migrate`")
  }
  const hasNext = kept.some(({ state }) => state === "next")
  const made = hasNext ? [] : [createNextKey(signingKeyMaker, current, at)]
  const changed = listPublished([...kept, ...made], at)
  const expectedIds = keys.map(({ id }) => id)
  if (await signingKeys.replaceAll(expectedIds, changed)) return changed
  throw new RefusedError(
    "the signing keys were changed by somebody else; look at them and try again",
  )
}

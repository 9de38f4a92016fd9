import { requireRight } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import { recordEvent } from "../access/audit-operations.ts"
import { UserError } from "../platform/error.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import {
  type SigningKey,
  type SigningKeyMaker,
  type SigningKeyStore,
  sortByState,
} from "./signing-key.ts"

type SigningKeyCreation = Readonly<{
  signingKeys: SigningKeyStore
  signingKeyMaker: SigningKeyMaker
  now: () => Date
}>
export type SigningKeyServices = SigningKeyCreation & Recording

/** Creates the first two keys of a database. One of two concurrent calls succeeds. */
export async function createSigningKeys(services: SigningKeyCreation): Promise<void> {
  const { signingKeys, signingKeyMaker, now } = services
  if ((await signingKeys.list()).length > 0) return
  const at = formatTimestamp(now())
  const current = { ...createNextKey(signingKeyMaker, null, at), state: "current" } as const
  await signingKeys.replaceAll([], [current, createNextKey(signingKeyMaker, current, at)])
}

export async function rotateSigningKey(services: SigningKeyServices) {
  requireRight(services.actor, "operate")
  const keys = await changeKeys(services, (stored) => stored.map(promote))
  await recordEvent(services, { kind: "signing_key", action: "rotated" }, keys[0]?.id ?? "")
  return keys
}

/** Removes the key immediately, whatever its state, and every endorsement it gave. */
export async function removeCompromisedKey(
  services: SigningKeyServices,
  id: string,
): Promise<readonly SigningKey[]> {
  requireRight(services.actor, "operate")
  const changed = await changeKeys(services, (keys) => {
    const compromised = keys.find((key) => key.id === id)
    if (compromised === undefined) throw new UserError(`signing key ${id} does not exist`)
    const rest = keys.filter((key) => key !== compromised).map((key) => withoutEndorser(key, id))
    return compromised.state === "current" ? rest.map(promote) : rest
  })
  await recordEvent(services, { kind: "signing_key", action: "removed" }, id)
  return changed
}

function promote(key: SigningKey): SigningKey {
  if (key.state === "next") return { ...key, state: "current" }
  return key.state === "current" ? { ...key, state: "retired" } : key
}

const withoutEndorser = (key: SigningKey, id: string): SigningKey => ({
  ...key,
  endorsements: key.endorsements.filter(({ by }) => by !== id),
})

/** Creates a next key if none is left. */
async function changeKeys(
  { signingKeys, signingKeyMaker, now }: SigningKeyCreation,
  change: (keys: readonly SigningKey[]) => readonly SigningKey[],
): Promise<readonly SigningKey[]> {
  const at = formatTimestamp(now())
  const keys = await signingKeys.list()
  const remaining = change(keys)
  const current = remaining.find(({ state }) => state === "current")
  if (current === undefined) throw new UserError("no signing keys found; run `pazar migrate`")
  const hasNext = remaining.some(({ state }) => state === "next")
  const created = hasNext ? [] : [createNextKey(signingKeyMaker, current, at)]
  const changed = sortByState([...remaining, ...created])
  const expectedIds = keys.map(({ id }) => id)
  if (await signingKeys.replaceAll(expectedIds, changed)) return changed
  throw new UserError("the signing keys were changed concurrently; list them and try again")
}

function createNextKey(
  maker: SigningKeyMaker,
  predecessor: SigningKey | null,
  createdAt: Timestamp,
): SigningKey {
  const pair = maker.createPair()
  const endorsements = predecessor === null ? [] : [maker.endorse(predecessor, pair.id)]
  return { ...pair, state: "next", endorsements, createdAt }
}

/** Sealing under a sub-key of the master key: AES-256-GCM, laid out as nonce, text and tag. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"
import type { EndpointVault } from "../domain/events/endpoint.ts"
import type { EventVault } from "../domain/events/event.ts"
import {
  encodeBase62,
  formatSecret,
  type KeyIdentity,
  type KeyVault,
  randomLength,
} from "../domain/keys/api-key.ts"
import type { SigningKeyVault } from "../domain/keys/signing-key.ts"
import type { NoteVault } from "../domain/sign-in/session.ts"
import { SealBroken } from "../domain/values/error.ts"

const nonceBytes = 12
const tagBytes = 16

/** Each purpose has its own key, so a text sealed for one purpose does not open for another. */
export const subKey = (master: Uint8Array, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), `pazar ${purpose} v1`, 32))

/** The sealed text is bound to `owner`. A nonce must never be used for two texts under one key. */
function seal(
  key: Uint8Array,
  nonce: Uint8Array,
  text: string,
  owner: readonly string[],
): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(binding(owner))
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
}

/** Throws SealBroken unless it was sealed under this key, for this owner, and is whole. */
function unseal(key: Uint8Array, sealed: Uint8Array, owner: readonly string[]): string {
  if (sealed.length < nonceBytes + tagBytes) throw new SealBroken()
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(binding(owner)).setAuthTag(sealed.subarray(-tagBytes))
  const opened = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()]).toString("utf8")
  } catch (cause) {
    throw new SealBroken({ cause })
  }
}

const binding = (owner: readonly string[]) => Buffer.from(JSON.stringify(owner))

export type MasterKey = Uint8Array

/** The master key of a store, or two while it is replaced. */
export type MasterKeys = Readonly<{
  /** The one that seals. Throws StoreUnavailable if that is a new one which this process has not read yet. */
  sealing(): MasterKey
  /** All that may have sealed what is stored: the store's own, then a new one. */
  all(): readonly MasterKey[]
  /** The key of the digests of recovery codes; it stays when the master key is replaced. */
  recoveryKey(): Uint8Array
}>

const keysOf = (master: MasterKey | MasterKeys): MasterKeys =>
  master instanceof Uint8Array
    ? { sealing: () => master, all: () => [master], recoveryKey: () => recoveryKeyOf(master) }
    : master

/** A digest cannot be made anew without its code, so this key of the first master key is kept, sealed. */
export const recoveryKeyOf = (master: MasterKey) => subKey(master, "recovery code digest")

export const recoveryKeyFor = (master: MasterKey | MasterKeys) => keysOf(master).recoveryKey()

/** Derived once for each master key. */
function createSubKeys(purpose: string): (master: MasterKey) => Uint8Array {
  const known = new WeakMap<MasterKey, Uint8Array>()
  return (master) => {
    const key = known.get(master) ?? subKey(master, purpose)
    known.set(master, key)
    return key
  }
}

/** Texts of one purpose, each bound to its owner. */
export type Sealer<Owner> = Readonly<{
  seal(text: string, owner: Owner): Uint8Array
  unseal(sealed: Uint8Array, owner: Owner): string
}>

export function createSealer<Owner>(
  master: MasterKey | MasterKeys,
  purpose: string,
  bind: (owner: Owner) => readonly string[],
): Sealer<Owner> {
  const keys = keysOf(master)
  const keyOf = createSubKeys(`${purpose} seal`)
  return {
    seal: (text, owner) => seal(keyOf(keys.sealing()), randomBytes(nonceBytes), text, bind(owner)),
    unseal(sealed, owner) {
      let broken = new SealBroken()
      for (const key of keys.all()) {
        try {
          return unseal(keyOf(key), sealed, bind(owner))
        } catch (error) {
          if (!(error instanceof SealBroken)) throw error
          broken = error
        }
      }
      throw broken
    },
  }
}

const idLength = 16

/** 64 bytes give far more than 16 characters: only 8 of 256 values are skipped. */
const deriveId = (key: Uint8Array, text: string) =>
  encodeBase62(createHmac("sha512", key).update(text).digest()).slice(0, idLength)

/**
 * API keys at rest. One sub-key of the master key makes the look-up value, another seals the copy that
 * can be shown again. Without the master key the database reveals no key.
 */
export function createKeyVault(master: MasterKey | MasterKeys): KeyVault {
  const keys = keysOf(master)
  const lookupKeyOf = createSubKeys("key look-up")
  const idKeyOf = createSubKeys("key id")
  const lookUpBy = (secret: string, key: MasterKey) =>
    createHmac("sha256", lookupKeyOf(key)).update(secret).digest()
  return {
    createSecret: (kind) => formatSecret(kind, randomBase62(randomLength)),
    createKeyId: () => `key_${randomBase62(idLength)}`,
    deriveKeyId: (text) => `key_${deriveId(idKeyOf(keys.sealing()), text)}`,
    lookup: (secret) => lookUpBy(secret, keys.sealing()),
    lookups: (secret) => keys.all().map((key) => lookUpBy(secret, key)),
    // By name, not by row id: a sealed copy stays valid when the account moves to another store.
    ...createSealer<KeyIdentity>(master, "key", ({ id, username, kind }) => [id, username, kind]),
  }
}

function randomBase62(length: number): string {
  let text = ""
  while (text.length < length) text += encodeBase62(randomBytes(2 * length))
  return text.slice(0, length)
}

/** Stored to recognise the master key. It reveals nothing about the key. */
export function createCanary(master: MasterKey): string {
  return createHmac("sha256", subKey(master, "canary")).update("pazar").digest("base64")
}

export function isSameCanary(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const createSigningKeyVault = (master: MasterKey | MasterKeys): SigningKeyVault =>
  createSealer(master, "signing key", (id) => [id])

const secretBytes = 32

/** The id of an endpoint is bound, not its owner: an author may be renamed. */
export function createEndpointVault(master: MasterKey | MasterKeys): EndpointVault {
  const keys = keysOf(master)
  const idKeyOf = createSubKeys("webhook id")
  return {
    createEndpointId: () => `ep_${randomBase62(idLength)}`,
    deriveEndpointId: (text) => `ep_${deriveId(idKeyOf(keys.sealing()), text)}`,
    createSecret: () => `whsec_${randomBytes(secretBytes).toString("base64")}`,
    ...createSealer<string>(master, "webhook", (endpointId) => [endpointId]),
  }
}

export const createEventVault = (master: MasterKey | MasterKeys): EventVault =>
  createSealer<string>(master, "event", (type) => [type])

/** A sealed note is bound to its session, kind and id: moved to another row, it no longer opens. */
export const createNoteVault = (master: MasterKey | MasterKeys): NoteVault =>
  createSealer(master, "session note", ({ sessionId, kind, id }) => [sessionId, kind, id])

/**
 * The public keys whose signatures count: the pinned ones, and those that a pinned key endorsed, directly or through
 * others. TLS alone makes no key trusted.
 */
import { encodeBase64Url, encodeText, hashText, parseBase64 } from "./base64.ts"
import { isObject } from "./json.ts"

/** A public key with signatures of its predecessors over its thumbprint. */
export type EndorsedKey = Readonly<{
  /** The 32 bytes, base64url. */
  x: string
  /** `by`: the thumbprint of the key that signed. `sig`: base64url. */
  endorsed: readonly Readonly<{ by: string; sig: string }>[]
}>

export interface TrustedKeys {
  /** Whether this runtime has Ed25519: without it `find` and `follow` reject. */
  canVerify(): Promise<boolean>
  /** Null for a key that is neither pinned nor endorsed. */
  find(kid: string): Promise<CryptoKey | null>
  /** Adds the keys of a key set that trusted keys endorse; ignores everything else. */
  addEndorsed(keys: unknown): Promise<void>
  /** The keys that were followed, so that they are known without the server. */
  listEndorsed(): readonly EndorsedKey[]
}

/** A server publishes every retired key for ever. A longer list must not keep the processor busy. */
const keysMax = 100
const endorsementsMax = 4

const publicKey = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
const signature = /^[A-Za-z0-9_-]{85}[AQgw]$/

export const isPublicKey = (x: unknown): x is string => typeof x === "string" && publicKey.test(x)

export function createTrustedKeys(pinned: readonly string[]): TrustedKeys {
  const keys = new Map<string, CryptoKey>()
  const followed: EndorsedKey[] = []
  let opening: Promise<unknown> | null = null

  async function add(kid: string, x: string) {
    keys.set(
      kid,
      await crypto.subtle.importKey("raw", parseBase64(x), "Ed25519", false, ["verify"]),
    )
  }
  const open = () => {
    opening ??= Promise.all(pinned.map(async (x) => add(await thumbprint(x), x)))
    return opening
  }

  async function isEndorsed(kid: string, { endorsed }: EndorsedKey): Promise<boolean> {
    for (const { by, sig } of endorsed) {
      const key = keys.get(by)
      if (key !== undefined && (await verifyText(key, sig, `pazar-key:${kid}`))) return true
    }
    return false
  }

  return {
    canVerify: () =>
      open().then(
        () => true,
        () => false,
      ),
    async find(kid) {
      await open()
      return keys.get(kid) ?? null
    },
    async addEndorsed(given) {
      await open()
      const candidates = new Map<string, EndorsedKey>()
      for (const key of readKeys(given)) candidates.set(await thumbprint(key.x), key)
      // Each round follows the chain of endorsements one key further.
      for (let before = -1; before !== candidates.size; ) {
        before = candidates.size
        for (const [kid, candidate] of candidates) {
          const isNew = !keys.has(kid)
          if (isNew && !(await isEndorsed(kid, candidate))) continue
          candidates.delete(kid)
          if (!isNew || followed.length >= keysMax) continue
          await add(kid, candidate.x)
          followed.push(candidate)
        }
      }
    },
    listEndorsed: () => followed,
  }
}

/** RFC 7638. */
const thumbprint = async (x: string) =>
  encodeBase64Url(await hashText(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`))

export const verifyText = (key: CryptoKey, sig: string, text: string): Promise<boolean> =>
  crypto.subtle.verify("Ed25519", key, parseBase64(sig), encodeText(text))

function readKeys(given: unknown): readonly EndorsedKey[] {
  return listOf(given, keysMax).flatMap((key) => {
    if (!isObject(key) || !isPublicKey(key.x)) return []
    const endorsed = listOf(key.endorsed, endorsementsMax).flatMap((each) =>
      isObject(each) && typeof each.by === "string" && isSignature(each.sig)
        ? [{ by: each.by, sig: each.sig }]
        : [],
    )
    return [{ x: key.x, endorsed }]
  })
}

const listOf = (value: unknown, max: number): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, max) : []

const isSignature = (sig: unknown): sig is string => typeof sig === "string" && signature.test(sig)

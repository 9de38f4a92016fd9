/** Trusted public keys: the pinned ones, and keys that they endorsed, directly or through others. TLS does not add trust. */
import { encodeBase64Url, encodeText, hashText, parseBase64 } from "./base64.ts"
import { isObject } from "./json.ts"

/** A public key whose thumbprint earlier keys signed. */
export type EndorsedKey = Readonly<{
  /** 32 bytes in base64url. */
  x: string
  /** `by` is the thumbprint of the signing key, `sig` its signature in base64url. */
  endorsed: readonly Readonly<{ by: string; sig: string }>[]
}>

export interface TrustedKeys {
  /** Whether this runtime supports Ed25519. Without it `find` and `addEndorsed` reject. */
  canVerify(): Promise<boolean>
  /** Returns null for a key that is neither pinned nor endorsed. */
  find(kid: string): Promise<CryptoKey | null>
  /** Adds the keys of an untrusted key set that trusted keys endorsed. Ignores everything else. */
  addEndorsed(keys: unknown): Promise<void>
  /** The endorsed keys to store, so that they are trusted without the server. */
  listEndorsed(): readonly EndorsedKey[]
}

/** Bounds the time that a hostile key set can take. Servers publish retired keys permanently. */
const keysMax = 100
const endorsementsMax = 4

const publicKey = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
const signature = /^[A-Za-z0-9_-]{85}[AQgw]$/

export const isPublicKey = (x: unknown): x is string => typeof x === "string" && publicKey.test(x)

export function createTrustedKeys(pinned: readonly string[]): TrustedKeys {
  const keys = new Map<string, CryptoKey>()
  const endorsedKeys: EndorsedKey[] = []
  let pinning: Promise<unknown> | null = null

  async function add(kid: string, x: string) {
    keys.set(
      kid,
      await crypto.subtle.importKey("raw", parseBase64(x), "Ed25519", false, ["verify"]),
    )
  }
  const open = () => {
    pinning ??= Promise.all(pinned.map(async (x) => add(await thumbprint(x), x)))
    return pinning
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
    async addEndorsed(keySet) {
      await open()
      const candidates = new Map<string, EndorsedKey>()
      for (const key of parseKeys(keySet)) candidates.set(await thumbprint(key.x), key)
      for (let before = -1; before !== candidates.size; ) {
        before = candidates.size
        for (const [kid, candidate] of candidates) {
          const isNew = !keys.has(kid)
          if (isNew && !(await isEndorsed(kid, candidate))) continue
          candidates.delete(kid)
          if (!isNew || endorsedKeys.length >= keysMax) continue
          await add(kid, candidate.x)
          endorsedKeys.push(candidate)
        }
      }
    },
    listEndorsed: () => endorsedKeys,
  }
}

/** RFC 7638. */
const thumbprint = async (x: string) =>
  encodeBase64Url(await hashText(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`))

export const verifyText = (key: CryptoKey, sig: string, text: string): Promise<boolean> =>
  crypto.subtle.verify("Ed25519", key, parseBase64(sig), encodeText(text))

function parseKeys(keySet: unknown): readonly EndorsedKey[] {
  return arrayOrEmpty(keySet, keysMax).flatMap((key) => {
    if (!isObject(key) || !isPublicKey(key.x)) return []
    const endorsed = arrayOrEmpty(key.endorsed, endorsementsMax).flatMap((each) =>
      isObject(each) && typeof each.by === "string" && isSignature(each.sig)
        ? [{ by: each.by, sig: each.sig }]
        : [],
    )
    return [{ x: key.x, endorsed }]
  })
}

const arrayOrEmpty = (value: unknown, max: number): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, max) : []

const isSignature = (sig: unknown): sig is string => typeof sig === "string" && signature.test(sig)

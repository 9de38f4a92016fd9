/**
 * The public keys whose signatures count: the pinned ones, and those that a pinned key endorsed, directly
 * or through others. TLS alone makes no key trusted.
 */
import { encodeBase64Url, encodeText, hashText, parseBase64 } from "./base64.ts"
import { isObject } from "./json.ts"
import type { EndorsedKey } from "./outcome.ts"

export interface TrustedKeys {
  /** Null for a key that is neither pinned nor endorsed. Rejects where there is no Ed25519. */
  find(kid: string): Promise<CryptoKey | null>
  /** Takes over the keys of a key set that trusted keys endorse. The rest, and anything odd, is ignored. */
  follow(keys: unknown): Promise<void>
  /** Undefined for a pinned key; otherwise the followed keys, through which it can be reached offline. */
  endorsementsOf(kid: string): readonly EndorsedKey[] | undefined
  /** Undefined if there are none. */
  listFollowed(): readonly EndorsedKey[] | undefined
}

/** As in the PHP client. A server lists three or four. A longer list must not keep the processor busy. */
const followedMax = 16
const endorsementsMax = 4

const publicKey = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
const signature = /^[A-Za-z0-9_-]{85}[AQgw]$/

export const isPublicKey = (x: unknown): x is string => typeof x === "string" && publicKey.test(x)

export function createTrustedKeys(pinned: readonly string[]): TrustedKeys {
  const keys = new Map<string, CryptoKey>()
  const followed = new Map<string, EndorsedKey>()
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
    async find(kid) {
      await open()
      return keys.get(kid) ?? null
    },
    async follow(given) {
      await open()
      let candidates = readKeys(given)
      // Each round takes the chain of endorsements one key further.
      for (let before = -1; before !== candidates.length; ) {
        before = candidates.length
        const rest: EndorsedKey[] = []
        for (const candidate of candidates) {
          const kid = await thumbprint(candidate.x)
          if (keys.has(kid)) continue
          if (followed.size < followedMax && (await isEndorsed(kid, candidate))) {
            await add(kid, candidate.x)
            followed.set(kid, candidate)
          } else rest.push(candidate)
        }
        candidates = rest
      }
    },
    endorsementsOf: (kid) => (followed.has(kid) ? [...followed.values()] : undefined),
    listFollowed: () => (followed.size > 0 ? [...followed.values()] : undefined),
  }
}

/** RFC 7638. */
const thumbprint = async (x: string) =>
  encodeBase64Url(await hashText(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`))

export const verifyText = (key: CryptoKey, sig: string, text: string): Promise<boolean> =>
  crypto.subtle.verify("Ed25519", key, parseBase64(sig), encodeText(text))

function readKeys(given: unknown): readonly EndorsedKey[] {
  return listOf(given, followedMax).flatMap((key) => {
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

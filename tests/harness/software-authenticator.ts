/** An authenticator with the keys of Node, and the browser around it. `changes` make what an attacker would send. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** User present, user verified, and a new key. */
export const [UP, UV, AT] = [0x01, 0x04, 0x40]

export type Ceremony = Readonly<{
  challenge: string
  userHandle: string
  type: string
  origin: string
  host: string
  crossOrigin: boolean
  flags: number
  counter: number
}>

export type Authenticator = ReturnType<typeof createAuthenticator>

/** `algorithm` is what the authenticator says; its key is of `kind`. */
export function createAuthenticator(
  kind: "ed25519" | "p256" | "p384" | "rsa" | "rsa1024",
  algorithm = algorithms[kind],
  idBytes = 32,
) {
  const { publicKey, privateKey } = createKeys(kind)
  const rawId = randomBytes(idBytes)
  const id = rawId.toString("base64url")
  const coseKey = encodeCbor(coseOf(publicKey, algorithm))
  const clientDataOf = ({ type, challenge, origin, crossOrigin }: Ceremony) =>
    Buffer.from(
      JSON.stringify({
        ...{ type, challenge: Buffer.from(challenge).toString("base64url"), origin, crossOrigin },
        other_keys_can_be_added_here: "see https://goo.gl/yabPex",
      }),
    )
  const dataOf = ({ host, flags, counter }: Ceremony) => {
    const data = Buffer.alloc(37, createHash("sha256").update(host).digest())
    data.writeUInt8(flags, 32)
    data.writeUInt32BE(counter, 33)
    return data
  }
  return {
    id,
    coseKey,
    register(ceremony: Ceremony, statement = new Map<string, unknown>()) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const parts = [dataOf(ceremony), Buffer.alloc(16), length, rawId, coseKey]
      const authData = Buffer.concat(parts)
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", statement],
        ["authData", authData],
      ])
      return {
        clientDataJSON: clientDataOf(ceremony).toString("base64url"),
        attestationObject: encodeCbor(attestation).toString("base64url"),
      }
    },
    sign(ceremony: Ceremony) {
      const [clientData, data] = [clientDataOf(ceremony), dataOf(ceremony)]
      const digest = createHash("sha256").update(clientData).digest()
      const signed = Buffer.concat([data, digest])
      const hash = kind === "ed25519" ? null : "sha256"
      return {
        id,
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign(hash, signed, privateKey).toString("base64url"),
        userHandle: Buffer.from(ceremony.userHandle).toString("base64url"),
      }
    },
  }
}

const algorithms = { ed25519: -8, p256: -7, p384: -35, rsa: -257, rsa1024: -257 }

function createKeys(kind: keyof typeof algorithms) {
  if (kind === "ed25519") return generateKeyPairSync("ed25519")
  if (kind === "rsa") return generateKeyPairSync("rsa", { modulusLength: 2048 })
  if (kind === "rsa1024") return generateKeyPairSync("rsa", { modulusLength: 1024 })
  return generateKeyPairSync("ec", { namedCurve: kind === "p256" ? "P-256" : "P-384" })
}

function coseOf(key: KeyObject, algorithm: number): Map<number, unknown> {
  const { kty, crv, x, y, n, e } = key.export({ format: "jwk" })
  const bytes = (text = "") => Buffer.from(text, "base64url")
  if (kty === "RSA")
    return new Map<number, unknown>([...common(3, algorithm), [-1, bytes(n)], [-2, bytes(e)]])
  if (kty === "OKP") return new Map([...common(1, algorithm), [-1, 6], [-2, bytes(x)]])
  const curve = crv === "P-256" ? 1 : 2
  return new Map([...common(2, algorithm), [-1, curve], [-2, bytes(x)], [-3, bytes(y)]])
}

const common = (kind: number, algorithm: number): [number, unknown][] => [
  [1, kind],
  [3, algorithm],
]

/** As CTAP2 writes it. */
export function encodeCbor(value: unknown): Buffer {
  if (value instanceof Buffer) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) {
    const entries = [...value].flatMap((entry) => entry.map(encodeCbor))
    return Buffer.concat([head(5, value.size), ...entries])
  }
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value)
  throw new Error(`no CBOR of ${value}`)
}

function head(type: number, number: number): Buffer {
  const first = type << 5
  if (number < 24) return Buffer.from([first | number])
  if (number < 0x100) return Buffer.from([first | 24, number])
  return Buffer.from([first | 25, number >> 8, number & 255])
}

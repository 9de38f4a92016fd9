/** Signs responses as the server does, with keys of a test. */
import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto"

export type Signer = Readonly<{
  /** Public key in base64url, as products pin it. */
  x: string
  kid: string
  /** Signs `pazar-key:` and the thumbprint of another key. */
  endorse(kid: string): Readonly<{ by: string; sig: string }>
  sign(text: string): Buffer
}>

/** PKCS #8 header of an Ed25519 seed. */
const prefix = Buffer.from("302e020100300506032b657004220420", "hex")

export function createSigner(seed: Buffer = randomBytes(32)): Signer {
  const key = createPrivateKey({
    key: Buffer.concat([prefix, seed]),
    format: "der",
    type: "pkcs8",
  })
  const { x = "" } = createPublicKey(key).export({ format: "jwk" })
  const kid = sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).toString("base64url")
  const signText = (text: string) => sign(null, Buffer.from(text), key)
  return {
    x,
    kid,
    sign: signText,
    endorse: (other) => ({ by: kid, sig: signText(`pazar-key:${other}`).toString("base64url") }),
  }
}

/** A key of the key set with endorsements by other keys. */
export const jwk = ({ x, kid }: Signer, ...by: readonly Signer[]) => ({
  kty: "OKP",
  crv: "Ed25519",
  x,
  kid,
  endorsed: by.map((signer) => signer.endorse(kid)),
})

export type SignedParts = Readonly<{
  status: number
  reason: string
  body: string
  key: string
  code: string
  site?: string | undefined
  nonce: string
  tag: string
  createdAt: number
  expiresAt: number
}>

export function signHeaders(signer: Signer, parts: SignedParts): Record<string, string> {
  const { key, code, site } = parts
  const question = [key, code, ...(site === undefined ? [] : [site])].join("\n")
  const digest = (text: string) => `sha-256=:${sha256(text).toString("base64")}:`
  const headers = {
    "Pazar-Reason": parts.reason,
    "Unencoded-Digest": digest(parts.body),
    "Pazar-Question": digest(question),
  }
  const parameters = [
    `("@status" "unencoded-digest" "pazar-reason" "pazar-question")`,
    `created=${parts.createdAt}`,
    `expires=${parts.expiresAt}`,
    `nonce="${parts.nonce}"`,
    `keyid="${signer.kid}"`,
    `alg="ed25519"`,
    `tag="${parts.tag}"`,
  ].join(";")
  const base = [
    `"@status": ${parts.status}`,
    `"unencoded-digest": ${headers["Unencoded-Digest"]}`,
    `"pazar-reason": ${parts.reason}`,
    `"pazar-question": ${headers["Pazar-Question"]}`,
    `"@signature-params": ${parameters}`,
  ].join("\n")
  return {
    ...headers,
    "Signature-Input": `pazar=${parameters}`,
    Signature: `pazar=:${signer.sign(base).toString("base64")}:`,
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest()

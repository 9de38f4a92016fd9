/** Reads cases as JSON from standard input and prints which of them are valid. See ../verifiers.ts. */
import { createHash, createPublicKey, verify } from "node:crypto"
import { readFileSync } from "node:fs"

const form =
  /^pazar=(\("@status" "unencoded-digest" "pazar-reason" "pazar-question"\);created=\d+;expires=(\d+);nonce="([\w-]+)";keyid="([\w-]+)";alg="ed25519";tag="([\w-]+)")$/
const signatureForm = /^pazar=:([A-Za-z0-9+/]{86}==):$/

const digest = (text) => `sha-256=:${createHash("sha256").update(text, "utf8").digest("base64")}:`

function isGood(answer) {
  const found = form.exec(answer.signature_input)
  const signature = signatureForm.exec(answer.signature)?.[1]
  if (found === null || signature === undefined) return false
  const [, parameters, expires, nonce, keyId, tag] = found
  if (!Object.hasOwn(answer.keys, keyId)) return false
  if (nonce !== answer.nonce || tag !== answer.tag || Number(expires) < answer.now) return false
  const base = [
    `"@status": ${answer.status}`,
    `"unencoded-digest": ${digest(answer.body)}`,
    `"pazar-reason": ${answer.reason}`,
    `"pazar-question": ${digest(answer.question)}`,
    `"@signature-params": ${parameters}`,
  ].join("\n")
  const jwk = { kty: "OKP", crv: "Ed25519", x: answer.keys[keyId] }
  const key = createPublicKey({ format: "jwk", key: jwk })
  return verify(null, Buffer.from(base), key, Buffer.from(signature, "base64"))
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(isGood)))

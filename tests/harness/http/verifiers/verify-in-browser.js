/** Defines `verifyAll`, which returns which cases are valid, with WebCrypto. See ../verifiers.ts. */
const form =
  /^pazar=(\("@status" "unencoded-digest" "pazar-reason" "pazar-question"\);created=\d+;expires=(\d+);nonce="([\w-]+)";keyid="([\w-]+)";alg="ed25519";tag="([\w-]+)")$/
const signatureForm = /^pazar=:([A-Za-z0-9+/]{86}==):$/

async function digest(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return `sha-256=:${btoa(String.fromCharCode(...new Uint8Array(hash)))}:`
}

async function isGood(answer) {
  const found = form.exec(answer.signature_input)
  const signature = signatureForm.exec(answer.signature)?.[1]
  if (found === null || signature === undefined) return false
  const [, parameters, expires, nonce, keyId, tag] = found
  if (!Object.hasOwn(answer.keys, keyId)) return false
  if (nonce !== answer.nonce || tag !== answer.tag || Number(expires) < answer.now) return false
  const base = [
    `"@status": ${answer.status}`,
    `"unencoded-digest": ${await digest(answer.body)}`,
    `"pazar-reason": ${answer.reason}`,
    `"pazar-question": ${await digest(answer.question)}`,
    `"@signature-params": ${parameters}`,
  ].join("\n")
  const jwk = { kty: "OKP", crv: "Ed25519", x: answer.keys[keyId] }
  const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"])
  const bytes = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0))
  return crypto.subtle.verify("Ed25519", key, bytes, new TextEncoder().encode(base))
}

window.verifyAll = (answers) => Promise.all(answers.map(isGood))

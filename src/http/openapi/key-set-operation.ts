/** The public signing keys, described as the operations are: by making the answers. */
import type { JsonSchema } from "../../domain/values/shape.ts"
import { handleKeySet, keySetPath } from "../api/key-set.ts"
import { makeFailuresElsewhere } from "./answers.ts"
import { readMade, renderResponses } from "./responses.ts"
import { exactly, oneOf } from "./schemas.ts"
import type { Texts } from "./translations/en.ts"

const base64Url = (characters: number): JsonSchema => ({
  type: "string",
  pattern: `^[A-Za-z0-9_-]{${characters}}$`,
})
const thumbprint = base64Url(43)
const endorsement = exactly({ by: thumbprint, sig: base64Url(86) })

const keySet = exactly({
  keys: {
    type: "array",
    minItems: 1,
    items: exactly({
      kty: oneOf(["OKP"]),
      crv: oneOf(["Ed25519"]),
      x: base64Url(43),
      kid: thumbprint,
      endorsed: { type: "array", items: endorsement },
    }),
  },
})

const example = {
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  endorsed: [],
}

export async function renderKeySetOperation(texts: Texts): Promise<object> {
  const asked = [
    {},
    { headers: { "If-None-Match": "*" } },
    { method: "POST" },
  ] satisfies RequestInit[]
  const answers = await Promise.all(
    asked.map(async (init) => {
      const request = new Request(`http://localhost${keySetPath}`, init)
      return readMade("en", await handleKeySet(request, () => JSON.stringify({ keys: [example] })))
    }),
  )
  const failures = await makeFailuresElsewhere(["unavailable"])
  return {
    operationId: "readSigningKeys",
    tags: ["Purchases"],
    ...texts.operations.read_signing_keys,
    security: [],
    responses: renderResponses([...answers, ...failures], () => keySet, texts),
  }
}

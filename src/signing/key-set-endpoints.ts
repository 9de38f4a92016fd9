import {
  createPreflightResponse,
  crossOriginHeaders,
  renderErrorBody,
} from "../contract/response.ts"
import { findCurrentTag, hashBody } from "../platform/http/compression.ts"
import { type SigningKey, sortByState } from "./signing-key.ts"

export const keySetPath = "/.well-known/pazar-keys.json"

const methods = "GET, HEAD"

const headers = {
  ...crossOriginHeaders,
  // New keys are published long before they sign, so five minutes delay only a removal.
  "Cache-Control": "public, max-age=300",
}

export async function handleKeySet(
  request: Request,
  readKeys: () => Promise<readonly SigningKey[]>,
): Promise<Response> {
  const { method } = request
  if (method === "OPTIONS") return createPreflightResponse(methods)
  if (method !== "GET" && method !== "HEAD") {
    const body = renderErrorBody(null, "method_not_allowed", "en")
    const type = "application/json; charset=utf-8"
    return new Response(body, { status: 405, headers: { Allow: methods, "Content-Type": type } })
  }
  const body = renderKeySet(await readKeys())
  const tag = `"${hashBody({ body })}"`
  const currentTag = findCurrentTag(request.headers, tag)
  const tagged = { ...headers, ETag: currentTag ?? tag }
  if (currentTag !== null) return new Response(null, { status: 304, headers: tagged })
  return new Response(body, { headers: { ...tagged, "Content-Type": "application/jwk-set+json" } })
}

function renderKeySet(keys: readonly SigningKey[]): string {
  const publicKeys = sortByState(keys).map(({ id, publicKey, endorsements }) => ({
    kty: "OKP",
    crv: "Ed25519",
    x: publicKey,
    kid: id,
    endorsed: endorsements,
  }))
  return JSON.stringify({ keys: publicKeys })
}

import { parseBase64 } from "./base64.ts"
import { findJson, isObject } from "./json.ts"
import { isValidationKey, type StoredResponse } from "./verify-response.ts"

/** `keys` lead from a pinned key to the signer. Both are untrusted. */
type Receipt = Readonly<{ response: StoredResponse; keys: unknown }>

/** Parses the receipt of an offline activation. Returns null for other text. Does not verify the signature. */
export function parseReceipt(line: string): Receipt | null {
  const [, encoded] = /^pazar1\.([\w-]+)$/.exec(line.replace(/\s/g, "")) ?? []
  if (encoded === undefined) return null
  try {
    const receipt = findJson(new TextDecoder().decode(parseBase64(encoded)))
    if (!isObject(receipt) || !isObject(receipt.headers)) return null
    const { status, body, headers, nonce, key, code, site = "", keys } = receipt
    const text = (value: unknown) => (typeof value === "string" ? value : "")
    const response = {
      status: Number(status),
      body: text(body),
      reason: text(headers["pazar-reason"]),
      code: text(code),
      site: text(site),
      nonce: text(nonce),
      signatureInput: text(headers["signature-input"]),
      signature: text(headers.signature),
      ...(isValidationKey(text(key)) && { key: text(key) }),
    }
    return { response, keys }
  } catch {
    return null
  }
}

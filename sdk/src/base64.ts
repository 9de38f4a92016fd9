export const encodeBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

export const encodeBase64Url = (bytes: Uint8Array) =>
  encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** Accepts base64 and base64url. Throws for other text. */
export const parseBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (unit) =>
    unit.charCodeAt(0),
  )

export const hashText = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", encodeText(text)))

export const encodeText = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

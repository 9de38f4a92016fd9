import { createHmac } from "node:crypto"
import type { DownloadLinks } from "../domain/catalog/purchase.ts"
import { DecryptionFailed } from "../domain/values/error.ts"
import { createCipher, type MasterKeys } from "./ciphers.ts"

/** The shop checks that the file belongs to this item: the author of another one may have chosen the URL. */
const itemParameter = "pazar_item"

/** `secret` is shared with the shop. Tokens are encrypted, because URLs are logged and must not contain codes. */
export function createDownloadLinks(master: MasterKeys, secret: string | null): DownloadLinks {
  const cipher = createCipher<null>(master, "download", () => [])
  return {
    isEnabled: secret !== null,
    createToken: (grant) =>
      Buffer.from(cipher.encrypt(JSON.stringify(grant), null)).toString("base64url"),
    parseToken(token) {
      const bytes = Buffer.from(token, "base64url")
      // The decoder ignores padding, unused bits and unknown characters.
      if (bytes.toString("base64url") !== token) return null
      try {
        return JSON.parse(cipher.decrypt(bytes, null))
      } catch (error) {
        if (error instanceof DecryptionFailed) return null
        throw error
      }
    },
    signUrl(text, { itemId, expiresAt }) {
      const url = Object.assign(new URL(text), { hash: "" })
      // `delete` also changes the encoding of other parameters.
      if (url.searchParams.has(itemParameter)) url.searchParams.delete(itemParameter)
      const { href } = url
      const added = `${itemParameter}=${itemId}&expires=${Date.parse(expiresAt) / 1000}`
      const signed = `${href}${href.includes("?") ? "&" : "?"}${added}`
      const signature = createHmac("sha256", secret ?? "")
        .update(signed)
        .digest("base64url")
      return `${signed}&signature=${signature}`
    },
  }
}

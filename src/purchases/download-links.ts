import { createHmac } from "node:crypto"
import { createTokenCipher, type MasterKeys } from "../platform/crypto/cipher.ts"
import type { DownloadGrant, DownloadLinks } from "./purchase.ts"

/** The shop checks that the file belongs to this item: the author of another one may have chosen the URL. */
const itemParameter = "pazar_item"

/** `secret` is shared with the shop. Tokens are encrypted, because URLs are logged and must not contain codes. */
export function createDownloadLinks(master: MasterKeys, secret: string | null): DownloadLinks {
  const { createToken, parseToken } = createTokenCipher<DownloadGrant, null>(
    master,
    "download",
    () => [],
  )
  return {
    isEnabled: secret !== null,
    createToken: (grant) => createToken(grant, null),
    parseToken: (token) => parseToken(token, null),
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

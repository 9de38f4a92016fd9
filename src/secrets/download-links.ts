import { createHmac } from "node:crypto"
import type { DownloadLinks } from "../domain/catalog/purchase.ts"
import { DecryptionFailed } from "../domain/values/error.ts"
import { createCipher, type MasterKeys } from "./ciphers.ts"

/** `secret` is shared with the shop. Tokens are encrypted, because URLs are logged and must not contain codes. */
export function createDownloadLinks(master: MasterKeys, secret: string | null): DownloadLinks {
  const cipher = createCipher<null>(master, "download", () => [])
  return {
    isEnabled: secret !== null,
    createToken: (grant) =>
      Buffer.from(cipher.encrypt(JSON.stringify(grant), null)).toString("base64url"),
    parseToken(token) {
      try {
        return JSON.parse(cipher.decrypt(Buffer.from(token, "base64url"), null))
      } catch (error) {
        if (error instanceof DecryptionFailed) return null
        throw error
      }
    },
    signUrl(url, expiresAt) {
      const { href } = Object.assign(new URL(url), { hash: "" })
      const signed = `${href}${href.includes("?") ? "&" : "?"}expires=${Date.parse(expiresAt) / 1000}`
      const signature = createHmac("sha256", secret ?? "")
        .update(signed)
        .digest("base64url")
      return `${signed}&signature=${signature}`
    },
  }
}

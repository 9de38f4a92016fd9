import type { Timestamp } from "../values/time/timestamp.ts"

export const downloadSeconds = 900

/** The purchase and the item that a download link is bound to, until `expiresAt`. */
export type DownloadGrant = Readonly<{
  accountId: number
  code: string
  itemId: number
  expiresAt: Timestamp
}>

export interface DownloadLinks {
  /** False without `PAZAR_DOWNLOAD_SECRET`: downloads would not be protected. */
  isEnabled: boolean
  createToken(grant: DownloadGrant): string
  /** Returns null for a token that was not created here. The grant may have expired. */
  parseToken(token: string): DownloadGrant | null
  /** Adds `expires` and `signature`, which the shop verifies. */
  signUrl(url: string, expiresAt: Timestamp): string
}

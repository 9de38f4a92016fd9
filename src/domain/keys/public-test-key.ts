/**
 * The test key in the samples of the documentation. Everybody may use it, and like every test key it
 * sees only the sample world. It belongs to no account and is in no store.
 */
import type { FoundKey } from "./api-key.ts"

export const publicTestSecret = "pzr_tk_PublicTestKeyOfTheSampleWorld049quFB"

export const publicTestKey: FoundKey = {
  id: "public",
  accountId: 0,
  kind: "tk",
  itemIds: null,
  expiresAt: null,
  revokedAt: null,
  isAccountSuspended: false,
}

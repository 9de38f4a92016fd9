import { createHash, randomBytes } from "node:crypto"
import type { TokenMaker } from "../../domain/values/token.ts"

/** 256 random bits need no slow hash: there is nothing to guess. */
export const tokens: TokenMaker = {
  create: () => randomBytes(32).toString("base64url"),
  digest: (token) => createHash("sha256").update(token).digest(),
}

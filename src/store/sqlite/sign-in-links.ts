import type { SignInLinkStore } from "../../domain/sign-in-link.ts"
import { type FoundLink, signInLinkQueries, useLink } from "../sign-in-links.ts"
import type { Database } from "./database.ts"
import { remove } from "./remove.ts"

export function sqliteSignInLinks(db: Database): SignInLinkStore {
  return {
    ...signInLinkQueries(db),
    use: (tokenDigest, at) =>
      db.transact(
        ({ query }) => query<FoundLink>(useLink, [tokenDigest, at])[0]?.accountId ?? null,
      ),
    forget: (at, rowsMax) =>
      remove(
        db,
        `DELETE FROM sign_in_links WHERE token_digest IN
           (SELECT token_digest FROM sign_in_links WHERE expires_at <= $1 LIMIT $2)`,
        [at, rowsMax],
      ),
  }
}

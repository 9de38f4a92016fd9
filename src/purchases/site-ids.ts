import {
  deriveId,
  keysOf,
  type MasterKey,
  type MasterKeys,
  subKey,
} from "../platform/crypto/cipher.ts"
import type { ReleaserIds, SiteIds } from "./site.ts"

/** Names a site to a buyer who must not read it: without the master key, no guess can be compared with the id. */
export function createSiteIds(master: MasterKey | MasterKeys): SiteIds {
  const idKey = subKey(keysOf(master).current, "site id")
  return ({ code, site }) => deriveId(idKey, `${code}\n${site}`)
}

export function createReleaserIds(master: MasterKey | MasterKeys): ReleaserIds {
  const idKey = subKey(keysOf(master).current, "site release")
  return (code, text) => deriveId(idKey, `${code}\n${text}`)
}

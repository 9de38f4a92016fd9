/** A key's line as an export writes it, sealed for its other members. */

import type { TravelVault } from "../../../src/domain/feed/feed.ts"
import type { KeyKind } from "../../../src/domain/keys/api-key.ts"
import { timestamp } from "../../../src/domain/values/shape.ts"
import type { Line } from "../../../src/store/contracts/records.ts"

export type KeyLine = Line & Readonly<{ id: string; username: string; kind: KeyKind }>

export function sealKeyLine(
  travel: Pick<TravelVault, "sealKey">,
  secret: string,
  line: KeyLine,
): Line {
  const moment = (name: string) => (line[name] === undefined ? null : timestamp(line[name], name))
  const { id, username, kind, items } = line
  const sealed = travel.sealKey(secret, {
    id,
    username,
    kind,
    itemIds: Array.isArray(items) ? items : null,
    createdAt: timestamp(line.created_at, "created_at"),
    expiresAt: moment("expires_at"),
    revokedAt: moment("revoked_at"),
    replacedAt: moment("replaced_at"),
  })
  return { ...line, sealed: Buffer.from(sealed).toString("base64") }
}

/** What the feed says instead of what counts, and whether an operator says more. */
export const feedRevoked = `coalesce(feed_revoked, revoked) AS "isRevoked",
  feed_revoked IS NOT NULL AS "isRevokedByOperator"`

/** Keeps what the feed says. `true` is 1 on SQLite. */
export const revokeByOperator = "SET feed_revoked = coalesce(feed_revoked, revoked), revoked = true"

/** Then what the feed says counts again. */
export const unrevokeByOperator =
  "SET revoked = coalesce(feed_revoked, revoked), feed_revoked = NULL"

import type { FeedStore } from "../../../domain/feed/feed.ts"
import type { MassGuardOptions } from "../../../domain/feed/mass-changes.ts"
import { createDryRun, createTried } from "../../sql/feed/dry-run.ts"
import { createFeed } from "../../sql/feed/feed.ts"
import type { Connection } from "../connection/connection.ts"
import { type Database, dialect, feedWaitMs } from "../connection/database.ts"
import { asUnavailable } from "../connection/errors.ts"
import { createStatements } from "../connection/statements.ts"
import { openSnapshot } from "./snapshot.ts"

/** `openOwn` opens a connection for one dry run or snapshot, which closes it. */
export function sqliteFeed(db: Database, openOwn: () => Connection): FeedStore {
  return createFeed(
    db,
    {
      read: db.read,
      // One transaction writes at a time.
      transaction: (work) => db.transaction(work, feedWaitMs),
      async settle() {},
    },
    {
      openDryRun: async (limits) => openDryRun(openOwn(), limits),
      openSnapshot: async () => openSnapshot(openOwn()),
    },
  )
}

/** Owns the connection, and closes it. */
function openDryRun(own: Connection, limits?: MassGuardOptions) {
  own.run(createTried("text", "WITHOUT ROWID"))
  const { query, finalize } = createStatements(own)
  return createDryRun(
    {
      dialect,
      // One transaction for each batch: it sees one state of the store, and the next batch a newer one.
      async run(work) {
        own.run("BEGIN")
        try {
          return await work({
            ...dialect,
            query: async (sql, values) => query(sql, values),
          })
        } catch (error) {
          throw asUnavailable(error)
        } finally {
          own.run("COMMIT")
        }
      },
      scan: async (sql, values) => query(sql, values),
      async close() {
        finalize()
        own.close()
      },
    },
    limits,
  )
}

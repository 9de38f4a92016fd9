import type { FeedStore } from "../../../domain/feed/feed.ts"
import type { MassGuardOptions } from "../../../domain/feed/mass-changes.ts"
import type { SqlDatabase } from "../../sql/database.ts"
import { createDryRun, createTried } from "../../sql/feed/dry-run.ts"
import { createFeed } from "../../sql/feed/feed.ts"
import type { FeedTables } from "../../sql/feed/found.ts"
import type { Connection } from "../connection/connection.ts"
import { type Database, dialect, feedWaitMs, runSteps } from "../connection/database.ts"
import { asUnavailable } from "../connection/errors.ts"
import { createStatements, type Prepare } from "../connection/statements.ts"
import { prepareFedPurchases } from "./purchases.ts"
import { openSnapshot } from "./snapshot.ts"

/** `openOwn` opens a connection for one dry run or snapshot, which closes it. */
export function sqliteFeed(db: Database, openOwn: () => Connection): FeedStore {
  const changeUnsynced: SqlDatabase["change"] = (steps) =>
    db.transactUnsynced((client) => runSteps(client, steps()), feedWaitMs)
  return createFeed(
    db,
    {
      openTables: () => tablesOf(db.prepare),
      *settle() {},
      read: db.read,
      // One transaction writes at a time.
      change: (steps) => db.transact((client) => runSteps(client, steps()), feedWaitMs),
      changeUnsynced,
      finish: changeUnsynced,
    },
    {
      openDryRun: async (limits) => openDryRun(openOwn(), limits),
      openSnapshot: async () => openSnapshot(openOwn()),
    },
  )
}

const tablesOf = (prepare: Prepare): FeedTables => ({
  ...dialect,
  purchases: prepareFedPurchases(prepare),
})

/** Owns the connection, and closes it. */
function openDryRun(own: Connection, limits?: MassGuardOptions) {
  own.run(createTried("text", "WITHOUT ROWID"))
  const { prepare, query, finalize } = createStatements(own)
  return createDryRun(
    {
      tables: tablesOf(prepare),
      // One transaction for each batch: it sees one state of the store, and the next batch a newer one.
      async run(steps) {
        try {
          return own.transaction(() => runSteps({ query }, steps()))()
        } catch (error) {
          throw asUnavailable(error)
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

import type { FeedStore } from "../../../domain/feed/feed.ts"
import { ask, type Value } from "../../sql/database.ts"
import { createDryRun, triedBefore } from "../../sql/feed/dry-run.ts"
import { createFeed } from "../../sql/feed/feed.ts"
import type { Connection } from "../connection/connection.ts"
import { amongTexts, type Database, runSteps } from "../connection/database.ts"
import { asUnavailable } from "../connection/errors.ts"
import { createStatements } from "../connection/statements.ts"
import { prepareChangeWriter } from "./changes.ts"
import { listWaiting, prepareFoundReader } from "./found.ts"
import { openSnapshot } from "./snapshot.ts"

/** `openOwn` opens a connection for one dry run or snapshot, which closes it. */
export const sqliteFeed = (db: Database, openOwn: () => Connection): FeedStore =>
  createFeed(
    db,
    {
      openTables: () => ({
        readFound: prepareFoundReader(db.prepare),
        writeChanges: prepareChangeWriter(db.prepare),
        listWaiting,
        *settle() {},
      }),
      read: db.read,
      change: db.change,
      changeUnsynced: db.changeUnsynced,
    },
    {
      openDryRun: async () => openDryRun(openOwn()),
      openSnapshot: async () => openSnapshot(openOwn()),
    },
  )

const temporaryTable = `
  CREATE TEMP TABLE tried (
    kind     TEXT NOT NULL,
    identity TEXT NOT NULL,
    parent   TEXT NOT NULL,
    lookup   TEXT,
    value    TEXT,
    as_of    INTEGER NOT NULL,
    is_gone  INTEGER NOT NULL,
    PRIMARY KEY (kind, identity)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX temp.tried_by_parent ON tried (kind, parent);
  CREATE INDEX temp.tried_by_lookup ON tried (lookup) WHERE lookup IS NOT NULL;`

/** Owns the connection, and closes it. */
function openDryRun(own: Connection) {
  own.run(temporaryTable)
  const { prepare, finalize } = createStatements(own)
  const query = <Row>(sql: string, values: readonly Value[] = []): readonly Row[] =>
    prepare<Row>(sql).all(...values)
  const insert = `INSERT OR REPLACE INTO tried (kind, identity, parent, lookup, value, as_of, is_gone)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`
  return createDryRun({
    readFound: prepareFoundReader(prepare, triedBefore),
    listWaiting,
    amongTexts,
    *putRows(rows) {
      for (const { kind, identity, parent, lookup, value, asOf, isGone } of rows) {
        yield* ask(insert, [kind, identity, parent, lookup, value, asOf, isGone])
      }
    },
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
  })
}

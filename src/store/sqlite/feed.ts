import type { FeedStore } from "../../domain/feed.ts"
import type { Value } from "../database.ts"
import { createFeed } from "../feed.ts"
import { judgedBefore, openDryRun } from "../feed-dry-run.ts"
import type { Connection } from "./connection.ts"
import { amongTexts, type Database, runSteps } from "./database.ts"
import { asUnavailable } from "./errors.ts"
import { prepareChangeWriter } from "./feed-changes.ts"
import { listWaiting, prepareFoundReader } from "./feed-found.ts"
import { openSnapshot } from "./snapshot.ts"
import { createStatements } from "./statements.ts"

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
      openJudge: async () => openJudge(openOwn()),
      openSnapshot: async () => openSnapshot(openOwn()),
    },
  )

const temporaryTable = `
  CREATE TEMP TABLE judged (
    kind     TEXT NOT NULL,
    identity TEXT NOT NULL,
    parent   TEXT NOT NULL,
    lookup   TEXT,
    value    TEXT,
    as_of    INTEGER NOT NULL,
    is_gone  INTEGER NOT NULL,
    PRIMARY KEY (kind, identity)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX temp.judged_by_parent ON judged (kind, parent);
  CREATE INDEX temp.judged_by_lookup ON judged (lookup) WHERE lookup IS NOT NULL;`

const rowsInJson = `(
  SELECT value ->> 'kind' AS kind, value ->> 'identity' AS identity, value ->> 'parent' AS parent,
    value ->> 'lookup' AS lookup, value ->> 'value' AS value, value ->> 'asOf' AS "asOf",
    value ->> 'isGone' AS "isGone"
  FROM json_each($1))`

/** Owns the connection, and closes it. */
function openJudge(own: Connection) {
  own.run(temporaryTable)
  const { prepare, finalize } = createStatements(own)
  const query = <Row>(sql: string, values: readonly Value[] = []): readonly Row[] =>
    prepare<Row>(sql).all(...values)
  return openDryRun({
    readFound: prepareFoundReader(prepare, judgedBefore),
    listWaiting,
    amongTexts,
    rowsInJson,
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

import { rmSync, statfsSync } from "node:fs"
import { dirname } from "node:path"
import type { FeedStore } from "../../../domain/feed/feed-record.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import { createFeedStore, type DryRunDatabase } from "../../sql/feed/shared-feed-store.ts"
import { type Connection, connect } from "../connection/connection.ts"
import { copyAside } from "../connection/copy.ts"
import { type Database, dialect, feedWaitMs } from "../connection/database.ts"
import { asUnavailable } from "../connection/errors.ts"
import { createStatements } from "../connection/statements.ts"
import { openSnapshot } from "./snapshot.ts"

/** `openOwn` opens a connection for one dry run or snapshot, which closes it. */
export function sqliteFeed(db: Database, path: string, openOwn: () => Connection): FeedStore {
  return createFeedStore(
    db,
    {
      read: db.read,
      // One transaction writes at a time.
      transaction: (work) => db.transaction(work, feedWaitMs),
      async complete() {},
    },
    async () => openCopy(path, openOwn()),
    async () => openSnapshot(openOwn()),
  )
}

/** A copy without a name: the file is gone when its connection is closed, however the program ends. */
function openCopy(path: string, source: Connection): DryRunDatabase {
  let copy: Connection
  try {
    assertRoom(path, source)
    const aside = copyAside(source, path)
    copy = connect(aside)
    copy.run("PRAGMA journal_mode = MEMORY")
    rmSync(aside)
  } finally {
    source.close()
  }
  copy.run("PRAGMA synchronous = OFF")
  copy.run("PRAGMA foreign_keys = ON")
  copy.run("BEGIN")
  const { query, finalize } = createStatements(copy)
  async function run<Row>(...[sql, values]: Parameters<typeof query>) {
    try {
      return query<Row>(sql, values)
    } catch (error) {
      throw asUnavailable(error)
    }
  }
  return {
    ...dialect,
    query: run,
    scan: run,
    async close() {
      finalize()
      copy.close()
    },
  }
}

/** The copy may grow by what the feed brings. */
function assertRoom(path: string, source: Connection): void {
  const size = "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size"
  const { bytes } = source.query<{ bytes: number }, []>(size).get() ?? { bytes: 0 }
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize > bytes) return
  const megabytes = (count: number) => `${Math.ceil(count / 1000 ** 2).toLocaleString("en")} MB`
  throw new StoreUnavailable(
    `a dry run copies the database: it needs ${megabytes(bytes)} in ${dirname(path)}, and ${megabytes(bavail * bsize)} are free`,
  )
}

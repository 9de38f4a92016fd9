/** A PostgreSQL store as the old one of a move. Triggers note its changes. */
import { nodeGoneSeconds } from "../../../domain/running/node.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import { secondsBefore } from "../../../domain/values/time/timestamp.ts"
import { newestOf } from "../../sql/migrate.ts"
import { movedMark, movingMark } from "../../sql/move/marks.ts"
import {
  anotherMove,
  type Changes,
  type HeldSource,
  type Key,
  type MoveSource,
  type PlannedTable,
} from "../../sql/move/move.ts"
import { type Client, openDatabase, within } from "../connection/database.ts"
import { isHeldUp } from "../connection/errors.ts"
import { describe } from "../connection/hosts.ts"
import { snapshotMode } from "../feed/snapshot.ts"
import { schema } from "../schema/schema.ts"
import { countRows, findMark, findRows, listColumns, putMark, readPages } from "./rows.ts"

const trigger = "move_notes"
const ofOneMoment = "ISOLATION LEVEL REPEATABLE READ"

export async function openPostgresSource(url: string): Promise<MoveSource> {
  const db = await openDatabase(url, 2)
  let noted: readonly PlannedTable[] = []
  let ownId = ""

  async function takeFrom(client: Client): Promise<Changes> {
    if ((await findMark(client, movingMark)) !== ownId) throw anotherMove()
    const changed = await client.query<{ source: string; key: string }>(
      "DELETE FROM move_changes RETURNING source, key",
    )
    const changes = []
    for (const table of noted) {
      const keys = new Map<string, Key>()
      for (const { source, key } of changed) {
        if (source === table.name) keys.set(key, parseKey(key))
      }
      if (keys.size === 0) continue
      const listed = [...keys.values()]
      changes.push({ table, keys: listed, rows: await findRows(client, table, listed) })
    }
    return changes
  }
  const changeTable = (change: (client: Client) => Promise<unknown>) =>
    retryWhileHeldUp(() =>
      within(db, "", async (client) => {
        await client.query(`SET LOCAL lock_timeout = ${lockWaitMs}`)
        await change(client)
      }),
    )
  return {
    place: describe(url),
    listColumns: () => within(db, "READ ONLY", listColumns),
    async findMoved() {
      const value = await within(db, "READ ONLY", (client) => findMark(client, movedMark))
      return value === null ? null : JSON.parse(value)
    },
    listNodes: () =>
      db.read("SELECT url, version FROM nodes WHERE last_seen_at >= $1", [
        secondsBefore(new Date(), nodeGoneSeconds),
      ]),
    async noteChanges(plan, id) {
      noted = plan
      ownId = id
      await within(db, "", async (client) => {
        await putMark(client, movingMark, id)
        // A program that knows fewer steps would not see that the store is closed.
        await client.query("UPDATE schema_version SET version = $1", [newestOf(schema)])
      })
      // One table at a time: each lock waits for the writers of its table, and holds up those that follow.
      for (const { name, key } of plan) {
        await changeTable(async ({ query }) => {
          await query(`DROP TRIGGER IF EXISTS ${trigger} ON ${name}`)
          await query(`CREATE TRIGGER ${trigger} AFTER INSERT OR UPDATE OR DELETE ON ${name}
            FOR EACH ROW EXECUTE FUNCTION note_move_change(${key.map((each) => `'${each}'`)})`)
        })
      }
      await within(db, "", ({ query }) => query("DELETE FROM move_changes"))
    },
    async openSnapshot() {
      const client = await db.beginLong(snapshotMode)
      await client.query("SELECT 1 FROM metadata LIMIT 1")
      return {
        pages: (table) => readPages(client, table),
        async close() {
          await client.query("COMMIT")
          client.release()
        },
      }
    },
    takeChanges: () => within(db, ofOneMoment, takeFrom),
    takeCounted: () =>
      within(db, ofOneMoment, async (client) => ({
        changes: await takeFrom(client),
        counts: await countRows(client, noted),
      })),
    async hold(): Promise<HeldSource> {
      // The lock belongs to the transaction: if this process dies, others write again at once.
      const client = await retryWhileHeldUp(async () => {
        const own = await db.beginLong("")
        try {
          await own.query(`SET LOCAL lock_timeout = ${lockWaitMs}`)
          return own
        } catch (error) {
          await own.query("ROLLBACK").catch(() => {})
          own.release()
          throw error
        }
      })
      let isOver = false
      return {
        takeChanges: () => takeFrom(client),
        async readLastNumbers() {
          const rows = await client.query<{ name: string; last: number }>(
            `SELECT c.relname AS name, coalesce(pg_sequence_last_value(s.oid), 0) AS last
             FROM pg_class s JOIN pg_depend d ON d.objid = s.oid AND d.deptype = 'i'
             JOIN pg_class c ON c.oid = d.refobjid
             WHERE s.relkind = 'S' AND c.relname IN ('accounts', 'operators', 'audit_events')`,
          )
          return new Map(rows.map(({ name, last }) => [name, last]))
        },
        async close(movedTo) {
          await putMark(client, movedMark, JSON.stringify(movedTo))
          await client.query("COMMIT")
          isOver = true
          client.release()
        },
        async release() {
          if (isOver) return
          await client.query("ROLLBACK").catch(() => {})
          client.release()
        },
      }
    },
    async forgetChanges() {
      const tables = await db.read<{ name: string }>(
        `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = $1`,
        [trigger],
      )
      for (const { name } of tables) {
        await changeTable(({ query }) => query(`DROP TRIGGER IF EXISTS ${trigger} ON ${name}`))
      }
      await within(db, "", async ({ query }) => {
        await query("DELETE FROM move_changes")
        await query("DELETE FROM metadata WHERE name = $1", [movingMark])
      })
    },
    close: () => db.close(),
  }
}

/** Bytes come as PostgreSQL shows them in JSON. */
function parseKey(text: string): Key {
  const cells: Key = JSON.parse(text)
  return cells.map((cell) => cell.replace(/^\\x(?=(?:[0-9a-f]{2})+$)/, ""))
}

/** While it waits for a lock, others wait behind it: it gives up soon and tries again. */
const lockWaitMs = 1_000
const pauseMs = 200
const triesMax = 300

async function retryWhileHeldUp<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isWorthTrying = error instanceof StoreUnavailable && isHeldUp(error.cause)
      if (!isWorthTrying || attempt === triesMax) throw error
    }
    await Bun.sleep(pauseMs)
  }
}

import type {
  Fate,
  FeedRecord,
  FeedStore,
  FeedWriter,
  ImportRun,
  Refusal,
} from "../../domain/feed.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import { type Client, type Database, feedLock } from "./database.ts"
import { type CatalogueRecord, cutIntoRuns } from "./feed-runs.ts"
import { putMovedKey, putMovedPassword } from "./feed-secrets.ts"
import { oneMoment, openSnapshot } from "./snapshot.ts"

/** Every push of a sale leaves a run behind; more than these nobody looks at. */
const runsKept = 1_000

/** A push of a few sales does not change what the planner knows. */
const analyzedFromLine = 10_000

export function postgresFeed(db: Database): FeedStore {
  return {
    async openBatches(source) {
      const batches = createBatches(source)
      return {
        put: (records, line) =>
          db.transactAtLeisure((client) => batches.put(client, records, line)),
        finish: (records, line) =>
          db.transactAtLeisure((client) => batches.finish(client, records, line)),
        async discard() {},
      }
    },
    async openWhole(source) {
      return openWhole(await db.beginAtLeisure(""), source)
    },
    async findLastRun(source) {
      const [run] = await db.read<ImportRun>(
        `SELECT source, line, started_at AS "startedAt", finished_at AS "finishedAt"
         FROM imports WHERE source = $1 ORDER BY id DESC LIMIT 1`,
        [source],
      )
      return run ?? null
    },
    openSnapshot: async () => openSnapshot(await db.beginAtLeisure(oneMoment)),
  }
}

function openWhole(client: Client, source: string): FeedWriter {
  const batches = createBatches(source)
  return {
    put: (records, line) => batches.put(client, records, line),
    async finish(records, line) {
      const fates = await batches.finish(client, records, line)
      await client.query("COMMIT")
      client.release()
      return fates
    },
    async discard() {
      // A connection that broke has undone everything already.
      await client.query("ROLLBACK").catch(() => {})
      client.release()
    },
  }
}

function createBatches(source: string) {
  const startedAt = formatTimestamp(new Date())
  let runId: number | null = null

  async function put(
    client: Client,
    records: readonly FeedRecord[],
    line: number,
  ): Promise<readonly Fate[]> {
    // One batch at a time, whoever sends it: two imports that touch the same rows cannot deadlock.
    await client.query("SELECT pg_advisory_xact_lock($1)", [feedLock])
    const fates = await putInOrder(client, records)
    const [run] = await client.query<{ id: number }>(
      runId === null
        ? "INSERT INTO imports (source, line, started_at) VALUES ($1, $2, $3) RETURNING id"
        : "UPDATE imports SET line = $2 WHERE id = $1 RETURNING id",
      runId === null ? [source, line, startedAt] : [runId, line],
    )
    runId = run?.id ?? null
    return fates
  }
  return {
    put,
    async finish(client: Client, records: readonly FeedRecord[], line: number) {
      const fates = await put(client, records, line)
      await client.query("UPDATE imports SET finished_at = $2 WHERE id = $1", [
        runId,
        formatTimestamp(new Date()),
      ])
      await client.query("DELETE FROM imports WHERE id <= $1", [(runId ?? 0) - runsKept])
      // Until the server has looked at what came, it takes a look-up for a scan: a fifth of the speed.
      if (line >= analyzedFromLine)
        await client.query("ANALYZE accounts, api_keys, items, purchases")
      return fates
    },
  }
}

type SecretRecord = Extract<FeedRecord, { type: "key" | "password" }>

/** Keys and passwords one by one, what stands between them in one go. */
async function putInOrder(
  client: Client,
  records: readonly FeedRecord[],
): Promise<readonly Fate[]> {
  const fates: Fate[] = []
  let catalogue: CatalogueRecord[] = []
  for (const record of records) {
    if (record.type !== "key" && record.type !== "password") {
      catalogue.push(record)
      continue
    }
    fates.push(...(await putCatalogue(client, catalogue)), await putSecret(client, record))
    catalogue = []
  }
  return [...fates, ...(await putCatalogue(client, catalogue))]
}

const putSecret = (client: Client, record: SecretRecord): Promise<Fate> =>
  record.type === "key"
    ? putMovedKey(client, record.key)
    : putMovedPassword(client, record.username, record.hash)

async function putCatalogue(
  client: Client,
  records: readonly CatalogueRecord[],
): Promise<readonly Fate[]> {
  if (records.length === 0) return []
  const runs = cutIntoRuns(records).map((run) => ({ ...run, records: run.records.map(toEntry) }))
  const refusals = await client.query<Refusal & { at: number }>(
    "SELECT at, member, reason FROM put_feed_runs($1::jsonb)",
    [JSON.stringify(runs)],
  )
  const fates: Fate[] = records.map(() => null)
  for (const { at, ...refusal } of refusals) fates[at - 1] = refusal
  return fates
}

/** The record as the functions read it: flat, and bytes as hexadecimal digits. */
function toEntry(record: CatalogueRecord): object {
  switch (record.type) {
    case "account": {
      const { key } = record
      const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
      const sent = key && { ...key, lookup: hex(key.lookup), sealed: hex(key.sealed) }
      return { type: record.type, ...record.account, key: sent }
    }
    case "item":
      return { type: record.type, ...record.item }
    case "purchase":
      return { type: record.type, ...record.purchase }
    default:
      return record
  }
}

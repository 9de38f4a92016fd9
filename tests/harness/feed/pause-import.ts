import { Database } from "bun:sqlite"
import { join } from "node:path"
import { Client } from "pg"
import { lockFeed } from "../../../src/feed/feed-store-postgres.ts"
import { storeOf } from "../stores/test-stores.ts"
import { until, workMsMax } from "../until.ts"

export type PausedImport = Readonly<{ line: number; isFinished: boolean; end(): Promise<void> }>
type Run = Readonly<{ line: string | number; finished_at: string | null }>

const lastRun = "SELECT line, finished_at FROM imports ORDER BY id DESC LIMIT 1"
const toTurn = (run: Run | null | undefined, end: () => Promise<void>): PausedImport => ({
  line: Number(run?.line ?? 0),
  isFinished: run?.finished_at != null,
  end,
})

/** Pauses the import between two batches: it cannot write until this ends. */
async function takeTurn(folder: string): Promise<PausedImport | undefined> {
  const store = await storeOf(folder)
  if (store !== null) {
    const client = new Client(store.DATABASE_URL)
    await client.connect()
    await client.query(`BEGIN; ${lockFeed}`)
    const { rows } = await client.query<Run>(lastRun)
    return toTurn(rows[0], () => client.end())
  }
  const db = new Database(join(folder, "data/pazar.db"), { readwrite: true, create: false })
  try {
    db.run("BEGIN IMMEDIATE")
  } catch {
    db.close()
    return undefined
  }
  return toTurn(db.query<Run, []>(lastRun).get(), async () => db.close())
}

/** Calls `isWanted` for each pause; it may throw. */
export const pauseImport = (
  folder: string,
  isWanted: (turn: PausedImport) => boolean,
): Promise<PausedImport> =>
  until(async () => {
    const turn = await takeTurn(folder)
    if (turn === undefined || isWanted(turn)) return turn
    await turn.end()
    return undefined
  }, workMsMax)

/** A strict import that is killed after it began to write is completed by the next one. */
import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { feedLock } from "../../src/store/postgres/feed.ts"
import { folderWithStore, killTree, runPazar, spawnPazar, until } from "../harness/command.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { storeOf } from "../harness/stores.ts"

type Turn = Readonly<{ line: number; isFinished: boolean; end(): Promise<void> }>
type Run = Readonly<{ line: string | number; finished_at: string | null }>

const lastRun = "SELECT line, finished_at FROM imports ORDER BY id DESC LIMIT 1"
const toTurn = (run: Run | null | undefined, end: () => Promise<void>): Turn => ({
  line: Number(run?.line ?? 0),
  isFinished: run?.finished_at != null,
  end,
})

/** Between two batches of the import: it cannot write until this ends. */
async function takeTurn(folder: string): Promise<Turn | undefined> {
  const store = await storeOf(folder)
  if (store !== null) {
    const client = new Client(store.DATABASE_URL)
    await client.connect()
    await client.query(`SELECT pg_advisory_lock(${feedLock})`)
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

/** Throws when the import has ended by itself. */
async function waitForHalf(folder: string): Promise<Turn> {
  for (;;) {
    const turn = await until(() => takeTurn(folder))
    if (turn.isFinished) throw new Error("the import ended before anybody else had a turn")
    if (turn.line > 0) return turn
    await turn.end()
  }
}

test("killed half-way, then run again: all of it is there", async () => {
  const folder = await folderWithStore()
  const sales = Array.from({ length: 40_000 }, (_, index) => purchase(`code-${index}`, 1))
  const lines = [account("ada"), item("ada", 1), ...sales]
  writeFileSync(join(folder, "feed.ndjson"), toFeed(lines))
  const running = await spawnPazar(folder, ["import", "--strict", "feed.ndjson"])
  const turn = await waitForHalf(folder)
  await killTree(running)
  await turn.end()
  expect(turn.line).toBeLessThan(lines.length)

  const again = await runPazar(folder, ["import", "--strict", "feed.ndjson"])
  expect(again).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /^An earlier import of .* stopped after line \d+; this one completes it.\n$/,
    ),
  })
  expect(JSON.parse(again.stdout)).toMatchObject({ accepted: lines.length, rejected: 0 })
  const { stdout } = await runPazar(folder, ["export"])
  expect(stdout.split("\n").length - 1).toBe(lines.length)
  rmSync(folder, { recursive: true })
})

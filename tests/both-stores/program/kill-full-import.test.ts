/** A full import that is killed before it removes the rest removes nothing; the next one does. */
import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { account, item, type Line, purchase, toFeed } from "../../../src/store/contracts/records.ts"
import { folderWithStore, killTree, runPazar, spawnPazar } from "../../harness/command.ts"
import { type Turn, waitForTurn } from "../../harness/feed/feed-turn.ts"

const sales = 8_000
const kept = [
  ...[account("ada"), item("ada", 1)],
  ...Array.from({ length: sales }, (_, at) => purchase(`kept-${at}`, 1)),
]
const gone = [
  ...[account("bob"), item("bob", 2)],
  ...Array.from({ length: 40 }, (_, at) => purchase(`gone-${at}`, 2)),
]
const end = { type: "end", accounts: 1, items: 1, purchases: sales }

/** Throws when the full import has ended by itself. */
function isHalfWay({ line, isFinished }: Turn): boolean {
  if (isFinished && line > sales) throw new Error("the import ended before anybody else had a turn")
  return line > 0 && !isFinished
}

/** `npm run soak -- full` kills two hundred of them at random moments, also while they remove. */
test("killed between two batches: nothing is removed; run again: all of the rest is", async () => {
  const folder = await folderWithStore()
  const write = (name: string, lines: readonly Line[]) =>
    writeFileSync(join(folder, name), toFeed(lines))
  write("before.ndjson", [...kept.slice(0, 2), ...gone])
  write("full.ndjson", [...kept, end])
  await runPazar(folder, ["import", "before.ndjson"])
  const command = ["import", "--full", "--max-deletes", "99%", "full.ndjson"]
  const running = await spawnPazar(folder, command)
  const turn = await waitForTurn(folder, isHalfWay)
  await killTree(running)
  await turn.end()
  const exported = async () => (await runPazar(folder, ["export"])).stdout
  expect((await exported()).split('"gone-').length - 1).toBe(gone.length - 2)

  const { status, stdout } = await runPazar(folder, command)
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ accepted: kept.length, removed: gone.length })
  expect((await exported()).split("\n").length - 1).toBe(kept.length)
  rmSync(folder, { recursive: true })
})

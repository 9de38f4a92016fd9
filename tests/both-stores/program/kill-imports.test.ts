/** An import that is killed between two of its batches is completed by the next one. */
import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { account, item, type Line, purchase, toFeed } from "../../../src/store/contracts/records.ts"
import { folderWithStore, killTree, runPazar, spawnPazar } from "../../harness/command.ts"
import { type Turn, waitForTurn } from "../../harness/feed/feed-turn.ts"

/** Throws when the import of these lines has ended by itself. */
const isHalfWay = (lines: readonly Line[]) =>
  function look({ line, isFinished }: Turn): boolean {
    if (isFinished && line >= lines.length)
      throw new Error("the import ended before anybody else had a turn")
    return line > 0 && !isFinished
  }

const salesOf = (itemId: number, name: string, count: number) =>
  Array.from({ length: count }, (_, at) => purchase(`${name}-${at}`, itemId))

test("a strict one is killed half-way, then run again: all of it is there", async () => {
  const folder = await folderWithStore()
  const lines = [account("ada"), item("ada", 1), ...salesOf(1, "code", 20_000)]
  writeFileSync(join(folder, "feed.ndjson"), toFeed(lines))
  const running = await spawnPazar(folder, ["import", "--strict", "feed.ndjson"])
  const turn = await waitForTurn(folder, isHalfWay(lines))
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

/** `npm run soak -- full` kills two hundred of them at random moments, also while they remove. */
test("a full one is killed: nothing is removed; run again: all of the rest is", async () => {
  const kept = [account("ada"), item("ada", 1), ...salesOf(1, "kept", 8_000)]
  const gone = [account("bob"), item("bob", 2), ...salesOf(2, "gone", 40)]
  const end = { type: "end", accounts: 1, items: 1, purchases: kept.length - 2 }
  const folder = await folderWithStore()
  const write = (name: string, lines: readonly Line[]) =>
    writeFileSync(join(folder, name), toFeed(lines))
  write("before.ndjson", [...kept.slice(0, 2), ...gone])
  write("full.ndjson", [...kept, end])
  await runPazar(folder, ["import", "before.ndjson"])
  const command = ["import", "--full", "--max-deletes", "99%", "full.ndjson"]
  const running = await spawnPazar(folder, command)
  const turn = await waitForTurn(folder, isHalfWay(kept))
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

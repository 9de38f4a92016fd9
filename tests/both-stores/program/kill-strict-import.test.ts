/** A strict import that is killed after it began to write is completed by the next one. */
import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { account, item, purchase, toFeed } from "../../../src/store/contracts/records.ts"
import { folderWithStore, killTree, runPazar, spawnPazar } from "../../harness/command.ts"
import { type Turn, waitForTurn } from "../../harness/feed/feed-turn.ts"

/** Throws when the import has ended by itself. */
function isHalfWay({ line, isFinished }: Turn): boolean {
  if (isFinished) throw new Error("the import ended before anybody else had a turn")
  return line > 0
}

test("killed half-way, then run again: all of it is there", async () => {
  const folder = await folderWithStore()
  const sales = Array.from({ length: 20_000 }, (_, index) => purchase(`code-${index}`, 1))
  const lines = [account("ada"), item("ada", 1), ...sales]
  writeFileSync(join(folder, "feed.ndjson"), toFeed(lines))
  const running = await spawnPazar(folder, ["import", "--strict", "feed.ndjson"])
  const turn = await waitForTurn(folder, isHalfWay)
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

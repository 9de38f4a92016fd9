import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type PausedImport, pauseImport } from "../harness/feed/pause-import.ts"
import { account, item, type Line, purchase, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  killTree,
  readPazar,
  runPazar,
  spawnPazar,
} from "../harness/run-pazar.ts"

/**
 * Kills an import of this many lines between two of its batches and returns its folder. An import that finished too
 * early is repeated in another folder.
 */
async function killHalfWay(
  lines: number,
  command: readonly string[],
  prepare: (folder: string) => unknown,
): Promise<string> {
  for (;;) {
    const folder = await createStoreFolder()
    await prepare(folder)
    const running = await spawnPazar(folder, command)
    const isOver = ({ line, isFinished }: PausedImport) => isFinished && line >= lines
    const isMidway = ({ line, isFinished }: PausedImport) => line > 0 && !isFinished
    const turn = await pauseImport(folder, (each) => isMidway(each) || isOver(each))
    await killTree(running)
    await turn.end()
    if (isMidway(turn)) return folder
    rmSync(folder, { recursive: true })
  }
}

const write = (folder: string, name: string, lines: readonly Line[]) =>
  writeFileSync(join(folder, name), toFeed(lines))

const salesOf = (itemId: number, name: string, count: number) =>
  Array.from({ length: count }, (_, at) => purchase(`${name}-${at}`, itemId))

test("a strict import that is killed half-way and run again is complete", async () => {
  const lines = [account("ada"), item("ada", 1), ...salesOf(1, "code", 10_000)]
  const command = ["import", "--strict", "feed.ndjson"]
  const folder = await killHalfWay(lines.length, command, (setup) =>
    write(setup, "feed.ndjson", lines),
  )
  const again = await runPazar(folder, command)
  expect(again).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /^an earlier import of .* was interrupted after line \d+; this one completes it\n$/,
    ),
  })
  expect(JSON.parse(again.stdout)).toMatchObject({ accepted: lines.length, rejected: 0 })
  const stdout = await readPazar(folder, ["export"])
  expect(stdout.split("\n").length - 1).toBe(lines.length)
  rmSync(folder, { recursive: true })
})

test("a full import that is killed deletes nothing; run again, it deletes all that is missing", async () => {
  const remaining = [account("ada"), item("ada", 1), ...salesOf(1, "kept", 8_000)]
  const gone = [account("bob"), item("bob", 2), ...salesOf(2, "gone", 40)]
  const end = { type: "end", accounts: 1, items: 1, purchases: remaining.length - 2 }
  const command = ["import", "--full", "--max-deletes", "99%", "full.ndjson"]
  const folder = await killHalfWay(remaining.length, command, async (setup) => {
    write(setup, "before.ndjson", [...remaining.slice(0, 2), ...gone])
    write(setup, "full.ndjson", [...remaining, end])
    await readPazar(setup, ["import", "before.ndjson"])
  })
  const exported = () => readPazar(folder, ["export"])
  expect((await exported()).split('"gone-').length - 1).toBe(gone.length - 2)

  const { status, stdout } = await runPazar(folder, command)
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ accepted: remaining.length, removed: gone.length })
  expect((await exported()).split("\n").length - 1).toBe(remaining.length)
  rmSync(folder, { recursive: true })
})

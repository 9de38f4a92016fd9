/**
 * Imports a full feed with the real command, kills it at some moment, and looks whether all or
 * nothing of what it lacks was removed. Then it imports the feed again.
 */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exportFeed } from "../../../src/feed/export-feed.ts"
import { account, item, type Line, purchase, toFeed } from "../../contracts/records.ts"
import { createStore, killTree, runPazar, spawnPazar } from "../command.ts"
import { createRandom } from "../feed/random-feed.ts"
import { temporaryFolder } from "../program.ts"
import type { StoreKind } from "../stores/stores.ts"
import { inspect, type Place, withStore } from "./import-kills.ts"

export type FullKill = Readonly<{
  delayMs: number
  /** The last line that an import recorded, and whether that import had come to its end. */
  line: number
  isFinished: boolean
  integrity: string
  /** How many of the records that the feed lacks were left. */
  left: number
  /** After the import was run again: its exit status, and the store. */
  status: number | null
  dump: string
}>

export type FullKills = Readonly<{
  kills: readonly FullKill[]
  /** How many records the feed lacks. */
  lacking: number
  lines: number
  /** The store after an import that was not killed. */
  undisturbed: string
}>

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)

/** Items 1 to 100 are in the full feed, 101 to 120 are not. */
const sellerOf = (id: number) => (id > 110 ? "gone" : `author-${id % 10}`)
const sale = (at: number, changes: Line = {}) => purchase(`code-${at}`, 1 + (at % 120), changes)
const isKept = (line: Line) =>
  line.username !== "gone" && Number(line.id ?? 0) <= 100 && Number(line.item_id ?? 0) <= 100

function feedsOf(sales: number) {
  const before = [
    ...[...range(0, 10).map((at) => `author-${at}`), "gone"].map((name) => account(name)),
    ...range(1, 121).map((id) => item(sellerOf(id), id)),
    ...range(0, sales).map((at) => sale(at)),
  ]
  const isNew = (at: number) => at % 120 < 100
  const added = range(sales, sales + 200).filter(isNew)
  const kept = before.filter(isKept)
  const after = [
    ...kept.map((line, at) =>
      at % 7 === 0 && "price" in line ? { ...line, currency: "EUR" } : line,
    ),
    ...added.map((at) => sale(at)),
  ]
  const count = (type: string) => after.filter((line) => line.type === type).length
  const counts = { accounts: count("account"), items: count("item"), purchases: count("purchase") }
  const removals = added.map((at) => ({
    type: "purchase",
    purchase_code: `code-${at}`,
    deleted: true,
  }))
  return {
    /** Brings the store back to its state before the full feed. */
    reset: toFeed([...removals, ...before]),
    full: toFeed([...after, { type: "end", ...counts }]),
    lines: after.length,
    lacking: before.length - kept.length,
  }
}

const fullImport = ["import", "--full", "--max-deletes", "50%", "full.ndjson"]

async function dump(place: Place): Promise<string> {
  let text = ""
  await withStore(place, ({ store }) =>
    exportFeed(store.feed, async (lines) => {
      text += lines
    }),
  )
  return text
}

/** Counts the records that the full feed lacks. */
const countLacking = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .filter((line) => !isKept(JSON.parse(line))).length

export async function killFullImports(
  kind: StoreKind,
  { kills, sales, seed }: Readonly<{ kills: number; sales: number; seed: number }>,
  onKill: (kill: FullKill) => void,
): Promise<FullKills> {
  const random = createRandom(seed)
  const folder = temporaryFolder()
  const env = await kind.createEnvironment()
  const place: Place = { folder, feed: "full.ndjson", env }
  const run = (args: readonly string[]) => runPazar(folder, args, { env })
  const { reset, full, lines, lacking } = feedsOf(sales)
  writeFileSync(join(folder, "reset.ndjson"), reset)
  writeFileSync(join(folder, "full.ndjson"), full)
  try {
    await createStore(folder, env)
    await run(["import", "reset.ndjson"])
    const startedAt = performance.now()
    await run(fullImport)
    const wholeMs = performance.now() - startedAt
    const undisturbed = await dump(place)
    const seen: FullKill[] = []
    for (let index = 0; index < kills; index += 1) {
      await run(["import", "reset.ndjson"])
      // Spread over the whole run, from the start of the process to its end.
      const delayMs = ((index + random()) / kills) * wholeMs * 1.1
      const running = await spawnPazar(folder, fullImport, env)
      await Bun.sleep(delayMs)
      await killTree(running)
      const { integrity, line, isFinished } = await inspect(place)
      const left = countLacking(await dump(place))
      const { status } = await run(fullImport)
      const inspected = { delayMs, line, isFinished, integrity, left }
      const kill = { ...inspected, status, dump: await dump(place) }
      seen.push(kill)
      onKill(kill)
    }
    return { kills: seen, lacking, lines, undisturbed }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Describes the fault after a kill; null if all or nothing was removed and the next import completed it. */
export function judgeFullKill(
  { line, integrity, left, status, dump }: FullKill,
  { lacking, lines, undisturbed }: FullKills,
): string | null {
  if (integrity !== "ok") return integrity
  if (left !== lacking && left !== 0) return `${left} of ${lacking} records were left`
  if (left === 0 && line !== lines) return `removed after line ${line} of ${lines}`
  if (status !== 0) return `the next import ended with ${status}`
  return dump === undisturbed ? null : "the next import left another store"
}

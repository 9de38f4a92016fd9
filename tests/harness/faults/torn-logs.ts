/**
 * Power cuts of an SQLite database. The part of the write-ahead log that the disk had not saved is lost or garbage.
 * Every acknowledged sale must be there, and the push in progress completely or not at all.
 */
import { Database } from "bun:sqlite"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createRandom } from "../feed/random-feed.ts"
import { temporaryFolder } from "../program.ts"
import { account, item, purchase, toFeed } from "../records.ts"
import { createStore, killTree, startServer } from "../run-pazar.ts"

export type TornLogs = Readonly<{
  /** The number of torn logs that still had the push in progress. */
  whole: number
  cut: number
  problems: readonly string[]
}>

const token = "an-operator-token-of-some-length-0123"
const salesEachPush = 50
const cutsEachPush = 10

type Files = Readonly<{ database: Buffer; log: Buffer }>

export async function tearLogs(
  tears: number,
  seed: number,
  onTorn: (tears: number) => void,
): Promise<TornLogs> {
  const random = createRandom(seed)
  const folder = temporaryFolder()
  await createStore(folder)
  const path = join(folder, "data/pazar.db")
  const server = await startServer(folder, { PAZAR_OPERATOR_TOKEN: token, PAZAR_THREADS: "1" })
  const readFiles = (): Files => ({
    database: readFileSync(path),
    log: readFileSync(`${path}-wal`),
  })
  async function push(lines: string): Promise<void> {
    const headers = { Authorization: `Bearer ${token}` }
    const init = { method: "POST", headers, body: lines }
    const { status } = await fetch(`${server.url}/operator/feed`, init)
    if (status !== 200) throw new Error(`a push was answered with ${status}`)
  }
  await push(toFeed([account("ada"), item("ada", 1)]))

  const problems: string[] = []
  let [whole, cut, sales, torn] = [0, 0, 0, 0]
  while (torn < tears) {
    const before = readFiles()
    const codes = Array.from({ length: salesEachPush }, (_, at) => `code-${sales + at}`)
    await push(toFeed(codes.map((code) => purchase(code, 1))))
    const after = readFiles()
    // A checkpoint has copied the log into the database, so there is nothing to tear.
    const isComparable = before.database.equals(after.database)
    for (let each = 0; isComparable && each < cutsEachPush && torn < tears; each += 1) {
      torn += 1
      const log = tear(before.log, after.log, random)
      const { integrity, acknowledged, underWay } = inspect(folder, after.database, log, sales)
      if (integrity !== "ok") problems.push(`tear ${torn}: ${integrity}`)
      if (acknowledged !== sales) problems.push(`tear ${torn}: ${acknowledged} of ${sales} sales`)
      if (underWay !== 0 && underWay !== salesEachPush) problems.push(`tear ${torn}: ${underWay}`)
      if (underWay === 0) cut += 1
      else whole += 1
      onTorn(torn)
    }
    sales += salesEachPush
  }
  await killTree(server)
  rmSync(folder, { recursive: true })
  return { whole, cut, problems }
}

/** The new log up to a random position after the common part; then the old bytes, zeros, noise or nothing. */
function tear(old: Buffer, log: Buffer, random: () => number): Buffer {
  let same = 0
  while (same < old.length && old[same] === log[same]) same += 1
  const at = same + Math.floor(random() * (log.length - same + 1))
  const rest = log.length - at
  const noise = Buffer.from(Array.from({ length: rest }, () => Math.floor(random() * 256)))
  const ends = [old.subarray(at), Buffer.alloc(rest), noise, Buffer.alloc(0)]
  const end = ends[Math.floor(random() * ends.length)] ?? noise
  return Buffer.concat([log.subarray(0, at), end])
}

function inspect(folder: string, database: Buffer, log: Buffer, sales: number) {
  const target = join(folder, "torn")
  mkdirSync(target)
  const path = join(target, "pazar.db")
  writeFileSync(path, database)
  writeFileSync(`${path}-wal`, log)
  using db = new Database(path)
  const integrity = db.query("PRAGMA integrity_check").values().flat().join()
  const codes = db.query("SELECT code FROM purchases").values().flat()
  const numbers = codes.map((code) => Number(String(code).slice("code-".length)))
  const acknowledged = numbers.filter((number) => number < sales).length
  rmSync(target, { recursive: true })
  return { integrity, acknowledged, underWay: numbers.length - acknowledged }
}

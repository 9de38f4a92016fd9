/** Bytes → lines → records → batches in the store. */
import type {
  Fate,
  FeedRecord,
  FeedSecrets,
  FeedStore,
  FeedWriter,
  Refusal,
} from "../domain/feed.ts"
import { InvalidRecord } from "../domain/shape.ts"
import { parseJsonLine } from "./json-line.ts"
import { createLineCutter, type Line, lineBytesMax } from "./lines.ts"
import { parseRecord } from "./record.ts"

export type FeedImport = Readonly<{
  feed: FeedStore
  secrets: FeedSecrets
  /** What the operator knows the bytes as: a file's path, "-" or the name of a route. */
  source: string
  bytes: AsyncIterable<Uint8Array>
  /** `batches` keeps the good lines; `strict` all or nothing; `dry run` nothing. */
  mode: "batches" | "strict" | "dry run"
  batchRecords: number
  /** In the order of the lines. An oversize line is refused once, when its last piece came. */
  onRefused: (line: number, refusal: Refusal) => void
  /** The refused lines' own bytes, piece by piece; `isEnd` with the last piece of a line. */
  onRefusedBytes: (bytes: Uint8Array, isEnd: boolean) => void
  onProgress: (progress: FeedProgress) => void
}>

export type FeedProgress = Readonly<{ accepted: number; rejected: number; bytes: number }>
export type FeedSummary = Readonly<{ accepted: number; rejected: number }>

/** A sale that trickles in through a pipe is kept after this long, however small the batch. */
const idleMs = 100

/** Long lines make a batch full before it has its records: memory stays flat whatever comes. */
const batchBytesMax = 4 * 1024 ** 2

/** A third of a millisecond of judging, then the batch on its way gets a turn. */
const linesPerTurn = 32
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

type Pending = Readonly<{ line: Line; record: FeedRecord | null; refusal: Refusal | null }>

export async function importFeed(wish: FeedImport): Promise<FeedSummary> {
  const isWhole = wish.mode !== "batches"
  const writer = isWhole
    ? await wish.feed.openWhole(wish.source)
    : await wish.feed.openBatches(wish.source)
  try {
    return await run(wish, writer, isWhole)
  } catch (error) {
    await writer.discard()
    throw error
  }
}

async function run(wish: FeedImport, writer: FeedWriter, isWhole: boolean): Promise<FeedSummary> {
  const { secrets, mode, batchRecords, onProgress } = wish
  const cutter = createLineCutter()
  let pending: Pending[] = []
  let pendingBytes = 0
  let lastLine = 0
  let [accepted, rejected, bytes] = [0, 0, 0]
  /** One batch is written while the next is judged. */
  let writing: Promise<void> = Promise.resolve()

  async function write(
    batch: readonly Pending[],
    line: number,
    take: FeedWriter["put"],
  ): Promise<void> {
    const records = batch.flatMap(({ record }) => record ?? [])
    const fates = await take(records, line)
    rejected += report(wish, batch, fates)
    accepted += fates.filter((fate) => fate === null).length
    onProgress({ accepted, rejected, bytes })
  }

  async function flush(take: FeedWriter["put"]): Promise<void> {
    await writing
    writing = write(pending, lastLine, take)
    // A failure is met where `writing` is waited for; until then it is nobody's.
    writing.catch(() => {})
    pending = []
    pendingBytes = 0
  }

  async function takeLines(lines: readonly Line[]): Promise<void> {
    for (const line of lines) {
      if (line.number % linesPerTurn === 0) await nextTurn()
      const judged = judgeLine(line, secrets)
      if (judged === null) continue
      pending.push(judged)
      pendingBytes += line.bytes.length
      lastLine = line.number
      const isFull = pending.length >= batchRecords || pendingBytes >= batchBytesMax
      if (isFull) await flush(writer.put)
    }
  }

  try {
    for await (const chunk of withPauses(wish.bytes)) {
      if (chunk === null) {
        if (pending.length > 0) await flush(writer.put)
        await writing
      } else {
        bytes += chunk.length
        await takeLines(cutter.push(chunk))
      }
    }
    await takeLines(cutter.end())
    await flush(isWhole ? writer.put : writer.finish)
  } finally {
    // Whatever ended us: nobody may undo or close what is still being written.
    await writing
  }
  if (!isWhole) return { accepted, rejected }
  const isKept = mode === "strict" && rejected === 0
  if (isKept) await writer.finish([], lastLine)
  else await writer.discard()
  return { accepted: mode === "strict" && !isKept ? 0 : accepted, rejected }
}

/** Passes the chunks on, and null when none came for a while. */
async function* withPauses(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  const source = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = source.next()
      if (await isSlow(next)) yield null
      const { done, value } = await next
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: a source that waits for data would hold up the failure that ended us.
    source.return?.().catch(() => {})
  }
}

async function isSlow(next: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const pause = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), idleMs)
  })
  const isHere = next.then(
    () => false,
    () => false,
  )
  const isLate = await Promise.race([isHere, pause])
  clearTimeout(timer)
  return isLate
}

/** Null for a blank line, which is nobody's record. */
function judgeLine(line: Line, secrets: FeedSecrets): Pending | null {
  if (line.isOversize) {
    const refusal = { member: "record", reason: `is longer than ${lineBytesMax} bytes` }
    return { line, record: null, refusal }
  }
  try {
    const text = decode(line)
    if (text.trim() === "") return null
    return { line, record: parseRecord(parseJsonLine(text), secrets), refusal: null }
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    return { line, record: null, refusal: { member: error.member, reason: error.reason } }
  }
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A byte order mark is allowed where it means something: at the very start. */
function decode({ number, bytes }: Line): string {
  let text: string
  try {
    text = strictUtf8.decode(bytes)
  } catch {
    throw new InvalidRecord("record", "is not valid UTF-8")
  }
  return number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text
}

/** Tells of the refused lines in order; answers with how many there were. */
function report(wish: FeedImport, batch: readonly Pending[], fates: readonly Fate[]): number {
  let rejected = 0
  let taken = 0
  for (const { line, record, refusal } of batch) {
    const fate = record === null ? refusal : (fates[taken++] ?? null)
    if (fate === null) continue
    // Only the last piece of an oversize line counts, so that it is one refusal.
    if (line.isEnd) {
      rejected += 1
      wish.onRefused(line.number, fate)
    }
    wish.onRefusedBytes(line.bytes, line.isEnd)
  }
  return rejected
}

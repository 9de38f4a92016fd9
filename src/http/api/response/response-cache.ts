/**
 * Long answers, ready to send, by their entity tags. Blobs: the runtime sends the same bytes to any number
 * of readers, and would copy an array for each of them. The same tag means the same bytes, so no entry can
 * be stale. Rendering and compressing a list costs many times what sending it does.
 */
import { createWorkQueue, untilNextTurn } from "../../../domain/values/work-queue.ts"

export type ResponseCache = Readonly<{
  /**
   * The first reader of a tag loads it, and those that come meanwhile wait for it. Null for readers that go on
   * alone: `load` gave null, now or before, or failed for the reader they waited for.
   */
  get(tag: string, load: () => Promise<Blob | null>): Blob | null | Promise<Blob | null>
}>

/** For each thread. A list of 1,000 items takes 0.7 MB, packed a tenth of that. */
const bytesMax = 16 * 1024 ** 2
/** One author's list must not evict all others. */
export const entryBytesMax = 4 * 1024 ** 2
/** As many of the longest as there is room for. Others wait: readers that go on alone slow the loads down. */
const loadsMax = bytesMax / entryBytesMax
const askedMax = 10_000
const refusedMax = 1_000

export function createResponseCache(): ResponseCache {
  /** The one that was not asked for the longest is first. Null for one that found no room. */
  const asked = new Map<string, Blob | null>()
  const loading = new Map<string, Promise<Blob | null>>()
  const inTurn = createWorkQueue(loadsMax, untilNextTurn)
  const refused = new Set<string>()
  let bytes = 0

  function drop(tag: string): void {
    bytes -= asked.get(tag)?.size ?? 0
    asked.delete(tag)
  }
  function putLast(tag: string, entry: Blob | null): void {
    drop(tag)
    asked.set(tag, entry)
    bytes += entry?.size ?? 0
  }
  /**
   * Into a full cache comes what is asked for again, for what was not asked for since. Lists in rotation that
   * do not all fit would otherwise evict each other, each just before it is asked for.
   */
  function keep(tag: string, entry: Blob): void {
    const isFull = () => bytes + entry.size > bytesMax
    const wasAsked = asked.has(tag)
    for (const oldest of asked.keys()) {
      if (oldest === tag || !((wasAsked && isFull()) || asked.size >= askedMax)) break
      drop(oldest)
    }
    putLast(tag, isFull() ? null : entry)
  }
  function refuse(tag: string): void {
    // Clearing a full set costs less than evicting the oldest.
    if (refused.size >= refusedMax) refused.clear()
    refused.add(tag)
  }
  async function fill(tag: string, load: Parameters<ResponseCache["get"]>[1]) {
    try {
      const made = await load()
      const entry = made === null || made.size > entryBytesMax ? null : made
      if (entry === null) refuse(tag)
      else keep(tag, entry)
      return entry
    } finally {
      loading.delete(tag)
    }
  }
  return {
    get(tag, load) {
      const entry = asked.get(tag)
      if (entry) {
        putLast(tag, entry)
        return entry
      }
      const underWay = loading.get(tag)
      if (underWay !== undefined) return underWay.catch(() => null)
      if (refused.has(tag)) return null
      const filling = inTurn(() => fill(tag, load))
      loading.set(tag, filling)
      return filling
    },
  }
}

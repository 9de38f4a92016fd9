/**
 * Long answers that are asked for again and again, ready to send, by their tags: the same tag means
 * the same bytes, so nothing here can be out of date. Making and packing a list costs many times what
 * sending it does.
 */
export type Shelf = Readonly<{
  /**
   * What is kept under this tag. Missed twice, it is made by `make` beside the requests, one at a
   * time; null from there is for what cannot be kept, and not asked for again.
   */
  find(
    tag: string,
    make: () => Promise<Uint8Array<ArrayBuffer> | null>,
  ): Uint8Array<ArrayBuffer> | null
}>

/** For each thread. A list of 1,000 items takes 0.7 MB, packed a tenth of that. */
const bytesMax = 16 * 1024 ** 2
/** So that one author's list cannot push out everybody else's. */
export const entryBytesMax = 4 * 1024 ** 2
const tagsMax = 1_000

export function createShelf(onFault: (fault: unknown) => void): Shelf {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>()
  const missed = new Set<string>()
  const refused = new Set<string>()
  let bytes = 0
  let isMaking = false

  function put(tag: string, entry: Uint8Array<ArrayBuffer>): void {
    kept.set(tag, entry)
    bytes += entry.length
    for (const [oldest, { length }] of kept) {
      if (bytes <= bytesMax) break
      kept.delete(oldest)
      bytes -= length
    }
  }
  async function fill(tag: string, make: Parameters<Shelf["find"]>[1]): Promise<void> {
    isMaking = true
    try {
      const entry = await make()
      if (entry !== null && entry.length <= entryBytesMax) put(tag, entry)
      else note(refused, tag)
    } catch (fault) {
      onFault(fault)
    } finally {
      isMaking = false
    }
  }
  return {
    find(tag, make) {
      const entry = kept.get(tag)
      if (entry !== undefined) return entry
      if (isMaking || refused.has(tag)) return null
      if (missed.delete(tag)) void fill(tag, make)
      else note(missed, tag)
      return null
    },
  }
}

/** Forgetting them all costs less than remembering which was first. */
function note(tags: Set<string>, tag: string): void {
  if (tags.size >= tagsMax) tags.clear()
  tags.add(tag)
}

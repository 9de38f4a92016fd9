/** Records are far shorter. A longer line is rejected and not held in memory. */
export const lineBytesMax = 1024 ** 2

export type Line = Readonly<{
  number: number
  bytes: Uint8Array
  /** A line over the limit is returned in pieces, all with `isOversize`, the last one with `isEnd`. */
  isOversize: boolean
  isEnd: boolean
}>

const lineFeed = 0x0a
const noBytes = new Uint8Array(0)

export function createLineSplitter(bytesMax = lineBytesMax) {
  let number = 1
  let held: Uint8Array[] = []
  let heldBytes = 0
  let isOversize = false

  function take(isEnd: boolean): Line {
    const [first = noBytes] = held
    const bytes = held.length === 1 ? first : Buffer.concat(held)
    const line = { number, bytes, isOversize, isEnd }
    held = []
    heldBytes = 0
    if (isEnd) {
      number += 1
      isOversize = false
    }
    return line
  }

  function hold(part: Uint8Array): void {
    held.push(part)
    heldBytes += part.length
    if (heldBytes > bytesMax) isOversize = true
  }

  return {
    /** One line at a time: a chunk can have a million short ones. */
    *push(chunk: Uint8Array): Generator<Line> {
      for (let start = 0; ; ) {
        const end = chunk.indexOf(lineFeed, start)
        const stop = end === -1 ? chunk.length : end
        if (stop > start) hold(chunk.subarray(start, stop))
        if (end === -1) break
        yield take(true)
        start = end + 1
      }
      if (isOversize) yield take(false)
    },
    end: (): Line[] => (heldBytes > 0 || isOversize ? [take(true)] : []),
  }
}

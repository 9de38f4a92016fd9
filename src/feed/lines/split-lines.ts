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

export function createLineSplitter(bytesMax = lineBytesMax) {
  let number = 1
  let held: Uint8Array[] = []
  let heldBytes = 0
  let isOversize = false

  function take(isEnd: boolean): Line {
    const [first = new Uint8Array(0)] = held
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
    push(chunk: Uint8Array): Line[] {
      const lines: Line[] = []
      let start = 0
      for (;;) {
        const end = chunk.indexOf(lineFeed, start)
        hold(chunk.subarray(start, end === -1 ? chunk.length : end))
        if (end === -1) break
        lines.push(take(true))
        start = end + 1
      }
      if (isOversize) lines.push(take(false))
      return lines
    },
    end: (): Line[] => (heldBytes > 0 || isOversize ? [take(true)] : []),
  }
}

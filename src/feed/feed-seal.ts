/**
 * The seal of a feed that carries keys and passwords: its last line authenticates all bytes before
 * it. Without it those lines are refused, because a single line cannot prove that no line was removed.
 */
import type { FeedSeal, Refusal } from "../domain/feed/feed.ts"

/** Lines that are taken only from a feed whose seal was checked. */
const sealedTypes: readonly unknown[] = ["key", "password", "seal"]
/** More than `"type": "password"` needs, so that one on two chunks is found in the second. */
const typeBytesMax = 64
const sealedLine = /"type"\s*:\s*"(?:key|password|seal)"/

/** A seal is about 70 bytes; a longer line is none. */
const sealBytesMax = 1_024
const lineFeed = 0x0a

export const renderSealLine = (seal: FeedSeal) =>
  JSON.stringify({ type: "seal", hmac: seal.render() })

/** `unsealed`: it has keys or passwords and no seal. `broken`: its seal is not that of its bytes. */
export type SealState = "not needed" | "sealed" | "unsealed" | "broken"

type SealReader = Readonly<{
  add(chunk: Uint8Array): void
  /** Called once, after the last chunk: whether the last line is the seal of all before it. */
  end(): Exclude<SealState, "not needed">
}>

export function createSealReader(seal: FeedSeal): SealReader {
  /** The last line so far, which may be the seal; it is added to the seal when another line follows. */
  let last: Uint8Array = new Uint8Array(0)
  /** Whether `last` lacks its beginning, because it is too long. */
  let isCut = false
  return {
    add(chunk) {
      const bytes = Buffer.concat([last, chunk])
      const lineStart = bytes.lastIndexOf(lineFeed, -2) + 1
      if (lineStart > 0) isCut = false
      const isTooLong = bytes.length - lineStart > sealBytesMax
      const keptFrom = isTooLong ? bytes.length : lineStart
      isCut = isTooLong ? bytes.at(-1) !== lineFeed : isCut
      seal.add(bytes.subarray(0, keptFrom))
      last = bytes.subarray(keptFrom)
    },
    end() {
      const hmac = isCut ? null : findSealHmac(last)
      if (hmac === null) return "unsealed"
      return seal.isSame(hmac) ? "sealed" : "broken"
    },
  }
}

/**
 * Whether a line that needs a seal begins in a chunk. A line in another spelling is not found here,
 * and is later refused as unsealed.
 */
export function createSealedLineFinder(): (chunk: Uint8Array) => boolean {
  let end: Uint8Array = new Uint8Array(0)
  return (chunk) => {
    const bytes = Buffer.concat([end, chunk])
    end = bytes.subarray(-typeBytesMax)
    // Searching for the words first is five times as fast, and most feeds contain none of them.
    return sealedTypes.some((type) => bytes.includes(`"${type}"`)) && hasSealedLine(bytes)
  }
}

const hasSealedLine = (bytes: Buffer) => sealedLine.test(bytes.toString("latin1"))

/** Null when it is another line. */
function findSealHmac(line: Uint8Array): string | null {
  const [, hmac = null] =
    /^\{"type":"seal","hmac":"([\w+/=]+)"\}\n?$/.exec(Buffer.from(line).toString("latin1")) ?? []
  return hmac
}

/** Reads a feed with keys or passwords twice, any other once. */
export async function readSeal(
  readBytes: () => AsyncIterable<Uint8Array>,
  seal: FeedSeal,
): Promise<SealState> {
  if (!(await needsSeal(readBytes()))) return "not needed"
  const reader = createSealReader(seal)
  for await (const chunk of readBytes()) reader.add(chunk)
  return reader.end()
}

async function needsSeal(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  const hasSealedLine = createSealedLineFinder()
  for await (const chunk of bytes) if (hasSealedLine(chunk)) return true
  return false
}

const hasType = (value: unknown): value is Readonly<{ type: unknown }> =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "type")

export const isSealLine = (value: unknown) => hasType(value) && value.type === "seal"

/** Why a line of an unsealed feed is not taken; null for one that needs no seal. */
export function refuseUnsealed(value: unknown): Refusal | null {
  if (!hasType(value) || !sealedTypes.includes(value.type)) return null
  return {
    member: "type",
    reason: "keys and passwords are only taken by `pazar import`, from a whole export",
  }
}

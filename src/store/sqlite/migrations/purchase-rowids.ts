/**
 * The rowid of a purchase is made of the checksum of its code, ASCII case ignored. Codes with the same
 * checksum, which include those that differ only in case, have neighbouring rowids.
 */
import { lowerAscii } from "../../../domain/catalogue/purchase-code.ts"
import { crc32 } from "../../../domain/keys/api-key.ts"

/** A checksum has 32 bits and a rowid 53, as many as a number can hold exactly. */
const rowidsEach = 2 ** 21

/** Must never change: every stored rowid depends on it. Letters beyond ASCII count by their low byte. */
const checksumOf = (code: string) => crc32(lowerAscii(code))

export function rowidsOf(code: string): Readonly<{ first: number; last: number }> {
  const first = checksumOf(code) * rowidsEach
  return { first, last: first + rowidsEach - 1 }
}

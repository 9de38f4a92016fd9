/**
 * Where a purchase stands in its table: at the checksum of its code, the case of ASCII letters
 * aside. Codes with the same checksum, those that differ in case among them, stand side by side.
 */
import type { Database } from "bun:sqlite"
import { crc32 } from "../../domain/crc32.ts"
import { lowerAscii } from "../../domain/purchase-code.ts"

/** A checksum has 32 bits and a place 53, as many as a number can hold exactly. */
const rowidsEach = 2 ** 21

/** Stores are built on it: it must never change. Of a letter beyond ASCII it takes the low byte. */
const checksumOf = (code: string) => crc32(lowerAscii(code))

export function rowidsOf(code: string): Readonly<{ first: number; last: number }> {
  const first = checksumOf(code) * rowidsEach
  return { first, last: first + rowidsEach - 1 }
}

/** For stores from before there were places: a table of every code's checksum. SQL cannot reckon it. */
export function writeChecksums(db: Database): void {
  db.run("CREATE TEMP TABLE places (id INTEGER NOT NULL, checksum INTEGER NOT NULL)")
  using insert = db.prepare("INSERT INTO temp.places (id, checksum) VALUES (?, ?)")
  using codes = db.prepare<{ id: number; code: string }, []>(
    "SELECT id, code FROM purchases NOT INDEXED",
  )
  for (const { id, code } of codes.iterate()) insert.run(id, checksumOf(code))
}

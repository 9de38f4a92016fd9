/** Lines that wait for the end of a run, on disk to limit memory. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Line } from "./split-lines.ts"

const headerBytes = 12

export function openLineSpool() {
  let file: number | null = null
  let endBytes = 0

  return {
    add({ number, bytes }: Line): void {
      file ??= openUnnamedFile()
      const entry = Buffer.alloc(headerBytes + bytes.length)
      entry.writeDoubleLE(number, 0)
      entry.writeUInt32LE(bytes.length, 8)
      entry.set(bytes, headerBytes)
      for (let written = 0; written < entry.length; )
        written += writeSync(file, entry, written, entry.length - written, endBytes + written)
      endBytes += entry.length
    },
    /** In batches of at most `linesMax` lines, and about `bytesMax` bytes. */
    *read(linesMax: number, bytesMax: number): Generator<readonly Line[]> {
      if (file === null) return
      let batch: Line[] = []
      let batchBytes = 0
      for (let position = 0; position < endBytes; ) {
        const header = readAt(file, position, headerBytes)
        const bytes = readAt(file, position + headerBytes, header.readUInt32LE(8))
        batch.push({ number: header.readDoubleLE(0), bytes, isOversize: false, isEnd: true })
        batchBytes += bytes.length
        position += headerBytes + bytes.length
        if (batch.length < linesMax && batchBytes < bytesMax && position < endBytes) continue
        yield batch
        batch = []
        batchBytes = 0
      }
    },
    close(): void {
      if (file !== null) closeSync(file)
      file = null
      endBytes = 0
    },
  }
}

/** The file is deleted while it is open, so that it disappears even if the program is killed. */
function openUnnamedFile(): number {
  const folder = mkdtempSync(join(tmpdir(), "pazar-import-"))
  try {
    return openSync(join(folder, "deferred"), "wx+", 0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let read = 0; read < length; ) {
    const count = readSync(file, bytes, read, length - read, position + read)
    if (count === 0) throw new Error("the spool of deferred lines ends too early")
    read += count
  }
  return bytes
}

/** How often the threads of this process have written, in memory that all of them share. */
export type WriteCount = Int32Array

export const createWriteCount = (): WriteCount => new Int32Array(new SharedArrayBuffer(4))

/** Called after the commit and before the answer, so that no cache still holds the older state then. */
export function countWrite(writes: WriteCount): void {
  Atomics.add(writes, 0, 1)
}

export const readWriteCount = (writes: WriteCount) => Atomics.load(writes, 0)

/** What the threads of this process tell each other about the database, in memory that all of them share. */
export type SharedState = Int32Array<SharedArrayBuffer>

const [writes, diskFailure] = [0, 1]

export const createSharedState = (): SharedState => new Int32Array(new SharedArrayBuffer(8))

/** Called after the commit and before the answer, so that no cache still holds the older state then. */
export function countWrite(shared: SharedState): void {
  Atomics.add(shared, writes, 1)
}

export const readWriteCount = (shared: SharedState) => Atomics.load(shared, writes)

/** The disk has failed to save a write. No thread of this process may write any more. */
export function noteDiskFailure(shared: SharedState): void {
  Atomics.store(shared, diskFailure, 1)
  Atomics.notify(shared, diskFailure)
}

export const hasDiskFailed = (shared: SharedState) => Atomics.load(shared, diskFailure) === 1

export async function untilDiskFails(shared: SharedState): Promise<void> {
  await Atomics.waitAsync(shared, diskFailure, 0).value
}

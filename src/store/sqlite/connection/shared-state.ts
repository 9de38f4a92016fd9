/** What the threads of this process tell each other about the database, in memory that all of them share. */
export type SharedState = Int32Array<SharedArrayBuffer>

const diskFailure = 0

export const createSharedState = (): SharedState => new Int32Array(new SharedArrayBuffer(4))

/** The disk has failed to save a write. No thread of this process may write any more. */
export function noteDiskFailure(shared: SharedState): void {
  Atomics.store(shared, diskFailure, 1)
  Atomics.notify(shared, diskFailure)
}

export const hasDiskFailed = (shared: SharedState) => Atomics.load(shared, diskFailure) === 1

export async function untilDiskFails(shared: SharedState): Promise<void> {
  await Atomics.waitAsync(shared, diskFailure, 0).value
}

/** Has the first lock of a table in one call after another, and then leaves it free. */
import { workerData } from "node:worker_threads"

const { locks, isFree } = workerData
const pause = new Int32Array(new SharedArrayBuffer(4))
for (let call = 1; call <= 200; call += 1) {
  Atomics.store(locks, 0, call * 1024 + 2)
  Atomics.wait(pause, 0, 0, 2)
}
Atomics.store(isFree, 0, 1)
Atomics.store(locks, 0, 0)

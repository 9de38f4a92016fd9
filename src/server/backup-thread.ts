/** Creates one backup in its own thread, because copying and checking would block requests. */
import { constants, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import { backUpSqlite } from "../store/open.ts"

export type BackupRequest = Readonly<{ path: string; target: string; unfinished: string }>
export type BackupResult = Readonly<{ bytes: number; isEmpty: boolean } | { problem: string }>

async function run({ path, target, unfinished }: BackupRequest): Promise<BackupResult> {
  try {
    // On Linux this is the priority of this thread alone.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The system may forbid it, for example by a systemd filter. The backup runs anyway.
  }
  const options = { mayOverwrite: false, unfinished, onStage: async () => {} }
  try {
    const { bytes, counts } = await backUpSqlite(path, target, options)
    return { bytes, isEmpty: counts.accounts === 0 }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await run(workerData))

/** Creates one backup in its own thread, because copying and checking would block requests. */
import { constants, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import { backUpSqlite } from "../store/backup.ts"

export type BackupRequest = Readonly<{ path: string; target: string; unfinished: string }>
export type BackupResult = Readonly<{ bytes: number; isEmpty: boolean } | { problem: string }>

function run({ path, target, unfinished }: BackupRequest): BackupResult {
  try {
    // On Linux this is the priority of this thread alone.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The system may forbid it, for example by a systemd filter. The backup runs anyway.
  }
  try {
    const { bytes, counts } = backUpSqlite(path, target, { mayOverwrite: false, unfinished })
    return { bytes, isEmpty: counts.accounts === 0 }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(run(workerData))

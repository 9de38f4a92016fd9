/** The edge of a thread that makes one backup: copying and checking would stop the requests of another thread. */
import { constants, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import { backUpStore, sqliteAt } from "../store/open.ts"

export type BackupRequest = Readonly<{ path: string; target: string; unfinished: string }>
export type BackupResult = Readonly<{ bytes: number } | { problem: string }>

async function run({ path, target, unfinished }: BackupRequest): Promise<BackupResult> {
  try {
    // On Linux this is the priority of this thread alone.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The system forbids it, as the filter of the systemd unit does: a backup matters more.
  }
  const options = { mayOverwrite: false, unfinished, onStage: async () => {} }
  try {
    return { bytes: (await backUpStore(sqliteAt(path), target, options)).bytes }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await run(workerData))

/** The edge of a thread that makes one backup: copying and checking would stop the requests of another thread. */
import { constants, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import { backUpStore, sqliteAt } from "../store/open.ts"

export type BackupOrder = Readonly<{ path: string; target: string; unfinished: string }>
export type BackupAnswer = Readonly<{ bytes: number } | { problem: string }>

async function run({ path, target, unfinished }: BackupOrder): Promise<BackupAnswer> {
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

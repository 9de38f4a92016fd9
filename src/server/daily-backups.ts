/**
 * Daily backups of an embedded database. Each day has one name, so that only one of two servers on a database makes
 * the backup; a file of that name is complete and was checked.
 */
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { failedBackupMetadataKey, type MetadataStore, recordBackup } from "../domain/store.ts"
import type { Every } from "../domain/values/time/timers.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"
import type { Log } from "../log/log.ts"
import { chooseUnfinishedName, removeUnfinished } from "../store/open.ts"
import type { BackgroundTask } from "./background-task.ts"
import type { BackupRequest, BackupResult } from "./backup-thread.ts"

type BackupServices = Readonly<{
  /** Of the embedded store. */
  path: string
  folder: string
  metadata: Pick<MetadataStore, "put" | "putInPlaceOf">
  now(): Date
  every: Every
  log: Log
  /** In a thread of its own, except in a test. */
  backUp?(order: BackupRequest): Promise<BackupResult>
  /** How long a server that stops waits for a backup; five seconds, except in a test. */
  stopMsMax?: number
}>

const checkEveryMs = 60_000
/** After a failure, as of a full disk: soon enough, and no flood of log lines. */
const retryAfterMs = 10 * 60_000

/** With the time for open requests, less than the 30 seconds after which a server that stops is killed. */
const stopMsMaxOfServer = 5_000

const form = /^pazar-\d{8}T\d{6}Z\.db$/

export function openDailyBackups(services: BackupServices): BackgroundTask {
  const { path, folder, metadata, now, every, log, backUp = backUpInThread } = services
  const { stopMsMax = stopMsMaxOfServer } = services
  let failedAtMs = Number.NEGATIVE_INFINITY
  let isGivenUp = false
  let underWay: BackupRequest | null = null

  async function round(): Promise<void> {
    if (isGivenUp) return
    const nowMs = now().getTime()
    const name = nameOf(nowMs)
    const target = join(folder, name)
    // The clock may have been set back since the failure, even by years.
    if (Math.abs(nowMs - failedAtMs) < retryAfterMs || existsSync(target)) return
    try {
      underWay = { path, target, unfinished: chooseUnfinishedName(target) }
      const answer = await backUp(underWay).finally(() => {
        underWay = null
      })
      // Another server on this store was faster.
      if ("problem" in answer && (isGivenUp || existsSync(target))) return
      if ("problem" in answer) throw new Error(answer.problem)
      log.info("backup created", { file: target, bytes: answer.bytes })
      // Each of the two also if the other fails: a store may take no writes, and an old backup may be in use.
      try {
        await recordBackup(metadata, answer.bytes, formatTimestamp(now()))
      } finally {
        removeOld(folder, name)
      }
    } catch (fault) {
      failedAtMs = nowMs
      log.failure("backup failed", fault)
      await noteFailure(fault)
    }
  }
  /** For the status. The disk of the store may be full too. */
  async function noteFailure(fault: unknown): Promise<void> {
    const why = fault instanceof Error ? fault.message : String(fault)
    await metadata.put(failedBackupMetadataKey, why).catch(() => {})
  }
  let running = round()
  const stopTimer = every(checkEveryMs, () => {
    running = running.then(round)
  })
  return {
    async close() {
      stopTimer()
      await Promise.race([running, Bun.sleep(stopMsMax)])
      if (underWay === null) return
      isGivenUp = true
      // A copy of minutes. Nothing can end its thread but the end of the process; without its file it makes no backup.
      removeUnfinished(underWay.unfinished)
      log.info("backup canceled", { file: underWay.target })
    },
  }
}

/** Names sort by age, also beside those of 0.12, which have the time of day in place of zeros. */
const nameOf = (nowMs: number) =>
  `pazar-${new Date(nowMs).toISOString().slice(0, 10).replaceAll("-", "")}T000000Z.db`

const keptMax = 7

/**
 * Only those that were made here. Later names than `newest` come from a clock that was ahead: they neither count nor
 * are removed, or the backup that was just made would be.
 */
function removeOld(folder: string, newest: string): void {
  const names = readdirSync(folder).filter((name) => form.test(name) && name <= newest)
  for (const name of names.toSorted().slice(0, -keptMax))
    rmSync(join(folder, name), { force: true })
}

/** Beside this file: `bun build --compile` puts every module into one folder. */
const backupEntry = new URL("./backup-thread.ts", import.meta.url)

function backUpInThread(order: BackupRequest): Promise<BackupResult> {
  const worker = new Worker(backupEntry, { workerData: order })
  return new Promise((resolve, reject) => {
    worker.once("message", (answer: BackupResult) => {
      resolve(answer)
      void worker.terminate()
    })
    worker.once("error", reject)
    worker.once("exit", () => reject(new Error("the thread of the backup ended early")))
  })
}

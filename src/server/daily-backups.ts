/**
 * Daily backups of a SQLite database. The file name contains the day, so that only one of several servers creates it. A
 * file with this name is complete and verified.
 */
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { AccountStore } from "../accounts/account.ts"
import type { FeedStore } from "../feed/import-run.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import { chooseUnfinishedName, removeUnfinished } from "../platform/database/sqlite-file.ts"
import type { Log } from "../platform/log.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import { type BackgroundTask, type Every, repeat } from "../platform/timers.ts"
import { emptyBackupMetadataKey, failedBackupMetadataKey, recordBackup } from "../store/metadata.ts"
import type { BackupRequest, BackupResult } from "./backup-thread.ts"

type BackupServices = Readonly<{
  path: string
  folder: string
  metadata: Pick<MetadataStore, "find" | "put" | "putInPlaceOf" | "remove">
  accounts: Pick<AccountStore, "list">
  feed: Pick<FeedStore, "listLastFinishes">
  now(): Date
  every: Every
  log: Log
  /** Default: in a thread. Only tests change it. */
  backUp?(request: BackupRequest): Promise<BackupResult>
  /** How long a stopping server waits for a backup. Only tests change it. */
  stopMsMax?: number
}>

const checkEveryMs = 60_000
const retryAfterMs = 10 * 60_000

/** Together with open requests, less than the 30 seconds after which a stopping server is killed. */
const stopMsMaxDefault = 5_000

const fileName = /^pazar-\d{8}T\d{6}Z\.db$/

export function openDailyBackups(services: BackupServices): BackgroundTask {
  const {
    path,
    folder,
    metadata,
    accounts,
    feed,
    now,
    every,
    log,
    backUp = backUpInThread,
  } = services
  const { stopMsMax = stopMsMaxDefault } = services
  let failedAtMs = Number.NEGATIVE_INFINITY
  let isCanceled = false
  let current: BackupRequest | null = null

  async function round(): Promise<void> {
    if (isCanceled) return
    const nowMs = now().getTime()
    // `abs`, because the clock may have been set back since the failure.
    if (Math.abs(nowMs - failedAtMs) < retryAfterMs) return
    try {
      const daily = nameOfDay(nowMs)
      // While the database cannot be read, the import can wait.
      const name = existsSync(join(folder, daily))
        ? await nameAfterFirstImport().catch(() => null)
        : daily
      if (name === null || isCanceled) return
      const target = join(folder, name)
      current = { path, target, unfinished: chooseUnfinishedName(target) }
      const result = await backUp(current).finally(() => {
        current = null
      })
      // If the file exists, another server on this database was faster.
      if ("problem" in result && (isCanceled || existsSync(target))) return
      if ("problem" in result) throw new Error(result.problem)
      log.info("backup created", { file: target, bytes: result.bytes })
      // Both steps run even if the other fails: the database may be read-only, or an old backup in use.
      try {
        await recordBackup(metadata, { at: formatTimestamp(now()), bytes: result.bytes })
        if (result.isEmpty) await metadata.put(emptyBackupMetadataKey, name)
        else await metadata.remove(emptyBackupMetadataKey)
      } finally {
        removeOld(folder, name)
      }
    } catch (fault) {
      failedAtMs = nowMs
      log.failure("backup failed", fault)
      await recordFailure(fault)
    }
  }
  /** The backup of a day that began with an empty database is of little use. */
  async function nameAfterFirstImport(): Promise<string | null> {
    const isEmpty = (await metadata.find(emptyBackupMetadataKey)) !== null
    if (!isEmpty || (await accounts.list("", 1)).length === 0) return null
    const finishes = (await feed.listLastFinishes(now())).map(({ finishedAt }) => finishedAt)
    const last = finishes.toSorted().at(-1)
    return last === undefined ? null : nameAt(last)
  }
  /** For the status. Ignores errors, because the disk of the database may be full too. */
  async function recordFailure(fault: unknown): Promise<void> {
    const why = fault instanceof Error ? fault.message : String(fault)
    await metadata.put(failedBackupMetadataKey, why).catch(() => {})
  }
  const backing = repeat(every, checkEveryMs, round)
  return {
    async close() {
      await Promise.race([backing.close(), Bun.sleep(stopMsMax)])
      if (current === null) return
      isCanceled = true
      // The thread cannot be stopped, but without its file it cannot complete the backup.
      removeUnfinished(current.unfinished)
      log.info("backup canceled", { file: current.target })
    },
  }
}

/** Names sort by age. */
const nameAt = (at: Timestamp) => `pazar-${at.replaceAll(/[-:]/g, "")}.db`

const nameOfDay = (nowMs: number) =>
  nameAt(`${new Date(nowMs).toISOString().slice(0, 10)}T00:00:00Z`)

const keptMax = 7

/** Ignores names later than `newest`, from a clock that was ahead: if they counted, the new backup would be removed. */
function removeOld(folder: string, newest: string): void {
  const names = readdirSync(folder).filter((name) => fileName.test(name) && name <= newest)
  for (const name of names.toSorted().slice(0, -keptMax))
    rmSync(join(folder, name), { force: true })
}

/** In the same folder, because `bun build --compile` puts all modules into one. */
const backupEntry = new URL("./backup-thread.ts", import.meta.url)

function backUpInThread(request: BackupRequest): Promise<BackupResult> {
  const worker = new Worker(backupEntry, { workerData: request })
  return new Promise((resolve, reject) => {
    worker.once("message", (result: BackupResult) => {
      resolve(result)
      void worker.terminate()
    })
    worker.once("error", reject)
    worker.once("exit", () => reject(new Error("backup thread exited early")))
  })
}

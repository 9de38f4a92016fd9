import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { readConfig } from "../../config/config.ts"
import { recordBackup, StoreMoved, StoreUnavailable } from "../../domain/store.ts"
import { describeCounts } from "../../domain/usage/operator-reads.ts"
import { formatCount } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { type MasterKeySource, openBackupKeys } from "../../secrets/master-key.ts"
import {
  backUpSqlite,
  type CopyStage,
  describeStore,
  type EmbeddedLocation,
  type OnStage,
  openStore,
  restoreSqlite,
  type StoreLocation,
} from "../../store/open.ts"
import { MigrationNeeded, NotPazarDatabase, StoreTooNew } from "../../store/sql/schema-versions.ts"
import type * as declared from "../definitions/server-definitions.ts"
import {
  CannotRunError,
  type CommandAction,
  type CommandContext,
  UsageError,
} from "../framework/command.ts"
import { toJson } from "../framework/output.ts"

export const backup: CommandAction<typeof declared.backup> = async (
  { positionals: [name], values },
  context,
) => {
  // Otherwise `backup - | gzip` would succeed, compress nothing and write a file named "-".
  if (name === "-") {
    throw new UsageError("cannot write a backup to standard output", "name a file")
  }
  const { store: location, masterKey } = readConfig(context.env, { mayLackKey: true })
  if (location.kind === "postgres") await assertOpens(location)
  const store = requireSqlite(location, dumpAdvice)
  const file = resolve(name)
  context.lowerPriority()
  const startedAt = performance.now()
  const { bytes, counts } = await backUpSqlite(store.path, file, {
    mayOverwrite: values.overwrite,
    onStage: showStage(context),
  })
  await recordIfWritable(store, bytes)
  const { accounts, items, purchases } = counts
  const seconds = Math.round(performance.now() - startedAt) / 1000
  context.showProgress("")
  context.printStderr(
    `backed up to ${file}: ${formatCount(bytes)} bytes, ${describeCounts(counts)}, in ${seconds} s`,
  )
  context.printStderr(`the backup does not contain the master key${adviseOnKey(masterKey)}`)
  const summary = { file, bytes, seconds, accounts, items, purchases }
  if (values.json) await context.write(toJson(summary))
}

function adviseOnKey(key: MasterKeySource): string {
  const source = key.from === "environment" ? "PAZAR_MASTER_KEY" : key.path
  return key.from === "environment" || existsSync(source)
    ? `; keep a copy of ${source} elsewhere`
    : `, and ${source} does not exist; put back your copy of the key, or the API keys in this backup cannot be used`
}

const dumpAdvice = `back it up with \`pg_dump --format=custom --file=FILE "$DATABASE_URL"\`, or with the backups of your provider; see docs/backup.md`

/** `pg_dump` fails on a database that cannot be opened, so that problem is reported first. */
async function assertOpens(location: StoreLocation): Promise<void> {
  try {
    await (await openStore(location, "command")).close()
  } catch (error) {
    // `pg_dump` also works on a database of another version.
    if ([MigrationNeeded, NotPazarDatabase, StoreTooNew].some((kind) => error instanceof kind))
      return
    if (!(error instanceof StoreUnavailable) || error instanceof StoreMoved) throw error
    throw new CannotRunError(`${error.message}\nthen ${dumpAdvice}`)
  }
}

/** For the console. Does nothing if the database is not writable or has another version. */
async function recordIfWritable(location: EmbeddedLocation, bytes: number): Promise<void> {
  try {
    const store = await openStore(location, "command")
    try {
      await recordBackup(store.metadata, bytes, formatTimestamp(new Date()))
    } finally {
      await store.close()
    }
  } catch (error) {
    const isExpected = [MigrationNeeded, StoreTooNew, StoreUnavailable]
    if (!isExpected.some((kind) => error instanceof kind)) throw error
  }
}

export const restore: CommandAction<typeof declared.restore> = async (
  { positionals: [name], values },
  context,
) => {
  const config = readConfig(context.env)
  const store = requireSqlite(
    config.store,
    `stop every pazar process, then restore into an empty database with \`pg_restore --single-transaction --no-owner --dbname="$DATABASE_URL" FILE\`; see docs/backup.md`,
  )
  const file = resolve(name)
  if (!existsSync(file))
    throw new CannotRunError(`${file} does not exist; name the backup to restore`)
  const startedAt = performance.now()
  const { kept, version, needed, counts } = await restoreSqlite(store.path, file, {
    admit: (metadata) => openBackupKeys(file, metadata, config),
    isForced: values.force,
    suffix: new Date().toISOString().replace(/[-:]|\.\d+/g, ""),
    onStage: showStage(context),
  })
  const seconds = Math.round(performance.now() - startedAt) / 1000
  const { accounts, items, purchases } = counts
  context.showProgress("")
  context.printStderr(`restored ${store.path}: ${describeCounts(counts)}`)
  if (kept !== null) context.printStderr(`kept the replaced database in ${kept}`)
  context.printStderr(
    version === needed
      ? "start the server, and import all changes since the backup again"
      : `the backup has version ${version}, and this Pazar needs ${needed}; run \`pazar migrate\``,
  )
  const summary = { file, kept, version, needed, seconds, accounts, items, purchases }
  if (values.json) await context.write(toJson(summary))
}

function requireSqlite(store: StoreLocation, postgresAdvice: string): EmbeddedLocation {
  if (store.kind === "sqlite") return store
  throw new CannotRunError(`${describeStore(store)} is a PostgreSQL database; ${postgresAdvice}`)
}

const stages: Readonly<Record<CopyStage, string>> = {
  copying: "copying the database …",
  checking: "verifying every page …",
}

const showStage =
  ({ showProgress }: CommandContext): OnStage =>
  async (stage) => {
    showProgress(stages[stage])
    // The stage blocks this thread, so the line must be written first.
    await Bun.sleep(0)
  }

/** `pazar backup` and `pazar restore`, for an embedded store. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { readConfig } from "../../config/config.ts"
import { recordBackup, StoreMoved, StoreUnavailable } from "../../domain/store.ts"
import { describeCounts } from "../../domain/usage/operator-reads.ts"
import { formatCount } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { type MasterKeySource, openBackupKeys } from "../../secrets/master-key.ts"
import {
  backUpStore,
  describeStore,
  type EmbeddedLocation,
  openStore,
  restoreStore,
  type StoreLocation,
} from "../../store/open.ts"
import type { CopyStage, OnStage } from "../../store/sql/backup-types.ts"
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
  // `backup - | gzip` would otherwise pack nothing and succeed, with the copy in a file named -.
  if (name === "-") {
    throw new UsageError("a backup cannot go to standard output", "name a file")
  }
  const { store: address, masterKey } = readConfig(context.env, { mayLackKey: true })
  if (address.kind === "postgres") await assertOpens(address)
  const store = requireEmbedded(address, dumpAdvice)
  const file = resolve(name)
  context.lowerPriority()
  const startedAt = performance.now()
  const { bytes, counts } = await backUpStore(store, file, {
    mayOverwrite: values.overwrite,
    onStage: showStage(context),
  })
  await noteIfOpen(store, bytes)
  const { accounts, items, purchases } = counts
  const seconds = Math.round(performance.now() - startedAt) / 1000
  context.showProgress("")
  context.printStderr(
    `${file}: ${formatCount(bytes)} bytes, ${describeCounts(counts)}, in ${seconds} s.`,
  )
  context.printStderr(`The master key is not in it. ${describePlace(masterKey)}`)
  const summary = { file, bytes, seconds, accounts, items, purchases }
  if (values.json) await context.write(toJson(summary))
}

function describePlace(key: MasterKeySource): string {
  const place = key.from === "environment" ? "PAZAR_MASTER_KEY" : key.path
  return key.from === "environment" || existsSync(place)
    ? `It is in ${place}: keep a copy of it elsewhere.`
    : `There is no file ${place}: put back your copy of the key, or no API key in this backup can be used.`
}

const dumpAdvice = `back it up with \`pg_dump --format=custom --file=FILE "$DATABASE_URL"\`, or with the backups of your provider`
const seeDocs = "See docs/backup.md"

/** PostgreSQL's own tools reach no database that cannot be opened, so its problem is told first. */
async function assertOpens(address: StoreLocation): Promise<void> {
  try {
    await (await openStore(address, "command")).close()
  } catch (error) {
    // A store of another version can be dumped all the same.
    if ([MigrationNeeded, NotPazarDatabase, StoreTooNew].some((kind) => error instanceof kind))
      return
    if (!(error instanceof StoreUnavailable) || error instanceof StoreMoved) throw error
    throw new CannotRunError(`${error.message}\nThen ${dumpAdvice}. ${seeDocs}`)
  }
}

/** For the console. A store that cannot be written to, such as one of another version, keeps no note. */
async function noteIfOpen(address: EmbeddedLocation, bytes: number): Promise<void> {
  try {
    const store = await openStore(address, "command")
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
  const store = requireEmbedded(
    config.store,
    `stop every pazar, then restore into an empty database with \`pg_restore --single-transaction --no-owner --dbname="$DATABASE_URL" FILE\``,
  )
  const file = resolve(name)
  if (!existsSync(file))
    throw new CannotRunError(`there is no file ${file}; name the backup to restore`)
  const startedAt = performance.now()
  const { kept, version, needed, counts } = await restoreStore(store, file, {
    admit: (metadata) => openBackupKeys(file, metadata, config),
    isForced: values.force,
    suffix: new Date().toISOString().replace(/[-:]|\.\d+/g, ""),
    onStage: showStage(context),
  })
  const seconds = Math.round(performance.now() - startedAt) / 1000
  const { accounts, items, purchases } = counts
  context.showProgress("")
  context.printStderr(`${store.path} is restored, with ${describeCounts(counts)}.`)
  if (kept !== null) context.printStderr(`The replaced store is in ${kept}.`)
  context.printStderr(
    version === needed
      ? "Start the server, and import what came after the backup again."
      : `It is at version ${version}, and this Pazar needs ${needed}: run \`pazar migrate\`.`,
  )
  const summary = { file, kept, version, needed, seconds, accounts, items, purchases }
  if (values.json) await context.write(toJson(summary))
}

/** `advice` says what to run for PostgreSQL. */
function requireEmbedded(store: StoreLocation, advice: string): EmbeddedLocation {
  if (store.kind === "sqlite") return store
  throw new CannotRunError(`${describeStore(store)} is in PostgreSQL: ${advice}. ${seeDocs}`)
}

const stages: Readonly<Record<CopyStage, string>> = {
  copying: "copying the store …",
  checking: "checking every page …",
}

const showStage =
  ({ showProgress }: CommandContext): OnStage =>
  async (stage) => {
    showProgress(stages[stage])
    // The stage runs on this thread: let the line be written first.
    await Bun.sleep(0)
  }

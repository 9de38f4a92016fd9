/** Commands on the whole database: create, upgrade, back up, restore, move and re-encrypt it. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { type Config, parseStoreUrl, readConfig } from "../config/config.ts"
import {
  CannotRunError,
  type CommandContext,
  command,
  flag,
  option,
  UsageError,
} from "../platform/cli/command.ts"
import { createProgress, toJson } from "../platform/cli/output.ts"
import { readFirstLine } from "../platform/cli/parse-options.ts"
import {
  type Migrated,
  MigrationNeeded,
  NotPazarDatabase,
  StoreTooNew,
} from "../platform/database/schema-versions.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { formatCount, pluralize } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { backUpSqlite, restoreSqlite } from "../store/backup.ts"
import { describeCounts } from "../store/checks.ts"
import { type MasterKeySource, openBackupKeys, reencrypt } from "../store/master-key.ts"
import { recordBackup } from "../store/metadata.ts"
import {
  describeStore,
  type EmbeddedLocation,
  openStore,
  type StoreLocation,
} from "../store/open-store.ts"
import { migrateApp, openCommandApp, openStoreFor } from "./app.ts"

export const commands = {
  migrate: command({
    options: { json: flag('print {"created","from","to","copy"}') },
    help: `\`serve\` does not migrate. Stop all servers first if the changelog says so. A migration is one
transaction: after an interruption, run it again. On SQLite, the command first copies the database to
a file such as pazar.db.before-34. On PostgreSQL, make a backup yourself.`,
    async run({ values }, context) {
      const config = readConfig(context.env)
      const migrated = await migrateWithProgress(config, context)
      context.printStderr(describeMigrated(migrated, config))
      const { from, to, copy } = migrated
      if (values.json) await context.write(toJson({ created: from === 0, from, to, copy }))
    },
  }),
  backup: command({
    positionals: ["FILE"],
    options: {
      overwrite: flag("replace an existing file when the new backup is complete"),
      json: flag('print {"file","bytes","seconds","accounts","items","purchases"}'),
    },
    help: `The file is renamed into place after it has been verified. Only its owner can read it. A backup does
not contain the master key: store a copy of the key elsewhere. For PostgreSQL, the command prints what
to run instead.`,
    async run({ positionals: [name], values }, context) {
      // Otherwise `backup - | gzip` would succeed, compress nothing and write a file named "-".
      if (name === "-")
        throw new UsageError("cannot write a backup to standard output", "name a file")
      const { store: location, masterKey } = readConfig(context.env, { mayLackKey: true })
      if (location.kind === "postgres") await assertOpens(location)
      const store = requireSqlite(location, dumpAdvice)
      const file = resolve(name)
      context.lowerPriority()
      const startedAt = performance.now()
      await showCopying(context)
      const { bytes, counts } = backUpSqlite(store.path, file, { mayOverwrite: values.overwrite })
      await recordIfWritable(store, bytes)
      const { accounts, items, purchases } = counts
      const seconds = secondsSince(startedAt)
      context.showProgress("")
      context.printStderr(
        `backed up to ${file}: ${formatCount(bytes)} bytes, ${describeCounts(counts)}, in ${seconds} s`,
      )
      context.printStderr(`the backup does not contain the master key${adviseOnKey(masterKey)}`)
      const summary = { file, bytes, seconds, accounts, items, purchases }
      if (values.json) await context.write(toJson(summary))
    },
  }),
  restore: command({
    positionals: ["FILE"],
    options: {
      force: flag(
        "also replace a database that has newer data or is damaged, and restore a backup of a database that was moved",
      ),
      json: flag(
        'print {"file","kept","version","needed","seconds","accounts","items","purchases"}',
      ),
    },
    help: `Stop every pazar process first. The command rejects a database in use, a damaged backup, and a backup
made with another master key. It keeps the replaced database in a file such as
pazar.db.before-restore-20260131T140000Z. All sessions, invitations and sign-in links become invalid.
Keys and passwords are restored from the backup: a key that was revoked since then is valid again. For
PostgreSQL, the command prints what to run instead.`,
    async run({ positionals: [name], values }, context) {
      const config = readConfig(context.env)
      const store = requireSqlite(config.store, restoreAdvice)
      const file = resolve(name)
      if (!existsSync(file))
        throw new CannotRunError(`${file} does not exist; name the backup to restore`)
      const startedAt = performance.now()
      await showCopying(context)
      const { kept, version, needed, counts } = await restoreSqlite(store.path, file, {
        admit: (metadata) => openBackupKeys(file, metadata, config),
        isForced: values.force,
        now: new Date(),
      })
      const seconds = secondsSince(startedAt)
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
    },
  }),
  move: command({
    options: {
      to: option(
        "URL",
        "required without --cancel: the new database; - reads the URL from standard input, so that the password does not appear in the process list",
      ),
      cancel: flag("make a database usable again that was moved"),
      json: flag('print {"from","to","accounts","items","purchases","seconds"}'),
    },
    help: `URL is postgres://… or sqlite:PATH, the other engine than DATABASE_URL. The target is an empty
database, a file that does not exist, or a database that has not been used since \`pazar migrate\`.

Stop every server, import and pull first: the command rejects a database in use. It copies, counts and
compares every table in one transaction, and prints the settings to change. Servers do not start on
the old database any more. After an interruption, the old database is unchanged: run the command again.`,
    async run({ values }, context) {
      const config = readConfig(context.env, { mayLackKey: true })
      if (values.cancel) return cancelMove(config.store, context)
      const target = await readTarget(values.to, config, context)
      const [from, to] = [describeStore(config.store), describeStore(target)]
      // The master key must match, or servers could not use the new database.
      await openStoreFor("command", config, (store) => store.close())
      // Loads the PostgreSQL adapter.
      const { moveStore } = await import("../store/move.ts")
      const startedAt = performance.now()
      let progress: ReturnType<typeof createProgress> | null = null
      await moveStore(config.store, target, new Date(), async (stage, table, done, of) => {
        progress ??= createProgress(context, of)
        progress.show(done, done, `${stage} ${table}`)
      })
      const counts = await openStoreFor("command", { ...config, store: target }, async (store) => {
        const rows = await store.checks.countRows()
        await store.close()
        return rows
      })
      const seconds = secondsSince(startedAt)
      context.showProgress("")
      context.printStderr(
        `moved ${from} to ${to}: ${describeCounts(counts)}, in ${seconds} s; all rows match`,
      )
      context.printStderr("start every server and every pull with:")
      printSettings(target, config, context)
      const { accounts, items, purchases } = counts
      if (values.json)
        await context.write(toJson({ from, to, accounts, items, purchases, seconds }))
    },
  }),
  "master-key reseal": command({
    options: { json: flag('print {"rows","seconds"}') },
    help: `Servers can keep running. First set PAZAR_MASTER_KEY_FILE to the new key and
PAZAR_MASTER_KEY_PREVIOUS_FILE to the old key, and restart all servers. After an interruption, run the
command again. At the end, remove the previous key from the settings. Earlier backups can be restored
only with the old key.`,
    async run({ values }, context) {
      await using app = await openCommandApp(context)
      const { previous, ...keys } = app.masterKeys
      if (previous === null) {
        throw new CannotRunError(
          "the previous master key is not set; set PAZAR_MASTER_KEY_PREVIOUS_FILE to the file with the old key",
        )
      }
      const startedAt = performance.now()
      const { rows, broken } = await reencrypt(app.store, { ...keys, previous }, (table, done) =>
        context.showProgress(`re-encrypting ${table}: ${pluralize(done, "row")}`),
      )
      const seconds = secondsSince(startedAt)
      context.showProgress("")
      context.printStderr(
        rows === 0 && keys.isReencrypted
          ? "no changes: all rows are encrypted with the current master key"
          : `re-encrypted ${pluralize(rows, "row")} in ${seconds} s`,
      )
      for (const row of broken) context.printStderr(`pazar: neither master key decrypts ${row}`)
      if (broken.length > 0) context.printStderr("rotate the keys and secrets of these rows")
      context.printStderr("remove the previous key from the settings of all servers")
      if (values.json) await context.write(toJson({ rows, seconds }))
      return broken.length === 0 ? 0 : 1
    },
  }),
}

const secondsSince = (startedAt: number) => Math.round(performance.now() - startedAt) / 1000

export async function migrateWithProgress(
  config: Config,
  { printStderr, showProgress }: Pick<CommandContext, "printStderr" | "showProgress">,
): Promise<Migrated> {
  const migrated = await migrateApp(
    config,
    (from, to) =>
      printStderr(
        `upgrading the database from version ${from} to ${to}; servers must be stopped; with many purchases this takes minutes; after an interruption, run it again`,
      ),
    ({ version, done, of }) => showProgress(`version ${version} · statement ${done + 1} of ${of}`),
  )
  showProgress("")
  return migrated
}

function describeMigrated({ from, to, copy }: Migrated, { masterKey }: Config): string {
  if (from === to) return `the database is up to date at version ${to}`
  const kept = copy === null ? "" : `; a copy of the old version is in ${copy}`
  if (from > 0) return `upgraded the database from version ${from} to ${to}${kept}`
  const key =
    masterKey.from === "made"
      ? `; its master key is in ${masterKey.path}: keep a copy of this file elsewhere`
      : ""
  return `created the database at version ${to}${key}`
}

const dumpAdvice = `back it up with \`pg_dump --format=custom --file=FILE "$DATABASE_URL"\`, or with the backups of your provider; see docs/backup.md`
const restoreAdvice = `stop every pazar process, then restore into an empty database with \`pg_restore --single-transaction --no-owner --dbname="$DATABASE_URL" FILE\`; see docs/backup.md`

function requireSqlite(store: StoreLocation, postgresAdvice: string): EmbeddedLocation {
  if (store.kind === "sqlite") return store
  throw new CannotRunError(`${describeStore(store)} is a PostgreSQL database; ${postgresAdvice}`)
}

function adviseOnKey(key: MasterKeySource): string {
  const source = key.from === "environment" ? "PAZAR_MASTER_KEY" : key.path
  return key.from === "environment" || existsSync(source)
    ? `; keep a copy of ${source} elsewhere`
    : `, and ${source} does not exist; put back your copy of the key, or the API keys in this backup cannot be used`
}

/** `pg_dump` fails on a database that cannot be opened, so that problem is reported first. */
async function assertOpens(location: StoreLocation): Promise<void> {
  try {
    await (await openStore(location, "command")).close()
  } catch (error) {
    // `pg_dump` also works on a database of another version.
    if ([MigrationNeeded, NotPazarDatabase, StoreTooNew].some((kind) => error instanceof kind))
      return
    if (!(error instanceof StoreUnavailable)) throw error
    throw new CannotRunError(`${error.message}\nthen ${dumpAdvice}`)
  }
}

/** For the console. Does nothing if the database is not writable. */
async function recordIfWritable(location: EmbeddedLocation, bytes: number): Promise<void> {
  try {
    const store = await openStore(location, "command")
    try {
      await recordBackup(store.metadata, { at: formatTimestamp(new Date()), bytes })
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}

async function showCopying({ showProgress }: CommandContext): Promise<void> {
  showProgress("copying and verifying the database …")
  // The copy blocks this thread, so the line must be written first.
  await Bun.sleep(0)
}

async function cancelMove(store: StoreLocation, { printStderr }: CommandContext): Promise<void> {
  const { reopenStore } = await import("../store/move.ts")
  const moved = await reopenStore(store, new Date())
  const lacking =
    moved && `it lacks all changes in ${moved.place} since ${moved.at}: do not use both`
  printStderr(`${describeStore(store)} is usable; ${lacking ?? "it was not moved"}`)
}

async function readTarget(to: string | undefined, { store }: Config, context: CommandContext) {
  if (to === undefined) throw new UsageError("missing --to URL")
  const target = parseStoreUrl(to === "-" ? await readFirstLine(context) : to)
  if (target === null) throw new UsageError("--to must be postgres://… or sqlite:PATH")
  if (target.kind !== store.kind) return target
  const tools =
    store.kind === "sqlite" ? "`pazar backup` and `pazar restore`" : "`pg_dump` and `pg_restore`"
  throw new CannotRunError(
    `${describeStore(target)} uses the same engine as DATABASE_URL; use ${tools}`,
  )
}

function printSettings(
  target: StoreLocation,
  { masterKey, backupFolder }: Config,
  { printStderr }: CommandContext,
): void {
  const url = target.kind === "sqlite" ? `sqlite:${target.path}` : "the URL of --to"
  printStderr(`  DATABASE_URL=${url}`)
  if (masterKey.from !== "environment") printStderr(`  PAZAR_MASTER_KEY_FILE=${masterKey.path}`)
  if (target.kind === "postgres" && backupFolder !== null)
    printStderr("unset PAZAR_BACKUP_DIR: servers on PostgreSQL do not start with it")
}

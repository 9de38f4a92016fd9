import { type Config, parseStoreUrl, readConfig } from "../../config/config.ts"
import { StoreMoved } from "../../domain/store.ts"
import { describeCounts } from "../../domain/usage/operator-reads.ts"
import { formatCount } from "../../domain/values/text.ts"
import { openStoreFor } from "../../server/app.ts"
import { describeStore, moveStore, reopenStore, type StoreLocation } from "../../store/open.ts"
import type * as declared from "../definitions/server-definitions.ts"
import {
  CannotRunError,
  type CommandAction,
  type CommandContext,
  UsageError,
} from "../framework/command.ts"
import { toJson } from "../framework/output.ts"
import { readFirstLine } from "../framework/parse-options.ts"

const progressEveryMs = 200

export const move: CommandAction<typeof declared.move> = async ({ values }, context) => {
  const config = readConfig(context.env, { mayLackKey: true })
  if (values.cancel) return cancel(config.store, context)
  const target = await readTarget(values.to, config, context)
  const [from, to] = [describeStore(config.store), describeStore(target)]
  // The master key must match, or servers could not use the new database.
  await openStoreFor("command", config, (store) => store.close()).catch((error) => {
    // An earlier run of this command made the database read-only, after it had checked the key.
    if (!(error instanceof StoreMoved)) throw error
  })
  context.lowerPriority()
  const startedAt = performance.now()
  let shownAt = 0
  await moveStore(config.store, target, {
    now: () => new Date(),
    async onProgress(stage, table, rows) {
      if (performance.now() - shownAt < progressEveryMs) return
      shownAt = performance.now()
      context.showProgress(`${stage} ${table}: ${formatCount(rows)} rows`)
      // Reads of SQLite block this thread, so the line must be written first.
      await Bun.sleep(0)
    },
    onReopened: () => context.printStderr(`${from} is writable again`),
  })
  const counts = await openStoreFor("command", { ...config, store: target }, async (store) => {
    const rows = await store.operatorReads.countRows()
    await store.close()
    return rows
  })
  const seconds = Math.round(performance.now() - startedAt) / 1000
  context.showProgress("")
  context.printStderr(
    `moved ${from} to ${to}: ${describeCounts(counts)}, in ${seconds} s; all rows match`,
  )
  context.printStderr(`${from} stays read-only; restart every server and every pull with:`)
  printSettings(target, config, context)
  const { accounts, items, purchases } = counts
  if (values.json) await context.write(toJson({ from, to, accounts, items, purchases, seconds }))
}

async function cancel(store: StoreLocation, { printStderr }: CommandContext): Promise<void> {
  const move = await reopenStore(store)
  const lacking = move && `it lacks all changes in ${move.place} since ${move.at}: do not use both`
  printStderr(`${describeStore(store)} is writable; ${lacking ?? "no move was in progress"}`)
}

async function readTarget(
  to: string | undefined,
  { store }: Config,
  context: CommandContext,
): Promise<StoreLocation> {
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
  if (target.kind === "postgres" && backupFolder !== null) {
    printStderr("unset PAZAR_BACKUP_DIR: servers on PostgreSQL do not start with it")
  }
}

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

const shownEveryMs = 200

export const move: CommandAction<typeof declared.move> = async ({ values }, context) => {
  const config = readConfig(context.env, { mayLackKey: true })
  if (values.cancel) return cancel(config.store, context)
  const target = await readTarget(values.to, config, context)
  const [from, to] = [describeStore(config.store), describeStore(target)]
  // Servers could not use the new database under another master key.
  await openStoreFor("command", config, (store) => store.close()).catch((error) => {
    // The move that closed this one has checked the key.
    if (!(error instanceof StoreMoved)) throw error
  })
  context.lowerPriority()
  const startedAt = performance.now()
  let shownAt = 0
  await moveStore(config.store, target, {
    now: () => new Date(),
    async onProgress(stage, table, rows) {
      if (performance.now() - shownAt < shownEveryMs) return
      shownAt = performance.now()
      context.showProgress(`${stage} ${table}: ${formatCount(rows)} rows`)
      // An embedded database is read on this thread: let the line be written first.
      await Bun.sleep(0)
    },
    onReopened: () => context.printStderr(`${from} accepts writes again.`),
  })
  const counts = await openStoreFor("command", { ...config, store: target }, async (store) => {
    const found = await store.operatorReads.countRows()
    await store.close()
    return found
  })
  const seconds = Math.round(performance.now() - startedAt) / 1000
  context.showProgress("")
  context.printStderr(
    `Moved ${from} to ${to}: ${describeCounts(counts)}, in ${seconds} s. All rows were compared.`,
  )
  context.printStderr(`${from} stays closed for writes. Restart every server and every pull with:`)
  printSettings(target, config, context)
  const { accounts, items, purchases } = counts
  if (values.json) await context.write(toJson({ from, to, accounts, items, purchases, seconds }))
}

async function cancel(store: StoreLocation, { printStderr }: CommandContext): Promise<void> {
  const moving = await reopenStore(store)
  const lacking =
    moving && `It lacks all changes in ${moving.place} since ${moving.at}: do not use both.`
  printStderr(`${describeStore(store)} accepts writes. ${lacking ?? "No move has begun."}`)
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
    `${describeStore(target)} is of the same kind as DATABASE_URL: use ${tools}`,
  )
}

function printSettings(
  target: StoreLocation,
  { masterKey, backupFolder }: Config,
  { printStderr }: CommandContext,
): void {
  const url = target.kind === "sqlite" ? `sqlite:${target.path}` : "the URL that you gave to --to"
  printStderr(`  DATABASE_URL=${url}`)
  if (masterKey.from !== "environment") printStderr(`  PAZAR_MASTER_KEY_FILE=${masterKey.path}`)
  if (target.kind === "postgres" && backupFolder !== null) {
    printStderr("Unset PAZAR_BACKUP_DIR: servers on PostgreSQL do not start with it.")
  }
}

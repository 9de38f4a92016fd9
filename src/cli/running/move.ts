import { version } from "../../../package.json"
import { type Config, parseStoreUrl, readConfig } from "../../config/config.ts"
import { StoreMoved } from "../../domain/store.ts"
import { describeCounts } from "../../domain/usage/operator-reads.ts"
import { openStoreFor } from "../../server/app.ts"
import { cancelMove, describeStore, moveStore, type StoreAddress } from "../../store/open.ts"
import type { Moved, MoveOptions, MoveStage } from "../../store/sql/move/move.ts"
import type * as declared from "../declarations/running.ts"
import { CannotRun, type CommandContext, type Run, UsageError } from "../frame/command.ts"
import { readFirstLine } from "../frame/input.ts"
import { toJson } from "../frame/output.ts"

export const move: Run<typeof declared.move> = async ({ values }, context) => {
  const config = readConfig(context.env, { mayLackKey: true })
  if (values.cancel) {
    await cancelMove(config.store)
    context.tell("The store notes its changes no longer; it is used as before.")
    return
  }
  const target = await readTarget(values.to, config, context)
  await assertKeyOpens(config)
  context.lowerPriority()
  const moved = await moveStore(config.store, target, {
    version,
    now: () => new Date(),
    onProgress: showProgress(context),
  })
  context.showProgress("")
  tellMoved(moved, target, config, context)
  if (values.json) await context.write(toJson(summaryOf(moved)))
}

/** Servers could not use the new store under another key, and the old store would be closed. */
async function assertKeyOpens(config: Config): Promise<void> {
  try {
    await openStoreFor("command", config, (store) => store.close())
  } catch (error) {
    // A move that closed the old store has checked the key, and may be run again.
    if (!(error instanceof StoreMoved)) throw error
  }
}

async function readTarget(
  to: string | undefined,
  { store }: Config,
  context: CommandContext,
): Promise<StoreAddress> {
  if (to === undefined) throw new UsageError("Missing --to URL.")
  const url = to === "-" ? await readFirstLine(context) : to
  const target = parseStoreUrl(url)
  if (target === null) throw new UsageError("--to must be postgres://… or sqlite:PATH.")
  if (target.kind !== store.kind) return target
  const advice =
    store.kind === "sqlite"
      ? "To put a store at another path, use `pazar backup` and `pazar restore`"
      : "To put a database on another server, use `pg_dump` and `pg_restore`"
  throw new CannotRun(
    `${describeStore(store)} and ${describeStore(target)} are of the same kind: a move goes from one kind to the other. ${advice}`,
  )
}

const stages: Readonly<Record<MoveStage, (table: string, rows: string) => string>> = {
  copying: (table, rows) => `copying ${table}: ${rows} rows`,
  indexing: () => "making the indexes …",
  checking: (table, rows) => `comparing ${table}: ${rows} rows`,
  "catching up": (_, rows) => `copying what has changed meanwhile: ${rows} rows`,
  counting: () => "counting all rows …",
  closing: () => "closing the old store …",
}

const shownEveryMs = 200

function showProgress(context: CommandContext): MoveOptions["onProgress"] {
  let [shownAt, shownStage] = [0, ""]
  return async (stage, table, rows) => {
    const now = performance.now()
    if (stage === shownStage && now - shownAt < shownEveryMs) return
    ;[shownAt, shownStage] = [now, stage]
    context.showProgress(stages[stage](table, rows.toLocaleString("en")))
    // An embedded store is read on this thread: let the line be written first.
    await Bun.sleep(0)
  }
}

function summaryOf({ from, to, counts, seconds, stoppedSeconds }: Moved) {
  const rowsOf = (table: string) => counts.get(table) ?? 0
  const rows = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const [accounts, items, purchases] = [rowsOf("accounts"), rowsOf("items"), rowsOf("purchases")]
  return { from, to, accounts, items, purchases, rows, seconds, stoppedSeconds }
}

function tellMoved(
  moved: Moved,
  target: StoreAddress,
  { masterKey, backups }: Config,
  { tell }: CommandContext,
): void {
  const summary = summaryOf(moved)
  const { from, to, rows, seconds, stoppedSeconds } = summary
  tell(
    `Moved ${from} to ${to}: ${describeCounts(summary)}, ${rows} rows in all, in ${seconds} s. Counts and digests are the same. Nobody could write for ${stoppedSeconds} s.`,
  )
  tell(
    "The old store takes no writes any more; running servers go on reading it. Now start them with:",
  )
  tell(
    target.kind === "sqlite"
      ? `  DATABASE_URL=sqlite:${target.path}`
      : "  DATABASE_URL=the address that you gave to --to",
  )
  if (masterKey.from !== "environment") tell(`  PAZAR_MASTER_KEY_FILE=${masterKey.path}`)
  if (target.kind === "postgres" && backups !== null) {
    tell("Unset PAZAR_BACKUP_DIR: servers on PostgreSQL do not start with it.")
  }
  tell("Authors and operators have to sign in again.")
}

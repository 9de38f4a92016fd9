import { type Config, readConfig } from "../../config/config.ts"
import { migrateApp } from "../../server/app.ts"
import type { Migrated, MigrationProgress, OnMigration } from "../../store/sql/migrate.ts"
import type * as declared from "../declarations/running.ts"
import type { CommandContext, Run } from "../frame/command.ts"
import { toJson } from "../frame/output.ts"

export const migrate: Run<typeof declared.migrate> = async ({ values }, context) => {
  const config = readConfig(context.env)
  const migrated = await migrateTelling(config, context)
  context.tell(describe(migrated, config))
  const { from, to, copy } = migrated
  if (values.json) await context.write(toJson({ created: from === 0, from, to, copy }))
}

export async function migrateTelling(
  config: Config,
  { tell, showProgress }: Pick<CommandContext, "tell" | "showProgress">,
): Promise<Migrated> {
  const migrated = await migrateApp(
    config,
    (...upgrade) => tell(describeBegin(...upgrade)),
    (progress) => showProgress(describeStep(progress)),
  )
  showProgress("")
  return migrated
}

export function describeBegin(...[from, to, writesWaitMs]: Parameters<OnMigration>): string {
  const what = `Bringing the store from version ${from} to ${to}: with many purchases this takes minutes.`
  return writesWaitMs === "others must stop"
    ? `${what} Servers of the version before can no longer write: stop them. If this is interrupted, run it again.`
    : `${what} Running servers may go on${describeWait(writesWaitMs)}; if this is interrupted, run it again.`
}

/** Waits of less than a second are not worth a word. */
const describeWait = (ms: number) =>
  ms < 1_000
    ? ""
    : `, and validations too; a push waits for up to ${Math.ceil(ms / 1_000)} s while an index is made`

function describeStep({ version, rows, isWaiting }: MigrationProgress): string {
  const counted = rows === 0 ? [] : [`${rows.toLocaleString("en")} rows`]
  const waiting = isWaiting ? ["waiting for a lock"] : []
  return [`step ${version}`, ...counted, ...waiting].join(" · ")
}

function describe({ from, to, copy }: Migrated, { masterKey }: Config): string {
  if (from === to) return `The store is up to date, at version ${to}.`
  const kept = copy === null ? "" : ` The store as it was is in ${copy}.`
  if (from > 0) return `The store was brought from version ${from} to ${to}.${kept}`
  const key =
    masterKey.from === "made"
      ? ` Its master key is in ${masterKey.path}: keep a copy of that file elsewhere.`
      : ""
  return `Created the store, at version ${to}.${key}`
}

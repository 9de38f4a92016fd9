import { type Config, readConfig } from "../../config/config.ts"
import { migrateApp } from "../../server/app.ts"
import type { Migrated, MigrationProgress } from "../../store/sql/schema-versions.ts"
import type * as declared from "../definitions/server-definitions.ts"
import type { CommandAction, CommandContext } from "../framework/command.ts"
import { toJson } from "../framework/output.ts"

export const migrate: CommandAction<typeof declared.migrate> = async ({ values }, context) => {
  const config = readConfig(context.env)
  const migrated = await migrateWithProgress(config, context)
  context.printStderr(describe(migrated, config))
  const { from, to, copy } = migrated
  if (values.json) await context.write(toJson({ created: from === 0, from, to, copy }))
}

export async function migrateWithProgress(
  config: Config,
  { printStderr, showProgress }: Pick<CommandContext, "printStderr" | "showProgress">,
): Promise<Migrated> {
  const migrated = await migrateApp(
    config,
    (...upgrade) => printStderr(describeUpgradeStart(...upgrade)),
    (progress) => showProgress(describeStep(progress)),
  )
  showProgress("")
  return migrated
}

export const describeUpgradeStart = (from: number, to: number): string =>
  `Bringing the database from version ${from} to ${to}: with many purchases this takes minutes. Servers must be stopped. If this is interrupted, nothing has changed: run it again.`

const describeStep = ({ version, done, of }: MigrationProgress) =>
  `version ${version} · statement ${done + 1} of ${of}`

function describe({ from, to, copy }: Migrated, { masterKey }: Config): string {
  if (from === to) return `The database is up to date, at version ${to}.`
  const kept = copy === null ? "" : ` The database as it was is in ${copy}.`
  if (from > 0) return `The database was brought from version ${from} to ${to}.${kept}`
  const key =
    masterKey.from === "made"
      ? ` Its master key is in ${masterKey.path}: keep a copy of that file elsewhere.`
      : ""
  return `Created the store, at version ${to}.${key}`
}

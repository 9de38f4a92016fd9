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
  `upgrading the database from version ${from} to ${to}; servers must be stopped; with many purchases this takes minutes; after an interruption, run it again`

const describeStep = ({ version, done, of }: MigrationProgress) =>
  `version ${version} · statement ${done + 1} of ${of}`

function describe({ from, to, copy }: Migrated, { masterKey }: Config): string {
  if (from === to) return `the database is up to date at version ${to}`
  const kept = copy === null ? "" : `; a copy of the old version is in ${copy}`
  if (from > 0) return `upgraded the database from version ${from} to ${to}${kept}`
  const key =
    masterKey.from === "made"
      ? `; its master key is in ${masterKey.path}: keep a copy of this file elsewhere`
      : ""
  return `created the database at version ${to}${key}`
}

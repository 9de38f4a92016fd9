import { type Config, readConfig } from "../../config/config.ts"
import type { Migrated } from "../../store/sql/migrate.ts"
import { type CommandContext, createCommand, jsonOnly } from "../frame/command.ts"
import { toJson } from "../frame/output.ts"

export const migrate = createCommand({
  name: "migrate",
  options: jsonOnly,
  summary: "create the store, or bring it to this version",
  help: `No other command does this. Stop every running pazar before you upgrade: one that is not
stopped can no longer write. An embedded store is first copied to a file beside it, as in
pazar.db.before-8; for PostgreSQL, make a backup yourself.

  --json  print {"created","from","to","copy"} on standard output`,
  async run({ values }, context) {
    const config = readConfig(context.env)
    const migrated = await migrateTelling(config, context)
    context.tell(describe(migrated, config))
    const { from, to, copy } = migrated
    if (values.json) await context.write(toJson({ created: from === 0, from, to, copy }))
  },
})

export async function migrateTelling(
  config: Config,
  { tell }: Pick<CommandContext, "tell">,
): Promise<Migrated> {
  const { migrateApp } = await import("../../server/app.ts")
  return migrateApp(config, (from, to) =>
    tell(
      `Bringing the store from version ${from} to ${to}: with many purchases this takes minutes.`,
    ),
  )
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

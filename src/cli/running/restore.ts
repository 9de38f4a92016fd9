import { resolve } from "node:path"
import { readConfig } from "../../config/config.ts"
import type { Restored } from "../../store/sql/backup.ts"
import { createCommand } from "../frame/command.ts"
import { requireEmbedded, showStage } from "../frame/embedded-store.ts"

export const restore = createCommand({
  name: "restore",
  positionals: ["FILE"],
  options: { force: { type: "boolean" }, json: { type: "boolean" } },
  summary: "put a backup in the place of the store",
  help: `Stop every pazar first: a store that is in use is refused, and so is a damaged backup or one that was
made with another master key. The replaced store is kept beside the new one, as in
pazar.db.before-restore-20260131T140000Z. Authors and operators have to sign in again. Keys and passwords
are those of the backup: a key that was revoked since then works again. This is for an embedded store;
for PostgreSQL it says what to run instead.

  --force  also replace a store that has newer data than the backup, or that is damaged
  --json   print {"file","kept","version","needed","seconds","accounts","items","purchases"}`,
  async run({ positionals: [name], values }, context) {
    const config = readConfig(context.env)
    const store = requireEmbedded(
      config.store,
      `stop every pazar, then restore into an empty database with \`pg_restore --single-transaction --no-owner --dbname="$DATABASE_URL" FILE\``,
    )
    const file = resolve(name)
    const startedAt = performance.now()
    const { restoreStore } = await import("../../store/open.ts")
    const { admitMasterKey } = await import("../../secrets/admit-master-key.ts")
    const restored = await restoreStore(store, file, {
      admit: (metadata) => admitMasterKey(metadata, config.masterKey),
      isForced: values.force,
      suffix: new Date().toISOString().replace(/[-:]|\.\d+/g, ""),
      onStage: showStage(context),
    })
    const seconds = Math.round(performance.now() - startedAt) / 1000
    context.showProgress("")
    for (const line of describe(store.path, restored)) context.tell(line)
    const { kept, version, needed, counts } = restored
    const { accounts, items, purchases } = counts
    const summary = { file, kept, version, needed, seconds, accounts, items, purchases }
    if (values.json) await context.write(`${JSON.stringify(summary)}\n`)
    return 0
  },
})

function describe(path: string, { kept, version, needed, counts }: Restored): readonly string[] {
  const { accounts, items, purchases } = counts
  return [
    `${path} is restored, with ${accounts} accounts, ${items} items, ${purchases} purchases.`,
    ...(kept === null ? [] : [`The replaced store is in ${kept}.`]),
    version === needed
      ? "Start the server, and import what came after the backup again."
      : `It is at version ${version}, and this Pazar needs ${needed}: run \`pazar migrate\`.`,
  ]
}

import { resolve } from "node:path"
import { type Config, readConfig } from "../../config/config.ts"
import { lastBackupMark, StoreUnavailable } from "../../domain/store.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { MasterKeySource } from "../../secrets/master-key.ts"
import type { EmbeddedAddress } from "../../store/open.ts"
import { MigrationNeeded, StoreTooNew } from "../../store/sql/migrate.ts"
import { type CommandContext, createCommand } from "../frame/command.ts"
import { requireEmbedded, showStage } from "../frame/embedded-store.ts"
import { lowerPriority } from "../frame/lower-priority.ts"

export const backup = createCommand({
  name: "backup",
  positionals: ["FILE"],
  options: { overwrite: { type: "boolean" }, json: { type: "boolean" } },
  summary: "write a copy of the store, also while a server uses it",
  help: `The file appears when it is complete, was checked and is on the disk. Only its owner can read it. The
master key is not in it: keep a copy of that in another place. This is for an embedded store; for
PostgreSQL it says what to run instead.

  --overwrite  replace a file of this name, once the new one is complete
  --json       print {"file","bytes","seconds","accounts","items","purchases"}`,
  async run({ positionals: [name], values }, context) {
    const config = readConfig(context.env)
    const store = requireEmbedded(
      config.store,
      `back it up with \`pg_dump --format=custom --file=FILE "$DATABASE_URL"\`, or with the backups of your provider`,
    )
    const file = resolve(name)
    lowerPriority()
    const startedAt = performance.now()
    const { backUpStore } = await import("../../store/open.ts")
    const { bytes, counts } = await backUpStore(store, file, {
      mayOverwrite: values.overwrite,
      onStage: showStage(context),
    })
    await noteBackup(store)
    const { accounts, items, purchases } = counts
    const seconds = Math.round(performance.now() - startedAt) / 1000
    await report(context, values.json, config, {
      ...{ file, bytes, seconds, accounts, items, purchases },
    })
    return 0
  },
})

/** For the console. A store that cannot be written to, such as one of another version, keeps no note. */
async function noteBackup(address: EmbeddedAddress): Promise<void> {
  const { openStore } = await import("../../store/open.ts")
  try {
    const store = await openStore(address, "command")
    try {
      await store.metadata.put(lastBackupMark, formatTimestamp(new Date()))
    } finally {
      await store.close()
    }
  } catch (error) {
    const isExpected = [MigrationNeeded, StoreTooNew, StoreUnavailable]
    if (!isExpected.some((kind) => error instanceof kind)) throw error
  }
}

type Summary = Readonly<{
  file: string
  bytes: number
  seconds: number
  accounts: number
  items: number
  purchases: number
}>

async function report(
  { showProgress, tell, write }: CommandContext,
  isJson: boolean,
  { masterKey }: Config,
  summary: Summary,
): Promise<void> {
  showProgress("")
  const { file, bytes, seconds, accounts, items, purchases } = summary
  tell(
    `${file}: ${bytes.toLocaleString("en")} bytes, ${accounts} accounts, ${items} items, ${purchases} purchases, in ${seconds} s.`,
  )
  tell(`The master key is not in it. It is in ${placeOf(masterKey)}: keep a copy of it elsewhere.`)
  if (isJson) await write(`${JSON.stringify(summary)}\n`)
}

const placeOf = (source: MasterKeySource) =>
  source.from === "environment" ? "PAZAR_MASTER_KEY" : source.path

import { accounts, items, keys, webhooks } from "./definitions/author-commands.ts"
import { exportStore, imports, pull } from "./definitions/feed-commands.ts"
import { database, demo, doctor, operators, serve, version } from "./definitions/server-commands.ts"
import { type Command, createCommands } from "./framework/command.ts"

export const commands: readonly Command[] = [
  ...createCommands(serve, () => import("./commands/serve-command.ts")),
  ...createCommands(demo, () => import("./commands/demo-command.ts")),
  ...createCommands(doctor, () => import("./commands/doctor-command.ts")),
  ...createCommands(version, () => import("./commands/version-command.ts")),
  ...createCommands(imports, () => import("./commands/import-command.ts")),
  ...createCommands(pull, () => import("./commands/pull-command.ts")),
  ...createCommands(exportStore, () => import("./commands/export-command.ts")),
  ...createCommands(accounts, () => import("./commands/account-command.ts")),
  ...createCommands(keys, () => import("./commands/key-command.ts")),
  ...createCommands(items, () => import("./commands/item-purchase-command.ts")),
  ...createCommands(webhooks, () => import("./commands/webhook-command.ts")),
  ...createCommands(operators, () => import("./commands/operator-command.ts")),
  ...createCommands(database, () => import("./commands/database-command.ts")),
]

/** The overview of `pazar help`: the first words of commands in groups. */
export const commandGroups: Readonly<Record<string, readonly string[]>> = {
  Server: ["serve", "demo", "migrate", "doctor", "version"],
  Data: ["import", "pull", "export", "imports"],
  Authors: ["account", "key", "item", "purchase", "webhook"],
  Operators: ["operator", "token"],
  Maintenance: ["backup", "restore", "move", "signing-key", "master-key"],
}

/** Summaries of the first words of commands; the overview lists the second words after them. */
export const subjects: Readonly<Record<string, string>> = {
  account: "Manage accounts",
  key: "Manage API keys",
  item: "Show an item; show or set its site limit",
  purchase: "Show a purchase",
  webhook: "Manage webhooks",
  operator: "Manage console operators",
  token: "Manage operator tokens of programs",
  "signing-key": "Manage the keys that sign responses",
  "master-key": "Re-encrypt the database with a new master key",
}

import { accounts, items } from "./definitions/account-item-definitions.ts"
import { exportStore, importFeed, imports, pull } from "./definitions/import-export-definitions.ts"
import { keys, masterKeyReseal, signingKeys } from "./definitions/key-definitions.ts"
import { operators, tokens } from "./definitions/operator-definitions.ts"
import {
  backup,
  demo,
  doctor,
  migrate,
  move,
  restore,
  serve,
  version,
} from "./definitions/server-definitions.ts"
import { webhooks } from "./definitions/webhook-definitions.ts"
import { type Command, createCommands } from "./framework/command.ts"

export const commands: readonly Command[] = [
  ...createCommands({ serve }, () => import("./commands/serve-command.ts")),
  ...createCommands({ demo }, () => import("./commands/demo-command.ts")),
  ...createCommands({ importFeed }, () => import("./commands/import-command.ts")),
  ...createCommands({ pull }, () => import("./commands/pull-command.ts")),
  ...createCommands({ exportStore }, () => import("./commands/export-command.ts")),
  ...createCommands(accounts, async () => (await import("./commands/account-command.ts")).commands),
  ...createCommands(
    operators,
    async () => (await import("./commands/operator-command.ts")).commands,
  ),
  ...createCommands(tokens, async () => (await import("./commands/token-command.ts")).commands),
  ...createCommands(keys, async () => (await import("./commands/key-command.ts")).commands),
  ...createCommands(
    items,
    async () => (await import("./commands/item-purchase-command.ts")).commands,
  ),
  ...createCommands(webhooks, async () => (await import("./commands/webhook-command.ts")).commands),
  ...createCommands({ imports }, () => import("./commands/imports-command.ts")),
  ...createCommands(
    signingKeys,
    async () => (await import("./commands/signing-key-command.ts")).commands,
  ),
  ...createCommands({ masterKeyReseal }, () => import("./commands/master-key-command.ts")),
  ...createCommands({ migrate }, () => import("./commands/migrate-command.ts")),
  ...createCommands({ backup, restore }, () => import("./commands/backup-restore-command.ts")),
  ...createCommands({ move }, () => import("./commands/move-command.ts")),
  ...createCommands({ doctor }, () => import("./commands/doctor-command.ts")),
  ...createCommands({ version }, () => import("./commands/version-command.ts")),
]

const webhookPages = "use the pages of webhooks in the console or the workspace"
const copyStore = "`pazar move` and `pazar backup` copy the signing keys"

/** Commands of 0.12 that were removed, and what to do instead. */
export const removedCommands: Readonly<Record<string, string>> = {
  completion: "shell completion was removed",
  "master-key replace": "run pazar master-key reseal; see docs/incidents.md",
  openapi: "download /openapi.json from the server",
  "purchase release": "release the site in the console under Purchases",
  "signing-key export": copyStore,
  "signing-key import": copyStore,
  status: "run pazar doctor",
  usage: "see Traffic in the console",
  "webhook off": webhookPages,
  "webhook on": webhookPages,
  "webhook resend": webhookPages,
  "webhook show": webhookPages,
  "webhook test": webhookPages,
}

/** The overview of `pazar help`: groups of commands, each with the first word of its name. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Server: {
    serve: "Run the server.",
    demo: "Run the server with a sample marketplace.",
    migrate: "Create the database, or upgrade it to this version.",
    doctor: "Show the state of the database and the server, and check for problems.",
    version: "Print the version.",
  },
  Data: {
    import: "Import accounts, items and purchases from a file.",
    pull: "Import accounts, items and purchases from the shop's own database.",
    export: "Export all accounts, items and purchases to a file.",
    imports: "List recent imports, pulls and pushes, or show one.",
  },
  Authors: {
    account: "Manage accounts: list, show, password, invite, suspend, resume, second-factor.",
    key: "Manage API keys: create, list, find, revoke, rotate.",
    item: "Show an item; show or set its site limit: show, limit.",
    purchase: "Show a purchase: show.",
    webhook: "Manage webhooks: create, list, remove.",
  },
  Operators: {
    operator: "Manage console operators: create, list, password, role, remove.",
    token: "Manage operator tokens of programs: create, list, rotate, remove.",
  },
  Maintenance: {
    backup: "Back up a SQLite database while servers run.",
    restore: "Restore a backup of a SQLite database.",
    move: "Move the database from SQLite to PostgreSQL, or back.",
    "signing-key": "Manage the keys that sign responses: list, rotate.",
    "master-key": "Re-encrypt the database with a new master key: reseal.",
  },
}

/** All commands. */
import { accounts, items } from "./declarations/catalogue.ts"
import { webhooks } from "./declarations/events.ts"
import { exportStore, importFeed, imports, pull } from "./declarations/feed.ts"
import { keys, masterKeyReseal, signingKeys } from "./declarations/keys.ts"
import {
  backup,
  demo,
  doctor,
  migrate,
  move,
  restore,
  serve,
  version,
} from "./declarations/running.ts"
import { operators, tokens } from "./declarations/sign-in.ts"
import { type Command, createCommands } from "./frame/command.ts"

export const commands: readonly Command[] = [
  ...createCommands({ serve }, () => import("./running/serve.ts")),
  ...createCommands({ demo }, () => import("./running/demo.ts")),
  ...createCommands({ importFeed }, () => import("./feed/import.ts")),
  ...createCommands({ pull }, () => import("./feed/pull.ts")),
  ...createCommands({ exportStore }, () => import("./feed/export.ts")),
  ...createCommands(accounts, async () => (await import("./catalogue/accounts.ts")).commands),
  ...createCommands(operators, async () => (await import("./sign-in/operators.ts")).commands),
  ...createCommands(tokens, async () => (await import("./sign-in/tokens.ts")).commands),
  ...createCommands(keys, async () => (await import("./keys/keys.ts")).commands),
  ...createCommands(items, async () => (await import("./catalogue/items.ts")).commands),
  ...createCommands(webhooks, async () => (await import("./events/webhooks.ts")).commands),
  ...createCommands({ imports }, () => import("./feed/imports.ts")),
  ...createCommands(signingKeys, async () => (await import("./keys/signing-keys.ts")).commands),
  ...createCommands({ masterKeyReseal }, () => import("./keys/master-key.ts")),
  ...createCommands({ migrate }, () => import("./running/migrate.ts")),
  ...createCommands({ backup, restore }, () => import("./running/backup.ts")),
  ...createCommands({ move }, () => import("./running/move.ts")),
  ...createCommands({ doctor }, () => import("./running/doctor.ts")),
  ...createCommands({ version }, () => import("./running/version.ts")),
]

/** The overview of `pazar help`: by title, the first words of commands. */
export const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Server: {
    serve: "run the server until it is stopped",
    demo: "run the server on a sample marketplace",
    migrate: "create the database, or upgrade it to this version",
    doctor: "print the state of database and server, and check for problems",
    version: "print the version",
  },
  Data: {
    import: "import accounts, items and purchases from a file",
    pull: "import them from the shop's own database",
    export: "write them to a file",
    imports: "list imports, pulls and pushes, or explain one",
  },
  Authors: {
    account: "accounts: list, show, password, invite, suspend, resume, second-factor",
    key: "API keys: create, list, find, revoke, rotate",
    item: "items: show, limit",
    purchase: "purchases: show",
    webhook: "webhooks: create, list, remove",
  },
  Operators: {
    operator: "console operators: create, list, password, remove",
    token: "operator tokens for programs: create, list, rotate, remove",
  },
  Maintenance: {
    backup: "back up an embedded database, also while a server uses it",
    restore: "restore a backup",
    move: "move the database from SQLite to PostgreSQL, or back",
    "signing-key": "keys that sign responses: list, rotate",
    "master-key": "master key: reseal",
  },
}

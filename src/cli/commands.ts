/** All commands, in the order of `--help`. */
import { accounts, items } from "./declarations/catalogue.ts"
import { webhooks } from "./declarations/events.ts"
import { exportStore, importFeed, imports, pull } from "./declarations/feed.ts"
import { keys, masterKeyReseal, signingKeys } from "./declarations/keys.ts"
import {
  backup,
  completion,
  demo,
  doctor,
  migrate,
  move,
  openapi,
  restore,
  serve,
  version,
} from "./declarations/running.ts"
import { operators, tokens } from "./declarations/sign-in.ts"
import { status, usage } from "./declarations/usage.ts"
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
  ...createCommands({ usage }, () => import("./usage/usage.ts")),
  ...createCommands({ imports }, () => import("./feed/imports.ts")),
  ...createCommands({ status }, () => import("./usage/status.ts")),
  ...createCommands(signingKeys, async () => (await import("./keys/signing-keys.ts")).commands),
  ...createCommands({ masterKeyReseal }, () => import("./keys/master-key.ts")),
  ...createCommands({ migrate }, () => import("./running/migrate.ts")),
  ...createCommands({ backup, restore }, () => import("./running/backup.ts")),
  ...createCommands({ move }, () => import("./running/move.ts")),
  ...createCommands({ doctor }, () => import("./running/doctor.ts")),
  ...createCommands({ openapi }, () => import("./running/openapi.ts")),
  ...createCommands({ completion }, async () => {
    const { createCompletion } = await import("./running/completion.ts")
    return { completion: createCompletion(commands) }
  }),
  ...createCommands({ version }, () => import("./running/version.ts")),
]

/** All commands, in the order of `--help`. */
import { accountCommands } from "./catalogue/accounts.ts"
import { itemShow, purchaseShow } from "./catalogue/items.ts"
import { createCompletion } from "./completion.ts"
import { exportCommand } from "./feed/export.ts"
import { importCommand } from "./feed/import.ts"
import { imports } from "./feed/imports.ts"
import { pull } from "./feed/pull.ts"
import type { Command } from "./frame/command.ts"
import { keyCommands } from "./keys/keys.ts"
import { signingKeyCommands } from "./keys/signing-keys.ts"
import { backup, restore } from "./running/backup.ts"
import { demo } from "./running/demo.ts"
import { doctor } from "./running/doctor.ts"
import { migrate } from "./running/migrate.ts"
import { openapi } from "./running/openapi.ts"
import { serve } from "./running/serve.ts"
import { version } from "./running/version.ts"
import { operatorCommands } from "./sign-in/operators.ts"
import { tokenCommands } from "./sign-in/tokens.ts"
import { status } from "./usage/status.ts"
import { usage } from "./usage/usage.ts"

export const commands: readonly Command[] = [
  serve,
  demo,
  importCommand,
  pull,
  exportCommand,
  ...accountCommands,
  ...operatorCommands,
  ...tokenCommands,
  ...keyCommands,
  itemShow,
  purchaseShow,
  usage,
  imports,
  status,
  ...signingKeyCommands,
  migrate,
  backup,
  restore,
  doctor,
  openapi,
  createCompletion(() => commands),
  version,
]

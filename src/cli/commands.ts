/** All commands, in the order of `--help`. */
import {
  accountInvite,
  accountList,
  accountPassword,
  accountResume,
  accountSecondFactor,
  accountShow,
  accountSuspend,
  itemLimit,
  itemShow,
  purchaseRelease,
  purchaseShow,
} from "./declarations/catalogue.ts"
import {
  webhookCreate,
  webhookList,
  webhookOff,
  webhookOn,
  webhookRemove,
  webhookResend,
  webhookShow,
  webhookTest,
} from "./declarations/events.ts"
import { exportStore, importFeed, imports, pull } from "./declarations/feed.ts"
import {
  keyCreate,
  keyFind,
  keyList,
  keyRevoke,
  keyRotate,
  masterKeyReplace,
  signingKeyExport,
  signingKeyImport,
  signingKeyList,
  signingKeyRotate,
} from "./declarations/keys.ts"
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
import {
  operatorCreate,
  operatorList,
  operatorPassword,
  operatorRemove,
  tokenCreate,
  tokenList,
  tokenRemove,
  tokenRotate,
} from "./declarations/sign-in.ts"
import { status, usage } from "./declarations/usage.ts"
import { type Command, createCommands } from "./frame/command.ts"

export const commands: readonly Command[] = [
  ...createCommands({ serve }, () => import("./running/serve.ts")),
  ...createCommands({ demo }, () => import("./running/demo.ts")),
  ...createCommands({ importFeed }, () => import("./feed/import.ts")),
  ...createCommands({ pull }, () => import("./feed/pull.ts")),
  ...createCommands({ exportStore }, () => import("./feed/export.ts")),
  ...createCommands(
    {
      accountList,
      accountShow,
      accountPassword,
      accountInvite,
      accountSecondFactor,
      accountSuspend,
      accountResume,
    },
    () => import("./catalogue/accounts.ts"),
  ),
  ...createCommands(
    { operatorCreate, operatorList, operatorPassword, operatorRemove },
    () => import("./sign-in/operators.ts"),
  ),
  ...createCommands(
    { tokenCreate, tokenList, tokenRotate, tokenRemove },
    () => import("./sign-in/tokens.ts"),
  ),
  ...createCommands(
    { keyCreate, keyList, keyFind, keyRevoke, keyRotate },
    () => import("./keys/keys.ts"),
  ),
  ...createCommands(
    { itemShow, itemLimit, purchaseShow, purchaseRelease },
    () => import("./catalogue/items.ts"),
  ),
  ...createCommands(
    {
      webhookCreate,
      webhookList,
      webhookShow,
      webhookTest,
      webhookResend,
      webhookOff,
      webhookOn,
      webhookRemove,
    },
    () => import("./events/webhooks.ts"),
  ),
  ...createCommands({ usage }, () => import("./usage/usage.ts")),
  ...createCommands({ imports }, () => import("./feed/imports.ts")),
  ...createCommands({ status }, () => import("./usage/status.ts")),
  ...createCommands(
    { signingKeyList, signingKeyRotate, signingKeyExport, signingKeyImport },
    () => import("./keys/signing-keys.ts"),
  ),
  ...createCommands({ masterKeyReplace }, () => import("./keys/master-key.ts")),
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

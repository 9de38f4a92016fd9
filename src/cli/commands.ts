/** All commands, in the order of `--help`. */

import { accountList } from "./catalogue/account-list.ts"
import { accountResume } from "./catalogue/account-resume.ts"
import { accountShow } from "./catalogue/account-show.ts"
import { accountSuspend } from "./catalogue/account-suspend.ts"
import { itemShow } from "./catalogue/item-show.ts"
import { purchaseShow } from "./catalogue/purchase-show.ts"
import { createCompletion } from "./completion.ts"
import { exportCommand } from "./feed/export.ts"
import { importCommand } from "./feed/import.ts"
import { imports } from "./feed/imports.ts"
import { pull } from "./feed/pull.ts"
import type { Command } from "./frame/command.ts"
import { keyCreate } from "./keys/key-create.ts"
import { keyFind } from "./keys/key-find.ts"
import { keyList } from "./keys/key-list.ts"
import { keyRevoke } from "./keys/key-revoke.ts"
import { keyRotate } from "./keys/key-rotate.ts"
import { signingKeyExport } from "./keys/signing-key-export.ts"
import { signingKeyImport } from "./keys/signing-key-import.ts"
import { signingKeyList } from "./keys/signing-key-list.ts"
import { signingKeyRotate } from "./keys/signing-key-rotate.ts"
import { backup } from "./running/backup.ts"
import { demo } from "./running/demo.ts"
import { doctor } from "./running/doctor.ts"
import { migrate } from "./running/migrate.ts"
import { openapi } from "./running/openapi.ts"
import { restore } from "./running/restore.ts"
import { serve } from "./running/serve.ts"
import { version } from "./running/version.ts"
import { accountInvite } from "./sign-in/account-invite.ts"
import { accountPassword } from "./sign-in/account-password.ts"
import { operatorCreate } from "./sign-in/operator-create.ts"
import { operatorList } from "./sign-in/operator-list.ts"
import { operatorPassword } from "./sign-in/operator-password.ts"
import { operatorRemove } from "./sign-in/operator-remove.ts"
import { tokenCreate, tokenList, tokenRemove, tokenRotate } from "./sign-in/tokens.ts"
import { status } from "./usage/status.ts"
import { usage } from "./usage/usage.ts"

export const commands: readonly Command[] = [
  serve,
  demo,
  importCommand,
  pull,
  exportCommand,
  accountList,
  accountShow,
  accountPassword,
  accountInvite,
  accountSuspend,
  accountResume,
  operatorCreate,
  operatorList,
  operatorPassword,
  operatorRemove,
  tokenCreate,
  tokenList,
  tokenRotate,
  tokenRemove,
  keyCreate,
  keyList,
  keyFind,
  keyRevoke,
  keyRotate,
  itemShow,
  purchaseShow,
  usage,
  imports,
  status,
  signingKeyList,
  signingKeyRotate,
  signingKeyExport,
  signingKeyImport,
  migrate,
  backup,
  restore,
  doctor,
  openapi,
  createCompletion(() => commands),
  version,
]

/** All commands, in the order of `--help`. */
import { accountInvite } from "./account-invite.ts"
import { accountList } from "./account-list.ts"
import { accountPassword } from "./account-password.ts"
import { accountResume } from "./account-resume.ts"
import { accountShow } from "./account-show.ts"
import { accountSuspend } from "./account-suspend.ts"
import { backup } from "./backup.ts"
import type { Command } from "./command.ts"
import { createCompletion } from "./completion.ts"
import { demo } from "./demo.ts"
import { doctor } from "./doctor.ts"
import { exportCommand } from "./export.ts"
import { importCommand } from "./import.ts"
import { imports } from "./imports.ts"
import { itemShow } from "./item-show.ts"
import { keyCreate } from "./key-create.ts"
import { keyFind } from "./key-find.ts"
import { keyList } from "./key-list.ts"
import { keyRevoke } from "./key-revoke.ts"
import { keyRotate } from "./key-rotate.ts"
import { migrate } from "./migrate.ts"
import { openapi } from "./openapi.ts"
import { operatorCreate } from "./operator-create.ts"
import { operatorList } from "./operator-list.ts"
import { operatorPassword } from "./operator-password.ts"
import { operatorRemove } from "./operator-remove.ts"
import { pull } from "./pull.ts"
import { purchaseShow } from "./purchase-show.ts"
import { restore } from "./restore.ts"
import { serve } from "./serve.ts"
import { signingKeyExport } from "./signing-key-export.ts"
import { signingKeyImport } from "./signing-key-import.ts"
import { signingKeyList } from "./signing-key-list.ts"
import { signingKeyRotate } from "./signing-key-rotate.ts"
import { status } from "./status.ts"
import { tokenCreate, tokenList, tokenRemove, tokenRotate } from "./tokens.ts"
import { usage } from "./usage.ts"
import { version } from "./version.ts"

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

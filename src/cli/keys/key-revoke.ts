import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { requireKey } from "../../operations/keys/require-key.ts"
import { revokeKey } from "../../operations/keys/revoke-key.ts"
import { createCommand } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"

export const keyRevoke = createCommand({
  name: "key revoke",
  positionals: ["KEY_ID"],
  options: {},
  summary: "end a key for good",
  help: "A running server refuses the key at once. `pazar key list USERNAME` shows the ids.",
  async run({ positionals: [keyId] }, context) {
    await withApp(context, async ({ store, keyServices }) =>
      revokeKey(keyServices(commandLine), await requireKey(store.keys, keyId)),
    )
    context.tell(`${keyId} is revoked.`)
    return 0
  },
})

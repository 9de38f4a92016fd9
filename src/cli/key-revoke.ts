import { commandLine } from "../domain/audit-event.ts"
import { requireKey } from "../operations/require-key.ts"
import { revokeKey } from "../operations/revoke-key.ts"
import { createCommand } from "./command.ts"
import { withApp } from "./with-app.ts"

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

import { requireKey } from "../operations/require-key.ts"
import { revokeKey } from "../operations/revoke-key.ts"
import { type Command, parseCommandLine } from "./command.ts"
import { withApp } from "./with-app.ts"

export const keyRevoke: Command = {
  name: "key revoke",
  usage: "KEY_ID",
  summary: "end a key for good",
  help: "A running server refuses the key at once. `pazar key list USERNAME` shows the ids.",
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, { min: 1, max: 1 })
    const [keyId = ""] = positionals
    await withApp(context, async ({ store, keyServices }) =>
      revokeKey(keyServices("operator"), await requireKey(store.keys, keyId)),
    )
    context.tell(`${keyId} is revoked.`)
    return 0
  },
}

import { exportSigningKeys } from "../../operations/keys/signing/move-signing-keys.ts"
import { createCommand } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"

export const signingKeyExport = createCommand({
  name: "signing-key export",
  positionals: [],
  options: {},
  summary: "print the signing keys, to move them to another store",
  help: `They are sealed: only a store with the same master key can import them.`,
  async run(_, context) {
    await withApp(context, async ({ signingKeyServices }) => {
      await context.write(`${await exportSigningKeys(signingKeyServices)}\n`)
    })
    return 0
  },
})

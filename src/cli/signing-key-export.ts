import { exportSigningKeys } from "../operations/move-signing-keys.ts"
import { type Command, parseCommandLine } from "./command.ts"
import { withApp } from "./with-app.ts"

export const signingKeyExport: Command = {
  name: "signing-key export",
  usage: "",
  summary: "print the signing keys, to move them to another store",
  help: `They are sealed: only a store with the same master key can take them.`,
  async run(args, context) {
    parseCommandLine(args, {}, { min: 0, max: 0 })
    await withApp(context, async ({ signingKeyServices }) => {
      await context.write(`${await exportSigningKeys(signingKeyServices)}\n`)
    })
    return 0
  },
}

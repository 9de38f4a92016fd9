import { importSigningKeys } from "../../operations/keys/signing/move-signing-keys.ts"
import { createCommand } from "../frame/command.ts"
import { readFirstLine } from "../frame/first-line.ts"
import { withApp } from "../frame/with-app.ts"
import { renderSigningKeys, renderSigningKeysJson } from "./signing-key-list.ts"

export const signingKeyImport = createCommand({
  name: "signing-key import",
  positionals: [],
  options: { json: { type: "boolean" } },
  summary: "use the signing keys of another store, read from standard input, and list them",
  help: `They take the place of all signing keys that this store has:

  pazar signing-key import < signing-keys.txt`,
  async run({ values }, context) {
    const exported = await readFirstLine(context.readStandardInput())
    await withApp(context, async ({ signingKeyServices }) => {
      const keys = await importSigningKeys(signingKeyServices, exported)
      await context.write(
        values.json ? renderSigningKeysJson(keys) : renderSigningKeys(context.terminal, keys),
      )
    })
    return 0
  },
})

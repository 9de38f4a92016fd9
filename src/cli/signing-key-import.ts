import { importSigningKeys } from "../operations/move-signing-keys.ts"
import { createCommand } from "./command.ts"
import { readFirstLine } from "./first-line.ts"
import { renderSigningKeys, renderSigningKeysJson } from "./signing-key-list.ts"
import { withApp } from "./with-app.ts"

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

import {
  removeCompromisedKey,
  rotateSigningKey,
} from "../../operations/keys/signing/rotate-signing-key.ts"
import { createCommand } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"
import { renderSigningKeys, renderSigningKeysJson } from "./signing-key-list.ts"

export const signingKeyRotate = createCommand({
  name: "signing-key rotate",
  positionals: [],
  options: { compromised: { type: "string", value: "=KEY_ID" }, json: { type: "boolean" } },
  summary: "sign answers with the next key from now on, and list the keys",
  help: `The next key becomes the current one, and a new next key is made, which the current one
endorses. The old one is published until its last receipt has expired. Run it with the
PAZAR_RECEIPT_DAYS of the server.

  --compromised=KEY_ID  remove this key at once, with every endorsement it gave. If it is the
                        current one, the next key takes its place. Receipts that it signed are
                        no longer good. The = is needed: an id may begin with a dash.`,
  async run({ values }, context) {
    const { compromised } = values
    await withApp(context, async ({ signingKeyServices }) => {
      const keys =
        compromised === undefined
          ? await rotateSigningKey(signingKeyServices)
          : await removeCompromisedKey(signingKeyServices, compromised)
      await context.write(
        values.json ? renderSigningKeysJson(keys) : renderSigningKeys(context.terminal, keys),
      )
    })
    return 0
  },
})

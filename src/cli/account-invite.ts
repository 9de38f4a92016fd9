import { readConfig } from "../config.ts"
import { httpUrl } from "../domain/ip-address.ts"
import { inviteAccount } from "../operations/invite-account.ts"
import { requireAccount } from "../operations/require-account.ts"
import { tokens } from "../secrets/tokens.ts"
import { createCommand } from "./command.ts"
import { withApp } from "./with-app.ts"

export const accountInvite = createCommand({
  name: "account invite",
  positionals: ["USERNAME"],
  options: { json: { type: "boolean" } },
  summary: "print a link by which an author chooses a password",
  help: `The link works once, for seven days. It starts with PAZAR_PUBLIC_URL, or without it with the
address of HOST and PORT.`,
  async run({ positionals: [username], values }, context) {
    const { publicUrl, host, port } = readConfig(context.env)
    await withApp(context, async ({ store, now }) => {
      const { id } = await requireAccount(store.accounts, username)
      const token = await inviteAccount({ invitations: store.invitations, tokens, now }, id)
      const url = `${publicUrl ?? httpUrl(host, port)}/invite/${token}`
      await context.write(values.json ? `${JSON.stringify({ username, url })}\n` : `${url}\n`)
    })
    return 0
  },
})

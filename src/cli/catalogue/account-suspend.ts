import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { requireAccount } from "../../operations/catalogue/require-account.ts"
import { suspendAccount } from "../../operations/catalogue/suspend-account.ts"
import { createCommand } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"

export const accountSuspend = createCommand({
  name: "account suspend",
  positionals: ["USERNAME"],
  options: { json: { type: "boolean" } },
  summary: "refuse an account's keys and sign-ins until it is resumed",
  help: `Within a second, every key of the account is answered with 403 and the reason account_suspended, and
its sessions end. Nothing is deleted.

It stays suspended whatever a feed says, until \`account resume\`. A feed can suspend an account, too:
"suspended":true does, false takes that back, and a line without the member changes neither.`,
  async run({ positionals: [username], values }, context) {
    await withApp(context, async ({ store, now }) => {
      const account = await requireAccount(store.accounts, username)
      await suspendAccount({ ...store, now, actor: commandLine }, account)
    })
    if (values.json) await context.write(`${JSON.stringify({ username, suspended: true })}\n`)
    else context.tell(`${username} is suspended.`)
    return 0
  },
})

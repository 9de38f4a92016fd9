import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { requireAccount } from "../../operations/catalogue/require-account.ts"
import { resumeAccount } from "../../operations/catalogue/suspend-account.ts"
import { createCommand } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"

export const accountResume = createCommand({
  name: "account resume",
  positionals: ["USERNAME"],
  options: { json: { type: "boolean" } },
  summary: "end the suspension of an account",
  help: `Its keys work again within a second, and its author can sign in. A suspension by a feed ends, too, until a
feed says "suspended":true again.`,
  async run({ positionals: [username], values }, context) {
    const { isByFeed } = await withApp(context, async ({ store, now }) => {
      const account = await requireAccount(store.accounts, username)
      const suspension = await store.operatorReads.findSuspension(account.id)
      await resumeAccount({ ...store, now, actor: commandLine }, account)
      return suspension
    })
    if (values.json) await context.write(`${JSON.stringify({ username, suspended: false })}\n`)
    else context.tell(`${username} is resumed.`)
    if (isByFeed) context.tell("The feed had suspended it, too, and can do so again.")
    return 0
  },
})

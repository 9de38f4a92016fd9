import { accountBodyOf } from "../../domain/catalogue/account.ts"
import { requireAccount } from "../../operations/catalogue/require-account.ts"
import { createCommand } from "../frame/command.ts"
import { renderTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"
import { renderAccountJson } from "./account-json.ts"

export const accountShow = createCommand({
  name: "account show",
  positionals: ["USERNAME"],
  options: { json: { type: "boolean" } },
  summary: "show one account",
  async run({ positionals: [username], values }, context) {
    await withApp(context, async ({ store }) => {
      const found = await requireAccount(store.accounts, username)
      const suspension = await store.operatorReads.findSuspension(found.id)
      if (values.json) return context.write(`${renderAccountJson(found, suspension)}\n`)
      const { isByFeed, isByOperator } = suspension
      const account = accountBodyOf(found)
      const keys = await store.keys.list(found.id)
      const rows = [
        ["Name", account.name.full_name],
        ["E-mail", account.email],
        ["Balance", `${account.balance} ${account.currency}`],
        ["Registered", account.registered_at],
        ["Heading", account.profile.heading],
        ["Keys", String(keys.length)],
        ["State", found.isSuspended ? "suspended" : "active"],
        ["Feed says", isByFeed ? "suspended" : "active"],
        ["Operator says", isByOperator ? "suspended" : "nothing"],
      ]
      return context.write(renderTable(context.terminal, ["Username", username], rows))
    })
    return 0
  },
})

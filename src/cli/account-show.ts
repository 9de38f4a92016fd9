import { requireAccount } from "../operations/require-account.ts"
import { createCommand } from "./command.ts"
import { renderTable } from "./table.ts"
import { withApp } from "./with-app.ts"

export const accountShow = createCommand({
  name: "account show",
  positionals: ["USERNAME"],
  options: { json: { type: "boolean" } },
  summary: "show one account",
  async run({ positionals: [username], values }, context) {
    await withApp(context, async ({ store }) => {
      const { id, body } = await requireAccount(store.accounts, username)
      if (values.json) return context.write(`${body}\n`)
      const account = JSON.parse(body)
      const keys = await store.keys.list(id)
      const rows = [
        ["Name", account.name.full_name],
        ["E-mail", account.email],
        ["Balance", `${account.balance} ${account.currency}`],
        ["Registered", account.registered_at],
        ["Heading", account.profile.heading],
        ["Keys", String(keys.length)],
      ]
      return context.write(renderTable(context.terminal, ["Username", username], rows))
    })
    return 0
  },
})

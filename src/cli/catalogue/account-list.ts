import type { Account, AccountStore } from "../../domain/catalogue/account.ts"
import { createCommand } from "../frame/command.ts"
import { writeJsonList } from "../frame/json-list.ts"
import { createTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"
import { renderAccountJson } from "./account-json.ts"

const pageAccounts = 500

export const accountList = createCommand({
  name: "account list",
  positionals: [],
  options: { json: { type: "boolean" } },
  summary: "list the accounts",
  async run({ values }, context) {
    await withApp(context, async ({ store }) => {
      const pages = readPages(store.accounts)
      if (values.json) return writeJsonList(context, pages, renderAccountJson)
      const header = ["USERNAME", "NAME", "E-MAIL", "REGISTERED", "STATE"]
      const render = createTable(context.terminal, header)
      let isAny = false
      for await (const page of pages) {
        isAny = true
        await context.write(render(page.map(toRow)))
      }
      if (!isAny) context.tell("There are no accounts yet: load some with `pazar import FILE`.")
    })
    return 0
  },
})

async function* readPages(accounts: AccountStore): AsyncGenerator<readonly Account[]> {
  let after = ""
  for (;;) {
    const page = await accounts.list(after, pageAccounts)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.username
  }
}

function toRow({ username, body, isSuspended }: Account): readonly string[] {
  const { name, email, registered_at } = JSON.parse(body)
  return [username, name.full_name, email, registered_at, isSuspended ? "suspended" : ""]
}

import { type StoredKey, stateOf } from "../domain/api-key.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import { requireAccount } from "../operations/require-account.ts"
import { createCommand } from "./command.ts"
import { keyObject } from "./key-json.ts"
import { renderTable } from "./table.ts"
import { withApp } from "./with-app.ts"

export const keyList = createCommand({
  name: "key list",
  positionals: ["USERNAME"],
  options: { json: { type: "boolean" } },
  summary: "list an account's keys, without their secrets",
  async run({ positionals: [username], values }, context) {
    await withApp(context, async ({ store, now }) => {
      const account = await requireAccount(store.accounts, username)
      const keys = await store.keys.list(account.id)
      if (values.json) return context.write(`${JSON.stringify(keys.map(keyObject))}\n`)
      if (keys.length === 0) {
        return context.tell(
          `${username} has no keys yet: \`pazar key create ${username}\` makes one.`,
        )
      }
      const at = formatTimestamp(now())
      const rows = keys.map((key) => renderRow(key, at))
      const header = ["ID", "KIND", "STATE", "CREATED", "EXPIRES", "ITEMS", "NAME"]
      return context.write(renderTable(context.terminal, header, rows))
    })
    return 0
  },
})

function renderRow(key: StoredKey, at: string): readonly string[] {
  const { id, kind, name, itemIds, createdAt, expiresAt } = key
  const state = stateOf(key, at)
  const items = itemIds === null ? "all" : itemIds.join(",")
  return [id, kind, state, createdAt, expiresAt ?? "never", items, name]
}

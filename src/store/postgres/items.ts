import type { Item, ItemStore } from "../../domain/item.ts"
import type { Database } from "./database.ts"
import { assertOwner, createGatherer } from "./gather.ts"

export const itemColumns = `i.id, i.account_id AS "accountId", i.hidden AS "isHidden", i.body`

export function postgresItems(db: Database): ItemStore {
  type Question = Readonly<{ accountId: number; id: number }>
  const find = createGatherer((questions: readonly Question[]) =>
    db.read<Item & { question: number }>(
      `SELECT q.question, ${itemColumns}
       FROM unnest($1::integer[], $2::bigint[]) WITH ORDINALITY AS q (account_id, id, question)
       JOIN items i ON i.id = q.id AND i.account_id = q.account_id`,
      [questions.map(({ accountId }) => accountId), questions.map(({ id }) => id)],
    ),
  )
  return {
    async find(accountId, id) {
      const [row] = await find({ accountId, id })
      if (row === undefined) return null
      assertOwner(row, accountId)
      const { question: _, ...item } = row
      return item
    },
    async findListVersion(accountId) {
      const [row] = await db.read<{ version: string }>(
        "SELECT list_version AS version FROM accounts WHERE id = $1",
        [accountId],
      )
      return row?.version ?? null
    },
    listVisible: (accountId, beforeId, limit) =>
      db.read<Item>(
        `SELECT ${itemColumns} FROM items i
         WHERE account_id = $1 AND NOT hidden AND id < $2 ORDER BY id DESC LIMIT $3`,
        [accountId, beforeId, limit],
      ),
  }
}

import type { RejectionStore } from "../../domain/rejections.ts"
import { rejectionQueries } from "../rejections.ts"
import { oldestRejection } from "../usage-retention.ts"
import type { Database } from "./database.ts"

export function sqliteRejections(db: Database): RejectionStore {
  return {
    addSignIns: (at, counts) =>
      db.transactUnsynced(({ query }) => {
        for (const { username, outcome, signIns } of counts) {
          query(
            `INSERT INTO sign_in_rejections (day, account_id, outcome, sign_ins)
             SELECT $1, id, $3, $4 FROM accounts WHERE username = $2
             ON CONFLICT DO UPDATE SET sign_ins = sign_ins + excluded.sign_ins`,
            [at.slice(0, 10), username, outcome, signIns],
          )
        }
      }),
    ...rejectionQueries(db),
    forget: (at, rowsMax) =>
      db.transactUnsynced(({ query }) => {
        const values = [oldestRejection(at), rowsMax]
        return query(forgetKeys, values).length + query(forgetAccounts, values).length
      }),
  }
}

const forgetKeys = `DELETE FROM key_rejections WHERE (day, key_id, outcome) IN
    (SELECT day, key_id, outcome FROM key_rejections WHERE day < $1 LIMIT $2)
  RETURNING 1`
const forgetAccounts = `DELETE FROM sign_in_rejections WHERE (day, account_id, outcome) IN
    (SELECT day, account_id, outcome FROM sign_in_rejections WHERE day < $1 LIMIT $2)
  RETURNING 1`

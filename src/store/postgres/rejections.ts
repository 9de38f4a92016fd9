import type { RejectionStore } from "../../domain/rejections.ts"
import { rejectionQueries } from "../rejections.ts"
import { oldestRejection } from "../usage-retention.ts"
import type { Database } from "./database.ts"
import { remove } from "./remove.ts"

/** Sorted, so that two nodes that add the same rows cannot deadlock. */
const addCounts = `INSERT INTO sign_in_rejections (day, account_id, outcome, sign_ins)
  SELECT $1, a.id, c.outcome, sum(c.sign_ins)
  FROM unnest($2::text[], $3::text[], $4::bigint[]) AS c (username, outcome, sign_ins)
    JOIN accounts a ON a.username = c.username
  GROUP BY 2, 3 ORDER BY 2, 3
  ON CONFLICT (day, account_id, outcome)
  DO UPDATE SET sign_ins = sign_in_rejections.sign_ins + excluded.sign_ins`

export function postgresRejections(db: Database): RejectionStore {
  return {
    addSignIns: (at, counts) =>
      db.write(addCounts, [
        at.slice(0, 10),
        counts.map(({ username }) => username),
        counts.map(({ outcome }) => outcome),
        counts.map(({ signIns }) => signIns),
      ]),
    ...rejectionQueries(db),
    async forget(at, rowsMax) {
      const values = [oldestRejection(at), rowsMax]
      const keys = await remove(db, forgetKeys, values)
      return keys + (await remove(db, forgetAccounts, values))
    },
  }
}

const forgetKeys = `DELETE FROM key_rejections WHERE (day, key_id, outcome) IN (
    SELECT day, key_id, outcome FROM key_rejections WHERE day < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`
const forgetAccounts = `DELETE FROM sign_in_rejections WHERE (day, account_id, outcome) IN (
    SELECT day, account_id, outcome FROM sign_in_rejections WHERE day < $1
    LIMIT $2 FOR UPDATE SKIP LOCKED)`

import {
  type FailedCallStore,
  failedCallDays,
  failedCallsMax,
  type LoggedCall,
} from "../../../domain/usage/failed-calls.ts"
import { lastDays } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase } from "../database.ts"

export const createFailedCalls = (db: SqlDatabase): FailedCallStore => ({
  list: (accountId, at) =>
    db.read<LoggedCall>(
      `SELECT key_id AS "keyId", name AS "keyName", kind AS "keyKind", operation, reason, network, code,
         first_at AS "firstAt", last_at AS "lastAt", calls
       FROM api_keys JOIN failed_calls ON key_id = id WHERE account_id = $1 AND day >= $2
       ORDER BY last_at DESC, key_id, day, operation, reason, network, code LIMIT $3`,
      [accountId, lastDays(at, failedCallDays)[0] ?? at, failedCallsMax],
    ),
})

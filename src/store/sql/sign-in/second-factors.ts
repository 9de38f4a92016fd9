import type { SecondFactorStore } from "../../../domain/sign-in/second-factor.ts"
import type { SqlDatabase, Statement } from "../database.ts"
import { endSessionsOf, operatorTables } from "./sign-in-tables.ts"

export function createSecondFactors(db: SqlDatabase): SecondFactorStore {
  const forgetCodes = (operatorId: number): Statement => [
    "DELETE FROM operator_recovery_codes WHERE operator_id = $1",
    [operatorId],
  ]
  const isDone = async (...statement: Statement) => (await db.writeAll(statement)).length > 0
  return {
    async find(operatorId) {
      const [row] = await db.read<{ sealed: Uint8Array }>(
        "SELECT sealed FROM operator_second_factors WHERE operator_id = $1",
        [operatorId],
      )
      return row?.sealed ?? null
    },
    async put(operatorId, keptSessionId, sealed, usedStep, recoveryDigests) {
      await db.writeAll(
        [
          `INSERT INTO operator_second_factors (operator_id, sealed, used_step) VALUES ($1, $2, $3)
           ON CONFLICT (operator_id)
           DO UPDATE SET sealed = excluded.sealed, used_step = excluded.used_step`,
          [operatorId, sealed, usedStep],
        ],
        [`${endSessionsOf(operatorTables)} AND id <> $2`, [operatorId, keptSessionId]],
        forgetCodes(operatorId),
        ...recoveryDigests.map(
          (digest): Statement => [
            "INSERT INTO operator_recovery_codes VALUES ($1, $2)",
            [operatorId, digest],
          ],
        ),
      )
    },
    async remove(operatorId) {
      await db.writeAll(
        ["DELETE FROM operator_second_factors WHERE operator_id = $1", [operatorId]],
        forgetCodes(operatorId),
      )
    },
    useStep: (operatorId, step) =>
      isDone(
        `UPDATE operator_second_factors SET used_step = $2
         WHERE operator_id = $1 AND used_step < $2 RETURNING 1`,
        [operatorId, step],
      ),
    useRecoveryCode: (operatorId, digest) =>
      isDone(
        "DELETE FROM operator_recovery_codes WHERE operator_id = $1 AND digest = $2 RETURNING 1",
        [operatorId, digest],
      ),
    async countRecoveryCodes(operatorId) {
      const [row] = await db.read<{ codes: number }>(
        "SELECT count(*) AS codes FROM operator_recovery_codes WHERE operator_id = $1",
        [operatorId],
      )
      return row?.codes ?? 0
    },
  }
}

import type { TwoFactorStore } from "../../../domain/sign-in/two-factor.ts"
import type { SqlDatabase, Statement } from "../sql-database.ts"
import { endSessionsOf, type SignInTables } from "./sign-in-tables.ts"

export function createTwoFactorStore(db: SqlDatabase, tables: SignInTables): TwoFactorStore {
  const { twoFactor, recoveryCodes, ownerId: owner } = tables
  const deleteCodes = (ownerId: number): Statement => [
    `DELETE FROM ${recoveryCodes} WHERE ${owner} = $1`,
    [ownerId],
  ]
  return {
    find: (ownerId) =>
      db.findValue(`SELECT sealed AS value FROM ${twoFactor} WHERE ${owner} = $1`, [ownerId]),
    put: (ownerId, keptSessionId, encrypted, usedStep, recoveryDigests) =>
      db.writeAll(
        [
          `INSERT INTO ${twoFactor} (${owner}, sealed, used_step) VALUES ($1, $2, $3)
           ON CONFLICT (${owner})
           DO UPDATE SET sealed = excluded.sealed, used_step = excluded.used_step`,
          [ownerId, encrypted, usedStep],
        ],
        [`${endSessionsOf(tables)} AND id <> $2`, [ownerId, keptSessionId]],
        deleteCodes(ownerId),
        ...recoveryDigests.map(
          (digest): Statement => [
            `INSERT INTO ${recoveryCodes} VALUES ($1, $2)`,
            [ownerId, digest],
          ],
        ),
      ),
    remove: (ownerId) =>
      db.writeAll(
        [`DELETE FROM ${twoFactor} WHERE ${owner} = $1`, [ownerId]],
        deleteCodes(ownerId),
      ),
    useStep: (ownerId, step) =>
      db.hasWritten(
        `UPDATE ${twoFactor} SET used_step = $2
         WHERE ${owner} = $1 AND used_step < $2 RETURNING 1`,
        [ownerId, step],
      ),
    useRecoveryCode: (ownerId, digest) =>
      db.hasWritten(
        `DELETE FROM ${recoveryCodes} WHERE ${owner} = $1 AND digest = $2 RETURNING 1`,
        [ownerId, digest],
      ),
    async countRecoveryCodes(ownerId) {
      const select = `SELECT count(*) AS value FROM ${recoveryCodes} WHERE ${owner} = $1`
      return (await db.findValue<number>(select, [ownerId])) ?? 0
    },
  }
}

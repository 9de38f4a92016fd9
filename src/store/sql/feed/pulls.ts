import type { Pull, PullStore } from "../../../domain/feed/pull.ts"
import type { SqlDatabase, Statement } from "../database.ts"
import { endFailedRun } from "./import-runs.ts"

const putPull = `INSERT INTO pulls
    (name, every_seconds, first_round_at, last_scheduled_at, last_success_at, problem)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (name) DO UPDATE SET
    every_seconds = coalesce(excluded.every_seconds, pulls.every_seconds),
    last_scheduled_at = coalesce(excluded.last_scheduled_at, pulls.last_scheduled_at),
    last_success_at = coalesce(excluded.last_success_at, pulls.last_success_at),
    problem = excluded.problem`

export const createPulls = (db: SqlDatabase): PullStore => ({
  async noteRound(round) {
    const { name, everySeconds, startedAt, endedAt, problem } = round
    const scheduledAt = everySeconds === null ? null : endedAt
    const succeededAt = problem === null ? endedAt : null
    const put: Statement = [
      putPull,
      [name, everySeconds, startedAt, scheduledAt, succeededAt, problem],
    ]
    await db.writeAll(...(problem === null ? [] : endFailedRun(round, problem)), put)
  },
  list: () =>
    db.read<Pull>(
      `SELECT name, every_seconds AS "everySeconds", first_round_at AS "firstRoundAt",
         last_scheduled_at AS "lastScheduledAt", last_success_at AS "lastSuccessAt", problem
       FROM pulls ORDER BY name`,
    ),
})

import {
  notesMax,
  type SessionNote,
  type SessionNoteStore,
} from "../../../domain/sign-in/session.ts"
import { ask, type SqlDatabase } from "../database.ts"
import type { SignInTables } from "./sign-in-tables.ts"

const columns = `session_id AS "sessionId", kind, id, at, sealed`
const ofKind = "session_id = $1 AND kind = $2"

/** Unsynced: a note that a power cut loses costs a reload, and no cache holds notes. */
export function createSessionNotes(db: SqlDatabase, tables: SignInTables): SessionNoteStore {
  const { sessionNotes: table, sessions } = tables
  return {
    put: ({ sessionId, kind, id, at, sealed }) =>
      db.changeUnsynced(function* () {
        // One note at a time, and the session cannot be deleted before the note refers to it.
        yield* ask(`SELECT 1 FROM ${sessions} WHERE id = $1 ${db.lock("FOR NO KEY UPDATE")}`, [
          sessionId,
        ])
        // A note that is put again is the newest: it gets a new serial.
        yield* ask(`DELETE FROM ${table} WHERE ${ofKind} AND id = $3`, [sessionId, kind, id])
        yield* ask(
          `INSERT INTO ${table} (session_id, kind, id, at, sealed)
           SELECT s.id, $2, $3, $4, $5 FROM ${sessions} s WHERE s.id = $1`,
          [sessionId, kind, id, at, sealed],
        )
        yield* ask(
          `DELETE FROM ${table} WHERE ${ofKind} AND serial NOT IN (
             SELECT serial FROM ${table} WHERE ${ofKind} ORDER BY serial DESC LIMIT ${notesMax})`,
          [sessionId, kind],
        )
      }),
    async find({ sessionId, kind, id }) {
      const [row] = await db.read<SessionNote>(
        `SELECT ${columns} FROM ${table} WHERE ${ofKind} AND id = $3`,
        [sessionId, kind, id],
      )
      return row ?? null
    },
    list: (sessionId, kind) =>
      db.read(`SELECT ${columns} FROM ${table} WHERE ${ofKind} ORDER BY serial DESC`, [
        sessionId,
        kind,
      ]),
    delete: ({ sessionId, kind, id }) =>
      db.changeUnsynced(function* () {
        yield* ask(`DELETE FROM ${table} WHERE ${ofKind} AND id = $3`, [sessionId, kind, id])
      }),
  }
}

import { notesMax, type SessionNote, type SessionNoteStore } from "../../domain/session-note.ts"
import type { Database } from "./database.ts"

/** Unsynced: a note that a power cut loses costs a reload, and no cache holds notes. */
export function sqliteSessionNotes(db: Database): SessionNoteStore {
  const columns = `session_id AS "sessionId", kind, id, at, sealed`
  return {
    put: ({ sessionId, kind, id, at, sealed }) =>
      db.transactUnsynced(({ query }) => {
        // REPLACE deletes the row it meets and takes a new serial, so a note that is put again is the newest.
        query(
          `INSERT OR REPLACE INTO session_notes (session_id, kind, id, at, sealed)
           SELECT s.id, $2, $3, $4, $5 FROM sessions s WHERE s.id = $1`,
          [sessionId, kind, id, at, sealed],
        )
        query(
          `DELETE FROM session_notes WHERE session_id = $1 AND kind = $2 AND serial NOT IN (
             SELECT serial FROM session_notes WHERE session_id = $1 AND kind = $2
             ORDER BY serial DESC LIMIT ${notesMax})`,
          [sessionId, kind],
        )
      }),
    async find({ sessionId, kind, id }) {
      const [row] = await db.read<SessionNote>(
        `SELECT ${columns} FROM session_notes WHERE session_id = $1 AND kind = $2 AND id = $3`,
        [sessionId, kind, id],
      )
      return row ?? null
    },
    list: (sessionId, kind) =>
      db.read(
        `SELECT ${columns} FROM session_notes WHERE session_id = $1 AND kind = $2
         ORDER BY serial DESC`,
        [sessionId, kind],
      ),
    delete: ({ sessionId, kind, id }) =>
      db.transactUnsynced(({ query }) => {
        query("DELETE FROM session_notes WHERE session_id = $1 AND kind = $2 AND id = $3", [
          sessionId,
          kind,
          id,
        ])
      }),
  }
}

import { notesMax, type SessionNote, type SessionNoteStore } from "../domain/session-note.ts"
import type { SqlDatabase } from "./database.ts"

const columns = `session_id AS "sessionId", kind, id, at, sealed`

/** Keeps the newest notes of a session and kind. */
export const pruneNotes = `DELETE FROM session_notes
  WHERE session_id = $1 AND kind = $2 AND serial NOT IN (
    SELECT serial FROM session_notes WHERE session_id = $1 AND kind = $2
    ORDER BY serial DESC LIMIT ${notesMax})`

export const deleteNote =
  "DELETE FROM session_notes WHERE session_id = $1 AND kind = $2 AND id = $3"

/** The methods whose SQL is the same for both databases. */
export function sessionNoteQueries(db: SqlDatabase): Pick<SessionNoteStore, "find" | "list"> {
  return {
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
  }
}

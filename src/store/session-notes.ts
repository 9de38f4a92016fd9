import { notesMax, type SessionNote, type SessionNoteStore } from "../domain/session-note.ts"
import type { SqlDatabase } from "./database.ts"
import type { SignInTables } from "./sign-in-tables.ts"

const columns = `session_id AS "sessionId", kind, id, at, sealed`

/** Keeps the newest notes of a session and kind. */
export const pruneNotes = ({ sessionNotes }: SignInTables) => `DELETE FROM ${sessionNotes}
  WHERE session_id = $1 AND kind = $2 AND serial NOT IN (
    SELECT serial FROM ${sessionNotes} WHERE session_id = $1 AND kind = $2
    ORDER BY serial DESC LIMIT ${notesMax})`

export const deleteNote = ({ sessionNotes }: SignInTables) =>
  `DELETE FROM ${sessionNotes} WHERE session_id = $1 AND kind = $2 AND id = $3`

/** The methods whose SQL is the same for both databases. */
export function sessionNoteQueries(
  db: SqlDatabase,
  { sessionNotes }: SignInTables,
): Pick<SessionNoteStore, "find" | "list"> {
  return {
    async find({ sessionId, kind, id }) {
      const [row] = await db.read<SessionNote>(
        `SELECT ${columns} FROM ${sessionNotes} WHERE session_id = $1 AND kind = $2 AND id = $3`,
        [sessionId, kind, id],
      )
      return row ?? null
    },
    list: (sessionId, kind) =>
      db.read(
        `SELECT ${columns} FROM ${sessionNotes} WHERE session_id = $1 AND kind = $2
         ORDER BY serial DESC`,
        [sessionId, kind],
      ),
  }
}

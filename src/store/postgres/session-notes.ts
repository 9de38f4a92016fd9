import { notesMax, type SessionNote, type SessionNoteStore } from "../../domain/session-note.ts"
import type { Database } from "./database.ts"

export function postgresSessionNotes(db: Database): SessionNoteStore {
  const columns = `session_id AS "sessionId", kind, id, at, sealed`
  return {
    put: ({ sessionId, kind, id, at, sealed }) =>
      db.transact(async (client) => {
        // The lock keeps the session from being deleted before the note refers to it.
        await client.query(
          `INSERT INTO session_notes (session_id, kind, id, at, sealed)
           SELECT s.id, $2, $3, $4, $5 FROM sessions s WHERE s.id = $1 FOR KEY SHARE
           ON CONFLICT (session_id, kind, id)
           DO UPDATE SET serial = DEFAULT, at = excluded.at, sealed = excluded.sealed`,
          [sessionId, kind, id, at, sealed],
        )
        await client.query(
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
      db.write("DELETE FROM session_notes WHERE session_id = $1 AND kind = $2 AND id = $3", [
        sessionId,
        kind,
        id,
      ]),
  }
}

import type { Database } from "bun:sqlite"
import { notesMax, type SessionNote, type SessionNoteStore } from "../../domain/session-note.ts"
import { read, writeUnsynced } from "./database.ts"

export function sqliteSessionNotes(db: Database): SessionNoteStore {
  const columns = `session_id AS "sessionId", kind, id, at, sealed`
  // REPLACE deletes the row it meets and takes a new serial, so a note that is put again is the newest.
  const put = db.query(
    `INSERT OR REPLACE INTO session_notes (session_id, kind, id, at, sealed)
     SELECT id, $kind, $id, $at, $sealed FROM sessions WHERE id = $sessionId`,
  )
  const prune = db.query(
    `DELETE FROM session_notes WHERE session_id = ?1 AND kind = ?2 AND serial NOT IN (
       SELECT serial FROM session_notes WHERE session_id = ?1 AND kind = ?2
       ORDER BY serial DESC LIMIT ${notesMax})`,
  )
  const find = db.query<SessionNote, [string, string, string]>(
    `SELECT ${columns} FROM session_notes WHERE session_id = ? AND kind = ? AND id = ?`,
  )
  const list = db.query<SessionNote, [string, string]>(
    `SELECT ${columns} FROM session_notes WHERE session_id = ? AND kind = ? ORDER BY serial DESC`,
  )
  const remove = db.query("DELETE FROM session_notes WHERE session_id = ? AND kind = ? AND id = ?")
  return {
    // Unsynced: a note that is lost with the power costs a reload, and no cache holds notes.
    put: (note) =>
      writeUnsynced(db, () => {
        put.run({ ...note })
        prune.run(note.sessionId, note.kind)
      }),
    find: ({ sessionId, kind, id }) => read(() => find.get(sessionId, kind, id)),
    list: (sessionId, kind) => read(() => list.all(sessionId, kind)),
    async delete({ sessionId, kind, id }) {
      await writeUnsynced(db, () => remove.run(sessionId, kind, id))
    },
  }
}

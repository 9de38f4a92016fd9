import type { SessionNoteStore } from "../../domain/session-note.ts"
import { deleteNote, pruneNotes, sessionNoteQueries } from "../session-notes.ts"
import type { Database } from "./database.ts"

/** Unsynced: a note that a power cut loses costs a reload, and no cache holds notes. */
export function sqliteSessionNotes(db: Database): SessionNoteStore {
  return {
    put: ({ sessionId, kind, id, at, sealed }) =>
      db.transactUnsynced(({ query }) => {
        // REPLACE deletes the row it meets and takes a new serial, so a note that is put again is the newest.
        query(
          `INSERT OR REPLACE INTO session_notes (session_id, kind, id, at, sealed)
           SELECT s.id, $2, $3, $4, $5 FROM sessions s WHERE s.id = $1`,
          [sessionId, kind, id, at, sealed],
        )
        query(pruneNotes, [sessionId, kind])
      }),
    ...sessionNoteQueries(db),
    delete: ({ sessionId, kind, id }) =>
      db.transactUnsynced(({ query }) => {
        query(deleteNote, [sessionId, kind, id])
      }),
  }
}

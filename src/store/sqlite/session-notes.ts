import type { SessionNoteStore } from "../../domain/session-note.ts"
import { deleteNote, pruneNotes, sessionNoteQueries } from "../session-notes.ts"
import type { SignInTables } from "../sign-in-tables.ts"
import type { Database } from "./database.ts"

/** Unsynced: a note that a power cut loses costs a reload, and no cache holds notes. */
export function sqliteSessionNotes(db: Database, tables: SignInTables): SessionNoteStore {
  return {
    put: ({ sessionId, kind, id, at, sealed }) =>
      db.transactUnsynced(({ query }) => {
        // REPLACE deletes the row it meets and takes a new serial, so a note that is put again is the newest.
        query(
          `INSERT OR REPLACE INTO ${tables.sessionNotes} (session_id, kind, id, at, sealed)
           SELECT s.id, $2, $3, $4, $5 FROM ${tables.sessions} s WHERE s.id = $1`,
          [sessionId, kind, id, at, sealed],
        )
        query(pruneNotes(tables), [sessionId, kind])
      }),
    ...sessionNoteQueries(db, tables),
    delete: ({ sessionId, kind, id }) =>
      db.transactUnsynced(({ query }) => {
        query(deleteNote(tables), [sessionId, kind, id])
      }),
  }
}

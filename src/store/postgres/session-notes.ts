import type { SessionNoteStore } from "../../domain/session-note.ts"
import { deleteNote, pruneNotes, sessionNoteQueries } from "../session-notes.ts"
import type { SignInTables } from "../sign-in-tables.ts"
import type { Database } from "./database.ts"

export function postgresSessionNotes(db: Database, tables: SignInTables): SessionNoteStore {
  return {
    put: ({ sessionId, kind, id, at, sealed }) =>
      db.transact(async (client) => {
        // The lock keeps the session from being deleted before the note refers to it.
        await client.query(
          `INSERT INTO ${tables.sessionNotes} (session_id, kind, id, at, sealed)
           SELECT s.id, $2, $3, $4, $5 FROM ${tables.sessions} s WHERE s.id = $1 FOR KEY SHARE
           ON CONFLICT (session_id, kind, id)
           DO UPDATE SET serial = DEFAULT, at = excluded.at, sealed = excluded.sealed`,
          [sessionId, kind, id, at, sealed],
        )
        await client.query(pruneNotes(tables), [sessionId, kind])
      }),
    ...sessionNoteQueries(db, tables),
    delete: ({ sessionId, kind, id }) => db.write(deleteNote(tables), [sessionId, kind, id]),
  }
}
